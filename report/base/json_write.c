/* JSON writing: numbers that read back to the same bits, in a layout that
 * version control shows well. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/base/json.h"

void json_double_text(double value, char out[JSON_DOUBLE_TEXT]) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(out, JSON_DOUBLE_TEXT, "%.*g", digits, value);
    if (strtod(out, NULL) == value) return;
  }
}

cJSON *json_new_double(double value) {
  if (!isfinite(value)) return NULL;
  char text[JSON_DOUBLE_TEXT];
  json_double_text(value, text);
  return cJSON_CreateRaw(text);
}

cJSON *json_new_integer(long long value) {
  char text[JSON_DOUBLE_TEXT];
  snprintf(text, sizeof text, "%lld", value);
  return cJSON_CreateRaw(text);
}

void json_print_string(const char *text, struct buffer *out) {
  buffer_char(out, '"');
  for (const unsigned char *c = (const unsigned char *)text; *c != 0; c++) {
    if (*c == '"' || *c == '\\')
      buffer_printf(out, "\\%c", *c);
    else if (*c == '\n')
      buffer_text(out, "\\n");
    else if (*c < 0x20 || *c == 0x7F)
      buffer_printf(out, "\\u%04x", *c);
    else if (*c == 0xC2 && (c[1] & 0xE0) == 0x80) /* U+0080 to U+009F */
      buffer_printf(out, "\\u%04x", *++c);
    else
      buffer_char(out, (char)*c);
  }
  buffer_char(out, '"');
}

static void new_line(struct buffer *out, int depth) {
  buffer_printf(out, "\n%*s", 2 * depth, "");
}

static bool all_scalar(const cJSON *array) {
  for (const cJSON *e = array->child; e != NULL; e = e->next)
    if (cJSON_IsObject(e) || cJSON_IsArray(e)) return false;
  return true;
}

static void print_value(const cJSON *item, struct buffer *out, int depth);

static void print_children(const cJSON *item, struct buffer *out, int depth) {
  bool object = cJSON_IsObject(item);
  bool one_line = !object && all_scalar(item);
  buffer_char(out, object ? '{' : '[');
  for (const cJSON *child = item->child; child != NULL; child = child->next) {
    if (!one_line) new_line(out, depth + 1);
    if (object) {
      json_print_string(child->string, out);
      buffer_text(out, ": ");
    }
    print_value(child, out, depth + 1);
    if (child->next != NULL) buffer_text(out, one_line ? ", " : ",");
  }
  if (!one_line && item->child != NULL) new_line(out, depth);
  buffer_char(out, object ? '}' : ']');
}

static void print_value(const cJSON *item, struct buffer *out, int depth) {
  if (cJSON_IsObject(item) || cJSON_IsArray(item))
    print_children(item, out, depth);
  else if (cJSON_IsString(item))
    json_print_string(item->valuestring, out);
  else if (cJSON_IsRaw(item))
    buffer_text(out, item->valuestring);
  else
    buffer_text(out, cJSON_IsTrue(item)    ? "true"
                     : cJSON_IsFalse(item) ? "false"
                                           : "null");
}

void json_print(const cJSON *tree, struct buffer *out) {
  print_value(tree, out, 0);
  buffer_char(out, '\n');
}
