#include "report/code_results.h"

#include <string.h>

#include "report/base/hash.h"

/* ---- writing ------------------------------------------------------------- */

static cJSON *lines_of(const struct buffer *output) {
  cJSON *lines = cJSON_CreateArray();
  struct buffer line = {0};
  for (size_t from = 0; from < output->length; from += line.length + 1) {
    const char *start = output->bytes + from;
    buffer_clear(&line);
    buffer_add(&line, start, strcspn(start, "\n"));
    cJSON_AddItemToArray(lines, cJSON_CreateString(line.bytes));
  }
  buffer_free(&line);
  return lines;
}

static int add_inputs(const struct code_blocks *blocks,
                      const char *const *inputs, size_t count, cJSON *root,
                      struct error *err) {
  cJSON *object = cJSON_AddObjectToObject(root, "inputs");
  struct buffer name = {0};
  char sha256[HASH_TEXT];
  for (size_t i = 0; i < blocks->count; i++) {
    buffer_clear(&name);
    buffer_printf(&name, "%s#%s", blocks->article, blocks->items[i].name);
    cJSON_AddStringToObject(object, name.bytes, blocks->items[i].sha256);
  }
  buffer_free(&name);
  for (size_t i = 0; i < count; i++) {
    if (hash_file(inputs[i], sha256, err) != 0) return -1;
    cJSON_AddStringToObject(object, inputs[i], sha256);
  }
  return 0;
}

int code_results_text(const struct code_blocks *blocks,
                      const struct buffer *outputs, const char *const *inputs,
                      size_t input_count, struct buffer *out,
                      struct error *err) {
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "study", "blocks");
  int status = add_inputs(blocks, inputs, input_count, root, err);
  cJSON *values = cJSON_AddObjectToObject(root, "values");
  cJSON *article = cJSON_AddObjectToObject(values, blocks->article);
  for (size_t i = 0; i < blocks->count; i++) {
    cJSON *block = cJSON_AddObjectToObject(article, blocks->items[i].name);
    cJSON_AddItemToObject(block, "lines", lines_of(&outputs[i]));
  }
  if (status == 0) json_print(root, out);
  cJSON_Delete(root);
  return status;
}

/* ---- showing ------------------------------------------------------------- */

struct show {
  struct document *document;
  const struct json *results, *pins;
  const char *article;
  struct code_block before; /* the run block before, with its name */
  size_t count;
  struct error *err;
};

/* That the block is the one that ran. */
static int check_hash(struct show *show, struct code_block *block) {
  struct arena *arena = &show->document->arena;
  const char *name = arena_printf(arena, "%s#%s", show->article, block->name);
  const struct json *ran =
      json_member(json_member(show->results, "inputs"), name);
  code_hash(show->count > 0 ? &show->before : NULL, block);
  if (ran == NULL || ran->type != JSON_STRING)
    return error_at(show->err, block->place,
                    "%s has no output of block `%s`: pinpress run makes it",
                    show->results->place.file, block->name);
  if (strcmp(ran->text, block->sha256) != 0)
    return error_at(show->err, block->place,
                    "block `%s` is not the one whose output is in %s: it, or a "
                    "block before it, was changed or holds a tag",
                    block->name, show->results->place.file);
  return 0;
}

static const struct json *lines_in(const struct json *values,
                                   const char *article, const char *block) {
  const struct json *blocks = json_member(values, article);
  return json_member(json_member(blocks, block), "lines");
}

static int find_lines(struct show *show, const struct code_block *block,
                      const struct json **out) {
  const struct json *measured = json_member(show->results, "values");
  const struct json *pinned = json_member(show->pins, "blocks");
  const struct json *ran = lines_in(measured, show->article, block->name);
  *out =
      show->pins != NULL ? lines_in(pinned, show->article, block->name) : ran;
  bool silent = ran != NULL && ran->type == JSON_ARRAY && ran->count == 0;
  if (*out == NULL && silent) return 0;
  if (*out == NULL || (*out)->type != JSON_ARRAY)
    return error_at(show->err, block->place,
                    "the output of block `%s` has no pins blocks.%s.%s.lines",
                    block->name, show->article, block->name);
  return 0;
}

/* Enter a line into the document's map as a value that was printed, behind all
 * offsets of its text; returns where. */
static size_t enter_line(struct show *show, const struct code_block *block,
                         int number, const char *text) {
  struct source_map *map = &show->document->map;
  const size_t behind = (size_t)1 << 62;
  size_t last = map->count > 0 ? map->segments[map->count - 1].offset : 0;
  size_t offset = last < behind ? behind : last + 1;
  const struct source_value value = {
      .key = arena_printf(&map->arena, "blocks.%s.%s.lines.%d", show->article,
                          block->name, number),
      .format = "",
      .text = text};
  source_map_add_value(map, offset, block->place, &value);
  return offset;
}

struct output {
  const char *text;
  struct origins origins;
};

static int join_lines(struct show *show, const struct code_block *block,
                      const struct json *lines, struct output *out) {
  struct buffer text = {0};
  struct origin_list origins = {0};
  int status = 0, number = 0;
  for (const struct json *l = lines ? lines->child : NULL; l; l = l->next) {
    if (l->type != JSON_STRING) {
      status = error_at(show->err, l->place, "a line of output is no string");
      break;
    }
    size_t offset = enter_line(show, block, number++, l->text);
    struct origin line = {
        .start = text.length, .offset = offset, .fixed = true};
    struct origin end = {.start = text.length + strlen(l->text),
                         .offset = ORIGIN_NONE};
    if (*l->text != 0) origin_list_add(&origins, line);
    origin_list_add(&origins, end);
    buffer_printf(&text, "%s\n", l->text);
  }
  buffer_text(&text, "");
  struct arena *arena = &show->document->arena;
  out->text = arena_copy(arena, text.bytes, text.length);
  out->origins = origin_list_keep(&origins, arena);
  origin_list_free(&origins);
  buffer_free(&text);
  return status;
}

static void put_output(struct show *show, struct block *block,
                       enum code_show what, const struct output *out) {
  if (what == CODE_BOTH && *out->text != 0) {
    struct block *output = arena_alloc(&show->document->arena, sizeof *output);
    *output = (struct block){.type = BLOCK_CODE,
                             .place = block->place,
                             .next = block->next,
                             .info = "output",
                             .text = out->text,
                             .text_origins = out->origins};
    block->next = output;
  }
  block->info = what == CODE_OUTPUT ? "output" : "c";
  if (what != CODE_OUTPUT) return;
  block->text = out->text;
  block->text_origins = out->origins;
}

static int show_block(struct show *show, struct block *block) {
  struct code_block code;
  const struct json *lines;
  struct output output;
  struct place at = block->place;
  if (*block->text != 0) at.line--; /* the fence, as in pinpress run */
  at.column = 1;
  if (show->results == NULL)
    return error_at(show->err, at,
                    "a block is marked to run, and no outputs "
                    "are given: --blocks FILE");
  if (code_info_parse(block->info, at, &show->document->arena, &code,
                      show->err) != 0)
    return -1;
  code.text = block->text;
  if (check_hash(show, &code) != 0 || find_lines(show, &code, &lines) != 0 ||
      join_lines(show, &code, lines, &output) != 0)
    return -1;
  if (code.show == CODE_OUTPUT && *output.text == 0)
    return error_at(show->err, at,
                    "block `%s` shows its output alone, and there is none",
                    code.name);
  put_output(show, block, code.show, &output);
  show->before = code;
  show->count++;
  return 0;
}

/* Depth is limited by the Markdown reader. */
static int show_blocks(struct show *show, struct block *blocks) {
  for (struct block *b = blocks; b != NULL; b = b->next) {
    if (b->type == BLOCK_CODE && code_is_run(b->info) &&
        show_block(show, b) != 0)
      return -1;
    if (b->child != NULL && show_blocks(show, b->child) != 0) return -1;
  }
  return 0;
}

int code_results_show(const char *path, struct document *document,
                      const struct json *results, const struct json *pins,
                      struct error *err) {
  struct show show = {.document = document,
                      .results = results,
                      .pins = pins,
                      .article = code_article(path, &document->arena),
                      .err = err};
  if (show_blocks(&show, document->blocks) != 0) return -1;
  for (size_t i = 0; i < document->note_count; i++)
    if (show_blocks(&show, document->notes[i]->blocks) != 0) return -1;
  const struct json *ran =
      json_member(json_member(results, "values"), show.article);
  if (results != NULL && (ran == NULL || ran->count != show.count))
    return error_set(err, "%s: holds the output of %zu blocks, %s shows %zu",
                     results->place.file, ran != NULL ? ran->count : 0, path,
                     show.count);
  return 0;
}
