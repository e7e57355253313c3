#include "report/math_symbols.h"

#include <string.h>

/* Sorted by name, as bytes. */
static const struct math_command commands[] = {
    {" ", COMMAND_SPACE, 0, 6, NULL},
    {"!", COMMAND_SPACE, 0, -3, NULL},
    {"#", COMMAND_SYMBOL, 0x23, MATH_ORD, "number sign"},
    {"$", COMMAND_SYMBOL, 0x24, MATH_ORD, "dollar"},
    {"%", COMMAND_SYMBOL, 0x25, MATH_ORD, "percent"},
    {"&", COMMAND_SYMBOL, 0x26, MATH_ORD, "and"},
    {",", COMMAND_SPACE, 0, 3, NULL},
    {":", COMMAND_SPACE, 0, 4, NULL},
    {";", COMMAND_SPACE, 0, 5, NULL},
    {">", COMMAND_SPACE, 0, 4, NULL},
    {"Big", COMMAND_BIG, 0, 2, NULL},
    {"Bigg", COMMAND_BIG, 0, 4, NULL},
    {"Biggl", COMMAND_BIG, MATH_OPEN, 4, NULL},
    {"Biggm", COMMAND_BIG, MATH_REL, 4, NULL},
    {"Biggr", COMMAND_BIG, MATH_CLOSE, 4, NULL},
    {"Bigl", COMMAND_BIG, MATH_OPEN, 2, NULL},
    {"Bigm", COMMAND_BIG, MATH_REL, 2, NULL},
    {"Bigr", COMMAND_BIG, MATH_CLOSE, 2, NULL},
    {"Box", COMMAND_SYMBOL, 0x25A1, MATH_ORD, "box"},
    {"Delta", COMMAND_SYMBOL, 0x394, MATH_ORD, "capital delta"},
    {"Gamma", COMMAND_SYMBOL, 0x393, MATH_ORD, "capital gamma"},
    {"Im", COMMAND_SYMBOL, 0x2111, MATH_ORD, "imaginary part"},
    {"Lambda", COMMAND_SYMBOL, 0x39B, MATH_ORD, "capital lambda"},
    {"Leftarrow", COMMAND_SYMBOL, 0x21D0, MATH_REL, "is implied by"},
    {"Leftrightarrow", COMMAND_SYMBOL, 0x21D4, MATH_REL, "if and only if"},
    {"Longleftrightarrow", COMMAND_SYMBOL, 0x27FA, MATH_REL, "if and only if"},
    {"Longrightarrow", COMMAND_SYMBOL, 0x27F9, MATH_REL, "implies"},
    {"Omega", COMMAND_SYMBOL, 0x3A9, MATH_ORD, "capital omega"},
    {"Phi", COMMAND_SYMBOL, 0x3A6, MATH_ORD, "capital phi"},
    {"Pi", COMMAND_SYMBOL, 0x3A0, MATH_ORD, "capital pi"},
    {"Pr", COMMAND_OPERATOR, 0, MATH_LIMITS_AUTO, "Pr"},
    {"Psi", COMMAND_SYMBOL, 0x3A8, MATH_ORD, "capital psi"},
    {"Re", COMMAND_SYMBOL, 0x211C, MATH_ORD, "real part"},
    {"Rightarrow", COMMAND_SYMBOL, 0x21D2, MATH_REL, "implies"},
    {"Sigma", COMMAND_SYMBOL, 0x3A3, MATH_ORD, "capital sigma"},
    {"Theta", COMMAND_SYMBOL, 0x398, MATH_ORD, "capital theta"},
    {"Upsilon", COMMAND_SYMBOL, 0x3A5, MATH_ORD, "capital upsilon"},
    {"Vert", COMMAND_SYMBOL, 0x2016, MATH_ORD, "norm bar"},
    {"Xi", COMMAND_SYMBOL, 0x39E, MATH_ORD, "capital xi"},
    {"_", COMMAND_SYMBOL, 0x5F, MATH_ORD, "underscore"},
    {"acute", COMMAND_ACCENT, 0x301, 0, NULL},
    {"aleph", COMMAND_SYMBOL, 0x2135, MATH_ORD, NULL},
    {"alpha", COMMAND_SYMBOL, 0x3B1, MATH_ORD, NULL},
    {"amalg", COMMAND_SYMBOL, 0x2A3F, MATH_BIN, NULL},
    {"angle", COMMAND_SYMBOL, 0x2220, MATH_ORD, NULL},
    {"approx", COMMAND_SYMBOL, 0x2248, MATH_REL, "is approximately"},
    {"arccos", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "arccos"},
    {"arcsin", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "arcsin"},
    {"arctan", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "arctan"},
    {"arg", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "arg"},
    {"argmax", COMMAND_OPERATOR, 0, MATH_LIMITS_AUTO, "arg\u2009max"},
    {"argmin", COMMAND_OPERATOR, 0, MATH_LIMITS_AUTO, "arg\u2009min"},
    {"ast", COMMAND_SYMBOL, 0x2217, MATH_BIN, "star"},
    {"asymp", COMMAND_SYMBOL, 0x224D, MATH_REL, "is asymptotic to"},
    {"backslash", COMMAND_SYMBOL, 0x5C, MATH_ORD, NULL},
    {"bar", COMMAND_ACCENT, 0x304, 0, NULL},
    {"begin", COMMAND_BEGIN, 0, 0, NULL},
    {"beta", COMMAND_SYMBOL, 0x3B2, MATH_ORD, NULL},
    {"big", COMMAND_BIG, 0, 1, NULL},
    {"bigcap", COMMAND_LARGE, 0x22C2, MATH_LIMITS_AUTO, "intersection"},
    {"bigcup", COMMAND_LARGE, 0x22C3, MATH_LIMITS_AUTO, "union"},
    {"bigg", COMMAND_BIG, 0, 3, NULL},
    {"biggl", COMMAND_BIG, MATH_OPEN, 3, NULL},
    {"biggm", COMMAND_BIG, MATH_REL, 3, NULL},
    {"biggr", COMMAND_BIG, MATH_CLOSE, 3, NULL},
    {"bigl", COMMAND_BIG, MATH_OPEN, 1, NULL},
    {"bigm", COMMAND_BIG, MATH_REL, 1, NULL},
    {"bigodot", COMMAND_LARGE, 0x2A00, MATH_LIMITS_AUTO, "elementwise product"},
    {"bigoplus", COMMAND_LARGE, 0x2A01, MATH_LIMITS_AUTO, "direct sum"},
    {"bigotimes", COMMAND_LARGE, 0x2A02, MATH_LIMITS_AUTO, "tensor product"},
    {"bigr", COMMAND_BIG, MATH_CLOSE, 1, NULL},
    {"bigsqcup", COMMAND_LARGE, 0x2A06, MATH_LIMITS_AUTO, "join"},
    {"biguplus", COMMAND_LARGE, 0x2A04, MATH_LIMITS_AUTO, "multiset union"},
    {"bigvee", COMMAND_LARGE, 0x22C1, MATH_LIMITS_AUTO, "disjunction"},
    {"bigwedge", COMMAND_LARGE, 0x22C0, MATH_LIMITS_AUTO, "conjunction"},
    {"binom", COMMAND_BINOMIAL, 0, MATH_INHERIT, NULL},
    {"bm", COMMAND_FONT, 0, MATH_BOLD_ITALIC, NULL},
    {"boldsymbol", COMMAND_FONT, 0, MATH_BOLD_ITALIC, NULL},
    {"bot", COMMAND_SYMBOL, 0x22A5, MATH_ORD, "bottom"},
    {"breve", COMMAND_ACCENT, 0x306, 0, NULL},
    {"bullet", COMMAND_SYMBOL, 0x2219, MATH_BIN, NULL},
    {"cap", COMMAND_SYMBOL, 0x2229, MATH_BIN, "intersected with"},
    {"cdot", COMMAND_SYMBOL, 0x22C5, MATH_BIN, "times"},
    {"cdots", COMMAND_SYMBOL, 0x22EF, MATH_INNER, "and so on"},
    {"check", COMMAND_ACCENT, 0x30C, 0, NULL},
    {"chi", COMMAND_SYMBOL, 0x3C7, MATH_ORD, NULL},
    {"circ", COMMAND_SYMBOL, 0x2218, MATH_BIN, "composed with"},
    {"colon", COMMAND_SYMBOL, 0x3A, MATH_PUNCT, NULL},
    {"coloneqq", COMMAND_SYMBOL, 0x2254, MATH_REL, "is defined as"},
    {"cong", COMMAND_SYMBOL, 0x2245, MATH_REL, "is congruent to"},
    {"coprod", COMMAND_LARGE, 0x2210, MATH_LIMITS_AUTO, "coproduct"},
    {"cos", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "cos"},
    {"cosh", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "cosh"},
    {"cot", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "cot"},
    {"coth", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "coth"},
    {"csc", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "csc"},
    {"cup", COMMAND_SYMBOL, 0x222A, MATH_BIN, "united with"},
    {"dagger", COMMAND_SYMBOL, 0x2020, MATH_BIN, NULL},
    {"dashv", COMMAND_SYMBOL, 0x22A3, MATH_REL, NULL},
    {"dbinom", COMMAND_BINOMIAL, 0, MATH_DISPLAY, NULL},
    {"ddagger", COMMAND_SYMBOL, 0x2021, MATH_BIN, "double dagger"},
    {"ddot", COMMAND_ACCENT, 0x308, 0, "double dot"},
    {"ddots", COMMAND_SYMBOL, 0x22F1, MATH_INNER, "diagonal dots"},
    {"deg", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "deg"},
    {"degree", COMMAND_SYMBOL, 0xB0, MATH_ORD, "degrees"},
    {"delta", COMMAND_SYMBOL, 0x3B4, MATH_ORD, NULL},
    {"det", COMMAND_OPERATOR, 0, MATH_LIMITS_AUTO, "det"},
    {"dfrac", COMMAND_FRACTION, 0, MATH_DISPLAY, NULL},
    {"diamond", COMMAND_SYMBOL, 0x22C4, MATH_BIN, NULL},
    {"dim", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "dim"},
    {"displaystyle", COMMAND_STYLE, 0, MATH_DISPLAY, NULL},
    {"div", COMMAND_SYMBOL, 0xF7, MATH_BIN, "divided by"},
    {"dot", COMMAND_ACCENT, 0x307, 0, NULL},
    {"doteq", COMMAND_SYMBOL, 0x2250, MATH_REL, "approaches"},
    {"dots", COMMAND_SYMBOL, 0x2026, MATH_INNER, "and so on"},
    {"dotsb", COMMAND_SYMBOL, 0x22EF, MATH_INNER, "and so on"},
    {"dotsc", COMMAND_SYMBOL, 0x2026, MATH_INNER, "and so on"},
    {"dotsm", COMMAND_SYMBOL, 0x22EF, MATH_INNER, "and so on"},
    {"downarrow", COMMAND_SYMBOL, 0x2193, MATH_REL, "down"},
    {"ell", COMMAND_SYMBOL, 0x2113, MATH_ORD, NULL},
    {"emptyset", COMMAND_SYMBOL, 0x2205, MATH_ORD, "the empty set"},
    {"end", COMMAND_END, 0, 0, NULL},
    {"enspace", COMMAND_SPACE, 0, 9, NULL},
    {"epsilon", COMMAND_SYMBOL, 0x3F5, MATH_ORD, NULL},
    {"equiv", COMMAND_SYMBOL, 0x2261, MATH_REL, "is identical to"},
    {"eta", COMMAND_SYMBOL, 0x3B7, MATH_ORD, NULL},
    {"exists", COMMAND_SYMBOL, 0x2203, MATH_ORD, "there exists"},
    {"exp", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "exp"},
    {"flat", COMMAND_SYMBOL, 0x266D, MATH_ORD, NULL},
    {"forall", COMMAND_SYMBOL, 0x2200, MATH_ORD, "for all"},
    {"frac", COMMAND_FRACTION, 0, MATH_INHERIT, NULL},
    {"gamma", COMMAND_SYMBOL, 0x3B3, MATH_ORD, NULL},
    {"gcd", COMMAND_OPERATOR, 0, MATH_LIMITS_AUTO, "gcd"},
    {"ge", COMMAND_SYMBOL, 0x2265, MATH_REL, "is at least"},
    {"geq", COMMAND_SYMBOL, 0x2265, MATH_REL, "is at least"},
    {"gets", COMMAND_SYMBOL, 0x2190, MATH_REL, NULL},
    {"gg", COMMAND_SYMBOL, 0x226B, MATH_REL, "is much greater than"},
    {"grave", COMMAND_ACCENT, 0x300, 0, NULL},
    {"gtrsim", COMMAND_SYMBOL, 0x2273, MATH_REL, "is at least about"},
    {"hat", COMMAND_ACCENT, 0x302, 0, NULL},
    {"hbar", COMMAND_SYMBOL, 0x210F, MATH_ORD, "h bar"},
    {"hom", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "hom"},
    {"hookrightarrow", COMMAND_SYMBOL, 0x21AA, MATH_REL, "embeds into"},
    {"iff", COMMAND_SYMBOL, 0x27FA, MATH_REL, "if and only if"},
    {"iiint", COMMAND_LARGE, 0x222D, MATH_LIMITS_SIDE, "triple integral"},
    {"iint", COMMAND_LARGE, 0x222C, MATH_LIMITS_SIDE, "double integral"},
    {"imath", COMMAND_SYMBOL, 0x131, MATH_ORD, "dotless i"},
    {"implies", COMMAND_SYMBOL, 0x27F9, MATH_REL, NULL},
    {"in", COMMAND_SYMBOL, 0x2208, MATH_REL, NULL},
    {"inf", COMMAND_OPERATOR, 0, MATH_LIMITS_AUTO, "inf"},
    {"infty", COMMAND_SYMBOL, 0x221E, MATH_ORD, "infinity"},
    {"int", COMMAND_LARGE, 0x222B, MATH_LIMITS_SIDE, "integral"},
    {"iota", COMMAND_SYMBOL, 0x3B9, MATH_ORD, NULL},
    {"jmath", COMMAND_SYMBOL, 0x237, MATH_ORD, "dotless j"},
    {"kappa", COMMAND_SYMBOL, 0x3BA, MATH_ORD, NULL},
    {"ker", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "ker"},
    {"lVert", COMMAND_SYMBOL, 0x2016, MATH_OPEN, "norm of"},
    {"lambda", COMMAND_SYMBOL, 0x3BB, MATH_ORD, NULL},
    {"land", COMMAND_SYMBOL, 0x2227, MATH_BIN, "and"},
    {"langle", COMMAND_SYMBOL, 0x27E8, MATH_OPEN, "open angle bracket"},
    {"lbrace", COMMAND_SYMBOL, 0x7B, MATH_OPEN, "open brace"},
    {"lbrack", COMMAND_SYMBOL, 0x5B, MATH_OPEN, "open bracket"},
    {"lceil", COMMAND_SYMBOL, 0x2308, MATH_OPEN, "ceiling of"},
    {"ldots", COMMAND_SYMBOL, 0x2026, MATH_INNER, "and so on"},
    {"le", COMMAND_SYMBOL, 0x2264, MATH_REL, "is at most"},
    {"left", COMMAND_LEFT, 0, 0, NULL},
    {"leftarrow", COMMAND_SYMBOL, 0x2190, MATH_REL, "from"},
    {"leftrightarrow", COMMAND_SYMBOL, 0x2194, MATH_REL, "if and only if"},
    {"leq", COMMAND_SYMBOL, 0x2264, MATH_REL, "is at most"},
    {"lesssim", COMMAND_SYMBOL, 0x2272, MATH_REL, "is at most about"},
    {"lfloor", COMMAND_SYMBOL, 0x230A, MATH_OPEN, "floor of"},
    {"lg", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "lg"},
    {"lim", COMMAND_OPERATOR, 0, MATH_LIMITS_AUTO, "lim"},
    {"liminf", COMMAND_OPERATOR, 0, MATH_LIMITS_AUTO, "lim\u2009inf"},
    {"limits", COMMAND_LIMITS, 0, MATH_LIMITS_ALWAYS, NULL},
    {"limsup", COMMAND_OPERATOR, 0, MATH_LIMITS_AUTO, "lim\u2009sup"},
    {"ll", COMMAND_SYMBOL, 0x226A, MATH_REL, "is much less than"},
    {"ln", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "ln"},
    {"lnot", COMMAND_SYMBOL, 0xAC, MATH_ORD, "not"},
    {"log", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "log"},
    {"longleftarrow", COMMAND_SYMBOL, 0x27F5, MATH_REL, "from"},
    {"longmapsto", COMMAND_SYMBOL, 0x27FC, MATH_REL, "maps to"},
    {"longrightarrow", COMMAND_SYMBOL, 0x27F6, MATH_REL, "to"},
    {"lor", COMMAND_SYMBOL, 0x2228, MATH_BIN, "or"},
    {"lvert", COMMAND_SYMBOL, 0x7C, MATH_OPEN, "absolute value of"},
    {"mapsto", COMMAND_SYMBOL, 0x21A6, MATH_REL, "maps to"},
    {"mathbb", COMMAND_FONT, 0, MATH_BLACKBOARD, NULL},
    {"mathbf", COMMAND_FONT, 0, MATH_BOLD, NULL},
    {"mathbin", COMMAND_CLASS, 0, MATH_BIN, NULL},
    {"mathcal", COMMAND_FONT, 0, MATH_CALLIGRAPHIC, NULL},
    {"mathclose", COMMAND_CLASS, 0, MATH_CLOSE, NULL},
    {"mathfrak", COMMAND_FONT, 0, MATH_FRAKTUR, NULL},
    {"mathinner", COMMAND_CLASS, 0, MATH_INNER, NULL},
    {"mathit", COMMAND_FONT, 0, MATH_ITALIC, NULL},
    {"mathop", COMMAND_CLASS, 0, MATH_OP, NULL},
    {"mathopen", COMMAND_CLASS, 0, MATH_OPEN, NULL},
    {"mathord", COMMAND_CLASS, 0, MATH_ORD, NULL},
    {"mathpunct", COMMAND_CLASS, 0, MATH_PUNCT, NULL},
    {"mathrel", COMMAND_CLASS, 0, MATH_REL, NULL},
    {"mathring", COMMAND_ACCENT, 0x30A, 0, "ring"},
    {"mathrm", COMMAND_FONT, 0, MATH_UPRIGHT, NULL},
    {"mathscr", COMMAND_FONT, 0, MATH_CALLIGRAPHIC, NULL},
    {"mathsf", COMMAND_FONT, 0, MATH_SANS, NULL},
    {"mathtt", COMMAND_FONT, 0, MATH_MONO, NULL},
    {"max", COMMAND_OPERATOR, 0, MATH_LIMITS_AUTO, "max"},
    {"medspace", COMMAND_SPACE, 0, 4, NULL},
    {"mid", COMMAND_SYMBOL, 0x2223, MATH_REL, "given"},
    {"middle", COMMAND_MIDDLE, 0, 0, NULL},
    {"min", COMMAND_OPERATOR, 0, MATH_LIMITS_AUTO, "min"},
    {"models", COMMAND_SYMBOL, 0x22A8, MATH_REL, NULL},
    {"mp", COMMAND_SYMBOL, 0x2213, MATH_BIN, "minus or plus"},
    {"mu", COMMAND_SYMBOL, 0x3BC, MATH_ORD, NULL},
    {"nabla", COMMAND_SYMBOL, 0x2207, MATH_ORD, NULL},
    {"natural", COMMAND_SYMBOL, 0x266E, MATH_ORD, NULL},
    {"ne", COMMAND_SYMBOL, 0x2260, MATH_REL, "is not equal to"},
    {"neg", COMMAND_SYMBOL, 0xAC, MATH_ORD, "not"},
    {"negthinspace", COMMAND_SPACE, 0, -3, NULL},
    {"neq", COMMAND_SYMBOL, 0x2260, MATH_REL, "is not equal to"},
    {"nexists", COMMAND_SYMBOL, 0x2204, MATH_ORD, "there does not exist"},
    {"ni", COMMAND_SYMBOL, 0x220B, MATH_REL, "contains"},
    {"nmid", COMMAND_SYMBOL, 0x2224, MATH_REL, "does not divide"},
    {"nolimits", COMMAND_LIMITS, 0, MATH_LIMITS_SIDE, NULL},
    {"not", COMMAND_NOT, 0, 0, NULL},
    {"notin", COMMAND_SYMBOL, 0x2209, MATH_REL, "not in"},
    {"nu", COMMAND_SYMBOL, 0x3BD, MATH_ORD, NULL},
    {"odot", COMMAND_SYMBOL, 0x2299, MATH_BIN, "elementwise times"},
    {"oint", COMMAND_LARGE, 0x222E, MATH_LIMITS_SIDE, "contour integral"},
    {"omega", COMMAND_SYMBOL, 0x3C9, MATH_ORD, NULL},
    {"omicron", COMMAND_SYMBOL, 0x3BF, MATH_ORD, NULL},
    {"ominus", COMMAND_SYMBOL, 0x2296, MATH_BIN, "circled minus"},
    {"operatorname", COMMAND_NAME, 0, 0, NULL},
    {"oplus", COMMAND_SYMBOL, 0x2295, MATH_BIN, "direct sum"},
    {"oslash", COMMAND_SYMBOL, 0x2298, MATH_BIN, "circled slash"},
    {"otimes", COMMAND_SYMBOL, 0x2297, MATH_BIN, "tensor"},
    {"overbrace", COMMAND_OVER, 0x23DE, 0, NULL},
    {"overline", COMMAND_OVER, 0x203E, 0, "bar"},
    {"overset", COMMAND_STACK, 0, 1, NULL},
    {"parallel", COMMAND_SYMBOL, 0x2225, MATH_REL, "is parallel to"},
    {"partial", COMMAND_SYMBOL, 0x2202, MATH_ORD, NULL},
    {"perp", COMMAND_SYMBOL, 0x27C2, MATH_REL, "is perpendicular to"},
    {"phantom", COMMAND_PHANTOM, 0, 0, NULL},
    {"phi", COMMAND_SYMBOL, 0x3D5, MATH_ORD, NULL},
    {"pi", COMMAND_SYMBOL, 0x3C0, MATH_ORD, NULL},
    {"pm", COMMAND_SYMBOL, 0xB1, MATH_BIN, "plus or minus"},
    {"prec", COMMAND_SYMBOL, 0x227A, MATH_REL, "precedes"},
    {"preceq", COMMAND_SYMBOL, 0x2AAF, MATH_REL, "precedes or equals"},
    {"prime", COMMAND_SYMBOL, 0x2032, MATH_ORD, NULL},
    {"prod", COMMAND_LARGE, 0x220F, MATH_LIMITS_AUTO, "product"},
    {"propto", COMMAND_SYMBOL, 0x221D, MATH_REL, "is proportional to"},
    {"psi", COMMAND_SYMBOL, 0x3C8, MATH_ORD, NULL},
    {"qquad", COMMAND_SPACE, 0, 36, NULL},
    {"quad", COMMAND_SPACE, 0, 18, NULL},
    {"rVert", COMMAND_SYMBOL, 0x2016, MATH_CLOSE, "end norm"},
    {"rangle", COMMAND_SYMBOL, 0x27E9, MATH_CLOSE, "close angle bracket"},
    {"rbrace", COMMAND_SYMBOL, 0x7D, MATH_CLOSE, "close brace"},
    {"rbrack", COMMAND_SYMBOL, 0x5D, MATH_CLOSE, "close bracket"},
    {"rceil", COMMAND_SYMBOL, 0x2309, MATH_CLOSE, "end ceiling"},
    {"rfloor", COMMAND_SYMBOL, 0x230B, MATH_CLOSE, "end floor"},
    {"rho", COMMAND_SYMBOL, 0x3C1, MATH_ORD, NULL},
    {"right", COMMAND_RIGHT, 0, 0, NULL},
    {"rightarrow", COMMAND_SYMBOL, 0x2192, MATH_REL, "to"},
    {"rightharpoonup", COMMAND_SYMBOL, 0x21C0, MATH_REL, "tends weakly to"},
    {"rightleftharpoons", COMMAND_SYMBOL, 0x21CC, MATH_REL, NULL},
    {"rvert", COMMAND_SYMBOL, 0x7C, MATH_CLOSE, "end absolute value"},
    {"scriptscriptstyle", COMMAND_STYLE, 0, MATH_SCRIPT_SCRIPT, NULL},
    {"scriptstyle", COMMAND_STYLE, 0, MATH_SCRIPT, NULL},
    {"sec", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "sec"},
    {"setminus", COMMAND_SYMBOL, 0x2216, MATH_BIN, "without"},
    {"sharp", COMMAND_SYMBOL, 0x266F, MATH_ORD, NULL},
    {"sigma", COMMAND_SYMBOL, 0x3C3, MATH_ORD, NULL},
    {"sim", COMMAND_SYMBOL, 0x223C, MATH_REL, "is distributed as"},
    {"simeq", COMMAND_SYMBOL, 0x2243, MATH_REL, "is asymptotically equal to"},
    {"sin", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "sin"},
    {"sinh", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "sinh"},
    {"sqcap", COMMAND_SYMBOL, 0x2293, MATH_BIN, "meet"},
    {"sqcup", COMMAND_SYMBOL, 0x2294, MATH_BIN, "join"},
    {"sqrt", COMMAND_ROOT, 0, 0, NULL},
    {"square", COMMAND_SYMBOL, 0x25A1, MATH_ORD, NULL},
    {"stackrel", COMMAND_STACK, 0, 1, NULL},
    {"star", COMMAND_SYMBOL, 0x22C6, MATH_BIN, NULL},
    {"subset", COMMAND_SYMBOL, 0x2282, MATH_REL, "is a subset of"},
    {"subseteq", COMMAND_SYMBOL, 0x2286, MATH_REL,
     "is a subset of or equal to"},
    {"succ", COMMAND_SYMBOL, 0x227B, MATH_REL, "succeeds"},
    {"succeq", COMMAND_SYMBOL, 0x2AB0, MATH_REL, "succeeds or equals"},
    {"sum", COMMAND_LARGE, 0x2211, MATH_LIMITS_AUTO, NULL},
    {"sup", COMMAND_OPERATOR, 0, MATH_LIMITS_AUTO, "sup"},
    {"supset", COMMAND_SYMBOL, 0x2283, MATH_REL, "is a superset of"},
    {"supseteq", COMMAND_SYMBOL, 0x2287, MATH_REL,
     "is a superset of or equal to"},
    {"surd", COMMAND_SYMBOL, 0x221A, MATH_ORD, "root"},
    {"tan", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "tan"},
    {"tanh", COMMAND_OPERATOR, 0, MATH_LIMITS_SIDE, "tanh"},
    {"tau", COMMAND_SYMBOL, 0x3C4, MATH_ORD, NULL},
    {"tbinom", COMMAND_BINOMIAL, 0, MATH_TEXT_STYLE, NULL},
    {"text", COMMAND_TEXT, 0, MATH_UPRIGHT, NULL},
    {"textbf", COMMAND_TEXT, 0, MATH_BOLD, NULL},
    {"textit", COMMAND_TEXT, 0, MATH_ITALIC, NULL},
    {"textrm", COMMAND_TEXT, 0, MATH_UPRIGHT, NULL},
    {"textstyle", COMMAND_STYLE, 0, MATH_TEXT_STYLE, NULL},
    {"texttt", COMMAND_TEXT, 0, MATH_MONO, NULL},
    {"tfrac", COMMAND_FRACTION, 0, MATH_TEXT_STYLE, NULL},
    {"theta", COMMAND_SYMBOL, 0x3B8, MATH_ORD, NULL},
    {"thickspace", COMMAND_SPACE, 0, 5, NULL},
    {"thinspace", COMMAND_SPACE, 0, 3, NULL},
    {"tilde", COMMAND_ACCENT, 0x303, 0, NULL},
    {"times", COMMAND_SYMBOL, 0xD7, MATH_BIN, NULL},
    {"to", COMMAND_SYMBOL, 0x2192, MATH_REL, NULL},
    {"top", COMMAND_SYMBOL, 0x22A4, MATH_ORD, NULL},
    {"triangle", COMMAND_SYMBOL, 0x25B3, MATH_ORD, NULL},
    {"triangleq", COMMAND_SYMBOL, 0x225C, MATH_REL, "is defined as"},
    {"underbrace", COMMAND_UNDER, 0x23DF, 0, NULL},
    {"underline", COMMAND_UNDER, 0x5F, 0, NULL},
    {"underset", COMMAND_STACK, 0, 0, NULL},
    {"uparrow", COMMAND_SYMBOL, 0x2191, MATH_REL, "up"},
    {"updownarrow", COMMAND_SYMBOL, 0x2195, MATH_REL, "up and down"},
    {"uplus", COMMAND_SYMBOL, 0x228E, MATH_BIN, "multiset union"},
    {"upsilon", COMMAND_SYMBOL, 0x3C5, MATH_ORD, NULL},
    {"varepsilon", COMMAND_SYMBOL, 0x3B5, MATH_ORD, "epsilon"},
    {"varnothing", COMMAND_SYMBOL, 0x2205, MATH_ORD, "the empty set"},
    {"varphi", COMMAND_SYMBOL, 0x3C6, MATH_ORD, "phi"},
    {"varpi", COMMAND_SYMBOL, 0x3D6, MATH_ORD, "pi"},
    {"varrho", COMMAND_SYMBOL, 0x3F1, MATH_ORD, "rho"},
    {"varsigma", COMMAND_SYMBOL, 0x3C2, MATH_ORD, "sigma"},
    {"vartheta", COMMAND_SYMBOL, 0x3D1, MATH_ORD, "theta"},
    {"vdash", COMMAND_SYMBOL, 0x22A2, MATH_REL, "proves"},
    {"vdots", COMMAND_SYMBOL, 0x22EE, MATH_ORD, "vertical dots"},
    {"vec", COMMAND_ACCENT, 0x20D7, 0, NULL},
    {"vee", COMMAND_SYMBOL, 0x2228, MATH_BIN, "or"},
    {"vert", COMMAND_SYMBOL, 0x7C, MATH_ORD, "bar"},
    {"wedge", COMMAND_SYMBOL, 0x2227, MATH_BIN, "and"},
    {"widehat", COMMAND_ACCENT, 0x302, 1, "hat"},
    {"widetilde", COMMAND_ACCENT, 0x303, 1, "tilde"},
    {"wp", COMMAND_SYMBOL, 0x2118, MATH_ORD, NULL},
    {"xi", COMMAND_SYMBOL, 0x3BE, MATH_ORD, NULL},
    {"zeta", COMMAND_SYMBOL, 0x3B6, MATH_ORD, NULL},
    {"{", COMMAND_SYMBOL, 0x7B, MATH_OPEN, "open brace"},
    {"|", COMMAND_SYMBOL, 0x2016, MATH_ORD, "norm bar"},
    {"}", COMMAND_SYMBOL, 0x7D, MATH_CLOSE, "close brace"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static int compare_name(const char *name, size_t length, const char *other) {
  int order = strncmp(name, other, length);
  return order != 0 ? order : -(other[length] != 0);
}

const struct math_command *math_command_find(const char *name, size_t length) {
  size_t low = 0, high = COMMANDS;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare_name(name, length, commands[middle].name);
    if (order == 0) return &commands[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

/* Edit distance: insert, delete, replace, swap neighbours (the table of Wagner
 * and Fischer, with the rule for swaps of Lowrance and Wagner). */
static size_t edit_distance(const char *a, size_t a_length, const char *b) {
  enum { LONGEST = 32 };
  size_t b_length = strlen(b), table[LONGEST + 1][LONGEST + 1];
  if (a_length > LONGEST || b_length > LONGEST) return LONGEST;
  for (size_t i = 0; i <= a_length; i++) {
    for (size_t j = 0; j <= b_length; j++) {
      if (i == 0 || j == 0) {
        table[i][j] = i + j;
        continue;
      }
      size_t best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      if (table[i - 1][j] + 1 < best) best = table[i - 1][j] + 1;
      if (table[i][j - 1] + 1 < best) best = table[i][j - 1] + 1;
      bool swapped =
          i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && table[i - 2][j - 2] + 1 < best)
        best = table[i - 2][j - 2] + 1;
      table[i][j] = best;
    }
  }
  return table[a_length][b_length];
}

const struct math_command *math_command_guess(const char *name, size_t length) {
  const struct math_command *best = NULL;
  size_t least = length > 4 ? 3 : 2; /* one slip, two in a longer name */
  if (length < 3) return NULL;
  for (size_t i = 0; i < COMMANDS; i++) {
    size_t distance = edit_distance(name, length, commands[i].name);
    if (distance >= least) continue;
    least = distance;
    best = &commands[i];
  }
  return best;
}

const struct math_command *math_command_of_code(uint32_t code) {
  for (size_t i = 0; i < COMMANDS; i++) {
    bool shows = commands[i].kind == COMMAND_SYMBOL ||
                 commands[i].kind == COMMAND_LARGE ||
                 commands[i].kind == COMMAND_ACCENT ||
                 commands[i].kind == COMMAND_OVER ||
                 commands[i].kind == COMMAND_UNDER;
    if (shows && commands[i].code == code) return &commands[i];
  }
  return NULL;
}

bool math_is_latin(uint32_t code) {
  return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
}

bool math_is_digit(uint32_t code) {
  return code >= '0' && code <= '9';
}

bool math_is_small_greek(uint32_t code) {
  return (code >= 0x3B1 && code <= 0x3C9) || code == 0x3D1 || code == 0x3D5 ||
         code == 0x3D6 || code == 0x3F0 || code == 0x3F1 || code == 0x3F5 ||
         code == 0x2202;
}

bool math_is_capital_greek(uint32_t code) {
  return code >= 0x391 && code <= 0x3A9 && code != 0x3A2;
}

static bool ascii_character(uint32_t typed, uint32_t *code,
                            enum math_class *class) {
  static const struct {
    char typed;
    uint32_t code;
    enum math_class class;
  } characters[] = {
      {'+', '+', MATH_BIN},   {'-', 0x2212, MATH_BIN}, {'*', 0x2217, MATH_BIN},
      {'=', '=', MATH_REL},   {'<', '<', MATH_REL},    {'>', '>', MATH_REL},
      {':', ':', MATH_REL},   {',', ',', MATH_PUNCT},  {';', ';', MATH_PUNCT},
      {'!', '!', MATH_CLOSE}, {'?', '?', MATH_CLOSE},  {'(', '(', MATH_OPEN},
      {'[', '[', MATH_OPEN},  {')', ')', MATH_CLOSE},  {']', ']', MATH_CLOSE},
      {'|', '|', MATH_ORD},   {'.', '.', MATH_ORD},    {'/', '/', MATH_ORD},
      {'@', '@', MATH_ORD},
  };
  for (size_t i = 0; i < sizeof characters / sizeof *characters; i++) {
    if ((uint32_t)characters[i].typed != typed) continue;
    *code = characters[i].code;
    *class = characters[i].class;
    return true;
  }
  return false;
}

bool math_character(uint32_t typed, uint32_t *code, enum math_class *class) {
  *code = typed;
  *class = MATH_ORD;
  if (math_is_latin(typed) || math_is_digit(typed) ||
      math_is_capital_greek(typed))
    return true;
  if (typed < 0x80) return ascii_character(typed, code, class);
  const struct math_command *command = math_command_of_code(typed);
  if (command == NULL || command->kind != COMMAND_SYMBOL) return false;
  *class = (enum math_class)command->value;
  return true;
}

static bool is_prime(const struct math *node) {
  return node->type == MATH_SYMBOL && node->code == 0x2032;
}

bool math_is_primes(const struct math *node) {
  if (node->type != MATH_ROW) return is_prime(node);
  for (const struct math *part = node->body; part != NULL; part = part->next)
    if (!is_prime(part)) return false;
  return node->body != NULL;
}

bool math_is_delimiter(uint32_t code) {
  static const uint32_t delimiters[] = {
      '(',    ')',    '[',    ']',    '{',    '}',    '/',
      '\\',   '|',    0x2016, 0x2191, 0x2193, 0x2195, 0x2223,
      0x2225, 0x2308, 0x2309, 0x230A, 0x230B, 0x27E8, 0x27E9};
  for (size_t i = 0; i < sizeof delimiters / sizeof *delimiters; i++)
    if (delimiters[i] == code) return true;
  return false;
}

uint32_t math_negated(uint32_t code) {
  static const uint32_t pairs[][2] = {
      {'=', 0x2260},    {'<', 0x226E},    {'>', 0x226F},    {0x2208, 0x2209},
      {0x220B, 0x220C}, {0x2203, 0x2204}, {0x2223, 0x2224}, {0x2225, 0x2226},
      {0x223C, 0x2241}, {0x2243, 0x2244}, {0x2245, 0x2247}, {0x2248, 0x2249},
      {0x2261, 0x2262}, {0x2264, 0x2270}, {0x2265, 0x2271}, {0x2282, 0x2284},
      {0x2283, 0x2285}, {0x2286, 0x2288}, {0x2287, 0x2289}, {0x2192, 0x219B},
      {0x2190, 0x219A}, {0x21D2, 0x21CF}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (pairs[i][0] == code) return pairs[i][1];
  return 0;
}

int math_spacing(enum math_class left, enum math_class right, bool script) {
  /* 1 thin, 2 medium, 3 thick; negative: not in script styles. The pairs that
   * TeX never meets (a binary operator beside a relation) have 0. */
  static const signed char table[8][8] = {
      /*            ord op  bin rel opn cls pun inn */
      /* ord   */ {0, 1, -2, -3, 0, 0, 0, -1},
      /* op    */ {1, 1, 0, -3, 0, 0, 0, -1},
      /* bin   */ {-2, -2, 0, 0, -2, 0, 0, -2},
      /* rel   */ {-3, -3, 0, 0, -3, 0, 0, -3},
      /* open  */ {0, 0, 0, 0, 0, 0, 0, 0},
      /* close */ {0, 1, -2, -3, 0, 0, 0, -1},
      /* punct */ {-1, -1, 0, -1, -1, -1, -1, -1},
      /* inner */ {-1, 1, -2, -3, -1, 0, -1, -1},
  };
  static const int mu[] = {0, 3, 4, 5};
  int entry = table[left][right];
  if (entry < 0) return script ? 0 : mu[-entry];
  return mu[entry];
}

/* ---- mathematical alphanumeric symbols (Unicode 15, block 1D400) --------- */

struct alphabet {
  uint32_t capital, small, digit, capital_greek, small_greek; /* 0: none */
};

static const struct alphabet alphabets[] = {
    [MATH_UPRIGHT] = {0, 0, 0, 0, 0},
    [MATH_ITALIC] = {0x1D434, 0x1D44E, 0, 0x1D6E2, 0x1D6FC},
    [MATH_BOLD] = {0x1D400, 0x1D41A, 0x1D7CE, 0x1D6A8, 0x1D6C2},
    [MATH_BOLD_ITALIC] = {0x1D468, 0x1D482, 0, 0x1D71C, 0x1D736},
    [MATH_BLACKBOARD] = {0x1D538, 0x1D552, 0x1D7D8, 0, 0},
    [MATH_CALLIGRAPHIC] = {0x1D49C, 0x1D4B6, 0, 0, 0},
    [MATH_FRAKTUR] = {0x1D504, 0x1D51E, 0, 0, 0},
    [MATH_SANS] = {0x1D5A0, 0x1D5BA, 0x1D7E2, 0, 0},
    [MATH_MONO] = {0x1D670, 0x1D68A, 0x1D7F6, 0, 0},
};

/* Letters that stood elsewhere in Unicode before the block was made. */
static uint32_t older_code(uint32_t styled) {
  static const uint32_t pairs[][2] = {
      {0x1D455, 0x210E}, {0x1D49D, 0x212C}, {0x1D4A0, 0x2130},
      {0x1D4A1, 0x2131}, {0x1D4A3, 0x210B}, {0x1D4A4, 0x2110},
      {0x1D4A7, 0x2112}, {0x1D4A8, 0x2133}, {0x1D4AD, 0x211B},
      {0x1D4BA, 0x212F}, {0x1D4BC, 0x210A}, {0x1D4C4, 0x2134},
      {0x1D506, 0x212D}, {0x1D50B, 0x210C}, {0x1D50C, 0x2111},
      {0x1D515, 0x211C}, {0x1D51D, 0x2128}, {0x1D53A, 0x2102},
      {0x1D53F, 0x210D}, {0x1D545, 0x2115}, {0x1D547, 0x2119},
      {0x1D548, 0x211A}, {0x1D549, 0x211D}, {0x1D551, 0x2124}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (pairs[i][0] == styled) return pairs[i][1];
  return styled;
}

/* Position in the alphabet: alpha to omega, partial, then the variants. */
static uint32_t greek_variant(uint32_t code) {
  static const uint32_t variants[] = {0x2202, 0x3F5, 0x3D1, 0x3F0,
                                      0x3D5,  0x3F1, 0x3D6};
  for (uint32_t i = 0; i < 7; i++)
    if (variants[i] == code) return 25 + i;
  return code - 0x3B1;
}

uint32_t math_styled_code(uint32_t code, enum math_font font) {
  const struct alphabet *to = &alphabets[font];
  if (code >= 'A' && code <= 'Z' && to->capital != 0)
    return older_code(to->capital + code - 'A');
  if (code >= 'a' && code <= 'z' && to->small != 0)
    return older_code(to->small + code - 'a');
  if (math_is_digit(code) && to->digit != 0) return to->digit + code - '0';
  if (math_is_capital_greek(code) && to->capital_greek != 0)
    return to->capital_greek + code - 0x391;
  if (math_is_small_greek(code) && to->small_greek != 0)
    return to->small_greek + greek_variant(code);
  if (font == MATH_ITALIC && code == 0x131) return 0x1D6A4;
  if (font == MATH_ITALIC && code == 0x237) return 0x1D6A5;
  return code;
}
