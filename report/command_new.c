/* pinpress new: a document to start from. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "report/base/buffer.h"
#include "report/base/file.h"
#include "report/base/options.h"
#include "report/commands.h"

static const char problems[] =
    "---\n"
    "title: Sums of odd numbers\n"
    "description: Two problems on one pattern.\n"
    "author: Your name\n"
    "language: en\n"
    "course: Algebra 1\n"
    "name-line: yes\n"
    "points: yes\n"
    "---\n"
    "\n"
    "# Before you start\n"
    "\n"
    "The $k$th odd number is $2k-1$. What stands here, above the problems, is "
    "printed with the sheet.\n"
    "\n"
    "# Problems\n"
    "\n"
    "## Five of them (2 points) \u00b7 {#five}\n"
    "\n"
    "Compute $1+3+5+7+9$.\n"
    "\n"
    "### Answer\n"
    "\n"
    "$25$\n"
    "\n"
    "### Solution\n"
    "\n"
    "1. $1+3+5+7+9 = (1+9)+(3+7)+5$.\n"
    "\n"
    "   A sum does not depend on the order.\n"
    "\n"
    "2. $= 10+10+5 = 25$.\n"
    "\n"
    "   The outer pairs have the same sum.\n"
    "\n"
    "## All of them (4 points) \u00b7\u00b7 {#all}\n"
    "\n"
    "Find $\\sum_{k=1}^n (2k-1)$, and check it against [](#five).\n"
    "\n"
    "### Answer\n"
    "\n"
    "$n^2$\n"
    "\n"
    "### Solution\n"
    "\n"
    "1. $2k-1 = k^2-(k-1)^2$.\n"
    "\n"
    "   Multiply out the square on the right.\n"
    "\n"
    "2. $\\sum_{k=1}^n (2k-1) = n^2-0^2 = n^2$.\n"
    "\n"
    "   Each square but the last is added once and taken off once. For $n=5$ "
    "this is $25$, the answer to [](#five).\n"
    "\n"
    "# Where this goes wrong {#mistakes}\n"
    "\n"
    "## The last term taken for the number of terms\n"
    "\n"
    "A sum of $1$ to $9$ seems to have nine terms.\n"
    "\n"
    "1. The terms lie between $1$ and $9$, and their mean is $5$.\n"
    "\n"
    "   Correct: they lie evenly around it.\n"
    "\n"
    "2. \u2717 There are nine of them.\n"
    "\n"
    "   The tempting step. Every other number is missing.\n"
    "\n"
    "3. The sum is $9\\cdot5 = 45$.\n"
    "\n"
    "   Correct is $5\\cdot5 = 25$ ([](#five)).\n";

static const char article[] =
    "---\n"
    "title: A new article\n"
    "description: One sentence that says what it shows.\n"
    "author: Your name\n"
    "language: en\n"
    "delimiters: <% %>\n"
    "---\n"
    "\n"
    "# What it is about\n"
    "\n"
    "Text is Markdown with formulas, inline like $e^{i\\pi} = -1$ or on lines "
    "of their own:\n"
    "\n"
    "$$\\sum_{k=1}^n (2k-1) = n^2.$$\n"
    "\n"
    "A number that was measured and pinned is written as its key, with a "
    "format, between the delimiters that the head of this file names[^key]. It "
    "is then never typed.\n"
    "\n"
    "Table: The first sums. {#tab-sums}\n"
    "\n"
    "| $n$ | sum |\n"
    "|----:|----:|\n"
    "| 1 | 1 |\n"
    "| 2 | 4 |\n"
    "| 3 | 9 |\n"
    "\n"
    "[](#tab-sums) has no pinned numbers yet [@euclid].\n"
    "\n"
    "[@euclid]: Euclid. *Elements*, book IX.\n"
    "\n"
    "[^key]: As in `study.key|%.3f`. Other delimiters than two braces leave "
    "braces to TeX and C.\n";

static const struct skeleton {
  const char *kind, *text, *directory, *command;
} skeletons[] = {
    {"problems", problems, "templates/problems", "pinpress problems"},
    {"article", article, "templates/articles",
     "pinpress typeset --html page.html --pdf page.pdf"}};
enum { SKELETONS = sizeof skeletons / sizeof *skeletons };

static const struct skeleton *find_skeleton(const char *kind) {
  for (int i = 0; i < SKELETONS; i++)
    if (strcmp(skeletons[i].kind, kind) == 0) return &skeletons[i];
  return NULL;
}

/* Names become file names and words of commands. */
static bool is_name(const char *name) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  return *name != 0 && *name != '.' && *name != '-' &&
         strspn(name, allowed) == strlen(name);
}

/* In a project's tree among its templates, else here. */
static void choose_path(const struct skeleton *skeleton, const char *name,
                        struct buffer *path) {
  struct stat status;
  if (stat(skeleton->directory, &status) == 0 && S_ISDIR(status.st_mode))
    buffer_printf(path, "%s/", skeleton->directory);
  size_t length = strlen(name);
  bool has_ending = length > 3 && strcmp(name + length - 3, ".md") == 0;
  buffer_printf(path, "%s%s", name, has_ending ? "" : ".md");
}

static int write_skeleton(const struct skeleton *skeleton, const char *name,
                          struct error *err) {
  struct buffer path = {0};
  int status = -1;
  choose_path(skeleton, name, &path);
  if (file_exists(path.bytes)) {
    error_set(err, "%s: exists already and is left as it is", path.bytes);
    goto cleanup;
  }
  status = file_write(path.bytes, skeleton->text, strlen(skeleton->text), err);
  if (status != 0) goto cleanup;
  printf("%s is written; print it with: %s %s\n", path.bytes, skeleton->command,
         path.bytes);
cleanup:
  buffer_free(&path);
  return status;
}

int command_new(int argc, char **argv) {
  const struct option_entry entries[] = {{0}};
  const struct option_usage usage = {
      .synopsis = "problems|article NAME",
      .summary = "Write NAME.md, a problem set or an article to start from.",
      .details = "It goes to templates/problems or templates/articles where "
                 "there is such a\n"
                 "directory, else here. A file that exists is left as it is.",
      .entries = entries,
      .minimum = 2,
      .maximum = 2};
  struct error err;
  int status;
  if (!options_parse(&usage, &argc, &argv, &status)) return status;
  const struct skeleton *skeleton = find_skeleton(argv[0]);
  if (skeleton == NULL) {
    error_set(&err,
              "pinpress new: what is new is problems or an article, not '%s'",
              argv[0]);
    return options_fail(&err);
  }
  if (!is_name(argv[1])) {
    error_set(&err, "pinpress new: '%s' is no name: letters, digits, - _ .",
              argv[1]);
    return options_fail(&err);
  }
  if (write_skeleton(skeleton, argv[1], &err) != 0) return options_fail(&err);
  return options_finish(EXIT_HOLDS);
}
