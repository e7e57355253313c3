#include "analysis/json_fields.h"

#include <string.h>

const struct json *json_field(const struct json *object, const char *key,
                              enum json_type type, struct error *err) {
  if (object->type != JSON_OBJECT) {
    error_at(err, object->place, "an object with \"%s\" is needed", key);
    return NULL;
  }
  const struct json *value = json_member(object, key);
  if (value == NULL) {
    error_at(err, object->place, "\"%s\" is missing", key);
    return NULL;
  }
  if (value->type == type) return value;
  error_at(err, value->place, "\"%s\" is %s, %s is needed", key,
           json_type_name(value->type), json_type_name(type));
  return NULL;
}

int json_field_text(const struct json *object, const char *key, char *out,
                    size_t room, struct error *err) {
  const struct json *value = json_field(object, key, JSON_STRING, err);
  if (value == NULL) return -1;
  if (strlen(value->text) >= room)
    return error_at(err, value->place, "\"%s\" is longer than %zu bytes", key,
                    room - 1);
  strcpy(out, value->text);
  return 0;
}

int json_field_count(const struct json *object, const char *key, size_t *out,
                     struct error *err) {
  const struct json *value = json_field(object, key, JSON_NUMBER, err);
  if (value == NULL) return -1;
  if (!value->is_integer || value->integer < 0)
    return error_at(err, value->place, "\"%s\" is %s, a count is needed", key,
                    value->text);
  *out = (size_t)value->integer;
  return 0;
}

int json_field_number(const struct json *object, const char *key, double *out,
                      struct error *err) {
  const struct json *value = json_field(object, key, JSON_NUMBER, err);
  if (value == NULL) return -1;
  *out = value->number;
  return 0;
}
