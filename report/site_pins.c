/* The pins as pages: every value that is checked, with its bound and why. */
#include "report/base/buffer.h"
#include "report/made_page.h"
#include "report/pins.h"
#include "report/pins_check.h"
#include "report/site.h"

static const char page_name[] = "pins"; /* in messages */

static int put_head(const char *title, const char *description,
                    struct buffer *out, struct error *err) {
  buffer_text(out, "---\ntitle: ");
  if (made_page_field(page_name, title, out, err) != 0) return -1;
  buffer_printf(out, "\ndescription: %s\n---\n\n", description);
  return 0;
}

static int put_pin(const struct pin *pin, struct buffer *out,
                   struct error *err) {
  struct buffer bound = {0};
  check_allowance_text(&pin->allowance, &bound);
  const char *cells[] = {pin->key, json_scalar_text(pin->value), pin->unit,
                         bound.bytes, pin->reason};
  int status = 0;
  for (size_t i = 0; i < sizeof cells / sizeof *cells && status == 0; i++) {
    buffer_text(out, "| ");
    if (cells[i] != NULL)
      status = made_page_text(page_name, cells[i], out, err);
    buffer_char(out, ' ');
  }
  buffer_text(out, "|\n");
  buffer_free(&bound);
  return status;
}

/* The page of one file: a row for each pin. */
static int write_file(const struct pin_file *file, const char *out,
                      struct error *err) {
  struct buffer text = {0}, path = {0};
  struct source_map map = {0};
  int status = put_head(file->name,
                        "Every value of the study, its bound and "
                        "the reason for the bound.",
                        &text, err);
  buffer_text(&text, "| key | value | unit | may move | why |\n"
                     "|:---|---:|:---|:---|:---|\n");
  for (const struct pin *pin = file->pins; pin != NULL && status == 0;
       pin = pin->next)
    status = put_pin(pin, &text, err);
  buffer_printf(&path, "%s/pins/%s.html", out, file->name);
  if (status == 0)
    status = made_page_write(file->path, path.bytes, &text, &map,
                             "body { max-width: 72rem; }\n", err);
  buffer_free(&path);
  buffer_free(&text);
  return status;
}

static int put_studies(const struct pin_set *set, struct buffer *out,
                       struct error *err) {
  int status = 0;
  buffer_text(out, "\n# Studies\n\n| study | values |\n|:---|---:|\n");
  for (size_t i = 0; i < set->count && status == 0; i++) {
    buffer_text(out, "| [");
    status = made_page_text(page_name, set->files[i].name, out, err);
    buffer_printf(out, "](<pins/%s.html>) | %zu |\n", set->files[i].name,
                  set->files[i].count);
  }
  return status;
}

static void put_kinds(const struct pin_set *set, struct buffer *out) {
  size_t counts[PIN_KINDS] = {0};
  for (size_t i = 0; i < set->count; i++)
    for (const struct pin *pin = set->files[i].pins; pin; pin = pin->next)
      counts[pin->allowance.kind]++;
  buffer_text(out, "\n# How far they may move\n\n| kind | values |\n"
                   "|:---|---:|\n");
  for (size_t k = 0; k < PIN_KINDS; k++)
    if (counts[k] > 0)
      buffer_printf(out, "| %s | %zu |\n", pins_kind_name(k), counts[k]);
}

/* Where the pins were taken, not where this page is made: it is the same on
 * every machine. */
static int put_environment(const struct json *environment, struct buffer *out,
                           struct error *err) {
  int status = 0;
  buffer_text(out,
              "\n# Where they were taken\n\n| part | was |\n|:---|:---|\n");
  for (const struct json *e = environment->child; e && !status; e = e->next) {
    buffer_text(out, "| ");
    status = made_page_text(page_name, e->key, out, err);
    buffer_text(out, " | ");
    if (status == 0) status = made_page_text(page_name, e->text, out, err);
    buffer_text(out, " |\n");
  }
  return status;
}

/* The check's report, as far as it is the same everywhere. */
static int write_report(const struct pin_set *set, const char *pins,
                        const char *out, struct error *err) {
  struct buffer text = {0}, path = {0};
  struct source_map map = {0};
  struct json_document values;
  if (pins_values(pins, &values, err) != 0) return -1;
  int status = put_head("The check",
                        "What was compared before anything was "
                        "printed.",
                        &text, err);
  buffer_printf(&text,
                "All %lld values hold: each was within the bound of its pin "
                "when these pages were made, or nothing would have been "
                "printed. Where a study's input was not at hand, its kept "
                "results were compared, which count only for the very weights "
                "they were measured on.\n",
                json_at(values.root, "pins.count")->integer);
  if (status == 0) status = put_studies(set, &text, err);
  put_kinds(set, &text);
  const struct json *environment = json_member(values.root, "environment");
  if (status == 0 && environment != NULL && environment->count > 0)
    status = put_environment(environment, &text, err);
  buffer_printf(&path, "%s/pins.html", out);
  if (status == 0)
    status = made_page_write(page_name, path.bytes, &text, &map, "", err);
  json_free(&values);
  buffer_free(&path);
  buffer_free(&text);
  return status;
}

int site_write_pins(const char *pins, const char *out, struct error *err) {
  struct pin_set set;
  if (pins_read_directory(pins, &set, err) != 0) return -1;
  int status = write_report(&set, pins, out, err);
  for (size_t i = 0; i < set.count && status == 0; i++)
    status = write_file(&set.files[i], out, err);
  pins_free_set(&set);
  return status;
}
