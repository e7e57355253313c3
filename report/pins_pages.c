#include "report/pins_pages.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/base/file.h"
#include "report/code_blocks.h"

enum { MAXIMUM_DEPTH = 16 };

struct scan {
  const char **keys; /* what drifted, sorted */
  size_t count;
  struct pages *out;
  struct error *err;
};

/* ---- keys ---------------------------------------------------------------- */

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Is `name` a drifted key, or one up to one of its dots? All keys that begin
 * with `name.` follow each other. */
static bool leads_to_drift(const struct scan *scan, const char *name) {
  size_t low = 0, high = scan->count, length = strlen(name);
  bool is_key = bsearch(&name, scan->keys, scan->count, sizeof *scan->keys,
                        compare_texts) != NULL;
  if (is_key) return true;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *key = scan->keys[middle];
    int order = strncmp(key, name, length);
    if (order < 0 || (order == 0 && (unsigned char)key[length] < '.'))
      low = middle + 1;
    else
      high = middle;
  }
  return low < scan->count && strncmp(scan->keys[low], name, length) == 0 &&
         scan->keys[low][length] == '.';
}

/* ---- one template -------------------------------------------------------- */

static bool is_key_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

/* A lone word counts where a tag opens a section with it, `{{#jacobian` or
 * `<%#jacobian`; a heading `# jacobian`, its name `{#jacobian}` and a link
 * `](#jacobian)` open none. */
static bool opens_section(const char *text, const char *word) {
  while (word > text && word[-1] == ' ')
    word--;
  if (word - text < 3 || (word[-1] != '#' && word[-1] != '^')) return false;
  if (strchr(" \t\n#", word[-2]) != NULL) return false;
  return word[-2] == word[-3] || word[-3] == '<';
}

static struct place place_of(const char *path, const char *text,
                             const char *at) {
  struct place place = {path, 1, 1};
  const char *line = text;
  for (const char *c = text; c < at; c++)
    if (*c == '\n') {
      place.line++;
      line = c + 1;
    }
  place.column = (int)(at - line) + 1;
  return place;
}

static void find_use(const struct scan *scan, const char *text, size_t length,
                     struct page *page) {
  struct buffer name = {0};
  const char *end = text + length;
  for (const char *c = text; c < end && page->key == NULL; c++) {
    if (!is_key_byte(*c)) continue;
    const char *word = c;
    while (c < end && is_key_byte(*c))
      c++;
    const char *last = c;
    while (last > word && last[-1] == '.')
      last--;
    buffer_clear(&name);
    buffer_add(&name, word, (size_t)(last - word));
    if (strchr(name.bytes, '.') == NULL && !opens_section(text, word)) continue;
    if (!leads_to_drift(scan, name.bytes)) continue;
    page->key = arena_copy(&scan->out->arena, name.bytes, name.length);
    page->place = place_of(page->path, text, word);
  }
  buffer_free(&name);
}

/* What its blocks to run print has keys of the page's own (code_results.h). */
static void find_block(const struct scan *scan, const char *text, size_t length,
                       struct page *page) {
  struct code_blocks blocks;
  struct error ignored; /* a page that is no document has none */
  if (code_blocks_parse(page->path, text, length, &blocks, &ignored) != 0)
    return;
  for (size_t i = 0; i < blocks.count && page->key == NULL; i++) {
    const char *key = arena_printf(&scan->out->arena, "blocks.%s.%s",
                                   blocks.article, blocks.items[i].name);
    if (!leads_to_drift(scan, key)) continue;
    page->key = key;
    page->place = blocks.items[i].place;
    page->place.file = page->path;
  }
  code_blocks_free(&blocks);
}

static struct page *add_page(struct pages *pages, const char *path) {
  pages->items =
      memory_resize(pages->items, pages->count + 1, sizeof *pages->items);
  struct page *page = &pages->items[pages->count++];
  *page = (struct page){0};
  page->path = arena_copy(&pages->arena, path, strlen(path));
  return page;
}

static int scan_file(const struct scan *scan, const char *path) {
  struct buffer text = {0};
  int result = file_read(path, &text, scan->err);
  if (result == 0) {
    struct page *page = add_page(scan->out, path);
    find_use(scan, text.bytes, text.length, page);
    if (page->key == NULL && text.length > 0)
      find_block(scan, text.bytes, text.length, page);
    scan->out->using += page->key != NULL;
  }
  buffer_free(&text);
  return result;
}

/* ---- all of them --------------------------------------------------------- */

static int scan_directory(const struct scan *scan, const char *path, int depth);

static int scan_entry(const struct scan *scan, const char *path, int depth) {
  struct stat status;
  if (lstat(path, &status) != 0)
    return error_errno(scan->err, path, "cannot inspect");
  if (S_ISDIR(status.st_mode)) return scan_directory(scan, path, depth + 1);
  return S_ISREG(status.st_mode) ? scan_file(scan, path) : 0;
}

static int visible(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static int scan_directory(const struct scan *scan, const char *path,
                          int depth) {
  if (depth > MAXIMUM_DEPTH)
    return error_set(scan->err, "%s: directories nest deeper than %d", path,
                     MAXIMUM_DEPTH);
  struct dirent **names;
  int n = scandir(path, &names, visible, by_bytes);
  if (n < 0) return error_errno(scan->err, path, "cannot open");
  int result = 0;
  struct buffer full = {0};
  for (int i = 0; i < n; i++) {
    buffer_clear(&full);
    buffer_printf(&full, "%s/%s", path, names[i]->d_name);
    if (result == 0) result = scan_entry(scan, full.bytes, depth);
    free(names[i]);
  }
  free(names);
  buffer_free(&full);
  return result;
}

int pins_pages_scan(const char *directory, const struct check *check,
                    struct pages *out, struct error *err) {
  struct stat status;
  if (stat(directory, &status) != 0) {
    return errno == ENOENT ? 0 : error_errno(err, directory, "cannot inspect");
  }
  struct scan scan = {.out = out, .err = err};
  scan.keys = memory_alloc(check->drifted + 1, sizeof *scan.keys);
  for (size_t i = 0; i < check->drifted; i++)
    scan.keys[scan.count++] = check->findings[i].key;
  qsort(scan.keys, scan.count, sizeof *scan.keys, compare_texts);
  int result = scan_directory(&scan, directory, 0);
  free(scan.keys);
  return result;
}

void pins_pages_add(struct pages *pages, const char *name) {
  add_page(pages, name);
}

void pins_pages_free(struct pages *pages) {
  free(pages->items);
  arena_free(&pages->arena);
  *pages = (struct pages){0};
}
