/* Forward-mode automatic differentiation: a dual number carries a value and
 * its derivative along one direction, and every operation follows the chain
 * rule. It knows no closed form of any layer, which is why closed forms are
 * checked against it.
 *
 * Source: Griewank and Walther, "Evaluating Derivatives", 2nd ed., chapter 3.
 */
#ifndef DUAL_H
#define DUAL_H

struct dual {
  double value, tangent;
};

struct dual dual_constant(double value); /* tangent 0 */
struct dual dual_variable(double value); /* tangent 1 */

struct dual dual_add(struct dual a, struct dual b);
struct dual dual_sub(struct dual a, struct dual b);
struct dual dual_mul(struct dual a, struct dual b);
struct dual dual_div(struct dual a, struct dual b);
struct dual dual_sqrt(struct dual a); /* tangent inf or NaN at 0 */
struct dual dual_exp(struct dual a);
struct dual dual_log(struct dual a);

/* The mean of x (n), n >= 1. */
struct dual dual_mean(int n, const struct dual *x);

#endif
