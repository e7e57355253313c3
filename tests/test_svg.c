/* SVG figures become drawing calls; what cannot be drawn is an error with its
 * place. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "report/svg.h"

static struct font_set *fonts;

#define HEAD "<svg width='100' height='50' viewBox='0 0 100 50'>\n"

/* The drawing calls of the body, which is drawn at scale 1. */
static void draw(const char *body, struct buffer *out) {
  struct buffer svg = {0};
  struct arena arena = {0};
  struct error err = {{0}};
  struct box *box;
  buffer_printf(&svg, HEAD "%s</svg>", body);
  struct svg_options options = {fonts, &arena, 100, 0, 0};
  if (svg_import("f.svg", svg.bytes, svg.length, &options, &box, &err) != 0)
    fail_msg("%s", err.text);
  struct device *device = device_trace_new();
  struct document_info info = {0};
  device->begin_document(device, &info);
  device->begin_page(device, 100, 50);
  box_draw(box, device, 0, 0);
  device->end_page(device);
  device->end_document(device);
  struct buffer trace = {0};
  assert_int_equal(device_finish(device, &trace, &err), 0);
  const char *first = strstr(trace.bytes, "page 100.00 50.00\n");
  assert_non_null(first);
  first += strlen("page 100.00 50.00\n");
  buffer_add(out, first, (size_t)(strstr(first, "end page\n") - first));
  buffer_free(&trace);
  buffer_free(&svg);
  device_free(device);
  arena_free(&arena);
}

static void expect(const char *body, const char *calls) {
  struct buffer out = {0};
  buffer_text(&out, "");
  draw(body, &out);
  assert_string_equal(out.bytes, calls);
  buffer_free(&out);
}

static void refuses(const char *body, const char *message) {
  struct buffer svg = {0};
  struct arena arena = {0};
  struct error err = {{0}};
  struct box *box;
  buffer_printf(&svg, HEAD "%s</svg>", body);
  struct svg_options options = {fonts, &arena, 100, 0, 0};
  assert_int_equal(
      svg_import("f.svg", svg.bytes, svg.length, &options, &box, &err), -1);
  assert_string_equal(err.text, message);
  buffer_free(&svg);
  arena_free(&arena);
}

static void test_shapes(void **state) {
  (void)state;
  expect("<path fill='none' stroke='rgb(  0, 158, 115)' stroke-width='2' "
         "stroke-dasharray='1.2,2.0' d='M10,10 L20,20 h5 v-5 Z'/>",
         "path stroke 2.00 #009e73 dash 1.20 2.00 M 10.00 40.00 L 20.00 30.00 "
         "L 25.00 30.00 L 25.00 35.00 Z\n");
  expect("<g transform='translate(50,25) scale(10)' color='#ff0000' "
         "fill='currentColor' fill-opacity='0.4'>"
         "<polygon points='-1,0 1,0 0,1'/></g>",
         "path fill #ff0000/102 M 40.00 25.00 L 60.00 25.00 L 50.00 15.00 Z\n");
  expect("<defs><circle id='dot' r='1'/></defs>"
         "<use xlink:href='#dot' transform='translate(10,10) scale(2)' "
         "color='white' fill='currentColor'/>",
         "path fill #ffffff M 12.00 40.00 C 12.00 38.90 11.10 38.00 10.00 "
         "38.00 C 8.90 38.00 8.00 38.90 8.00 40.00 C 8.00 41.10 8.90 42.00 "
         "10.00 42.00 C 11.10 42.00 12.00 41.10 12.00 40.00 Z\n");
  /* Nothing to paint, nothing to see. */
  expect("<rect width='100' height='50' fill='none'/><title>t</title>"
         "<rect width='9' height='9' style='display: none'/>",
         "");
}

static void test_text(void **state) {
  (void)state;
  expect("<g transform='translate(50,40)' font-size='10' "
         "text-anchor='middle'><text><tspan> 10</tspan><tspan font-size='8' "
         "dy='-5.5px'>2</tspan><tspan dy='5.5'></tspan></text></g>",
         "glyphs 43.00 10.00 roman 10.00 10.00 \"10\"\n"
         "glyphs 53.00 15.50 roman 8.00 4.00 \"2\"\n");
  expect("<g transform='translate(20,40) rotate(270)' font-size='10' "
         "font-weight='bold'><text>up</text></g>",
         "matrix 0.00 1.00 -1.00 0.00 20.00 10.00\n"
         "glyphs 0.00 0.00 bold 10.00 12.22 \"up\"\n"
         "pop\n");
  expect("<text x='90' y='20' text-anchor='end' font-size='10' "
         "font-style='italic' fill='gray'>a b </text>",
         "glyphs 78.43 30.00 italic 10.00 14.07 \"a b \" #808080\n");
}

static void test_refusals(void **state) {
  (void)state;
  refuses("<ellipse rx='3'/>", "f.svg:2:1: unsupported element <ellipse>");
  refuses("<g>\n <rect fill='url(#p)' width='1' height='1'/></g>",
          "f.svg:3:2: unsupported colour \"url(#p)\"");
  refuses("<g clip-path='url(#c)'/>",
          "f.svg:2:1: clip paths, masks and filters are not supported");
  refuses("<path d='M1,1 Q2,2 3,3'/>",
          "f.svg:2:1: unsupported path command 'Q'");
  refuses("<path d='M1'/>", "f.svg:2:1: number missing in path data");
  refuses("<path d='L1,1'/>", "f.svg:2:1: malformed path data");
  refuses("<path d='M1,nan'/>", "f.svg:2:1: number missing in path data");
  refuses("<path d='M1,1e300'/>", "f.svg:2:1: number missing in path data");
  refuses("<polygon points='1,2 3'/>", "f.svg:2:1: malformed list of points");
  refuses("<g transform='skewX(3)'/>",
          "f.svg:2:1: unsupported transformation \"skewX(3)\"");
  refuses("<use xlink:href='#none'/>",
          "f.svg:2:1: nothing has the id \"none\"");
  refuses("<g id='a'><use xlink:href='#a'/></g>",
          "f.svg:2:11: use nested too deeply");
  refuses("<g stroke-dasharray='1,x'/>", "f.svg:2:1: malformed dashes \"1,x\"");
  refuses("<g", "f.svg:2:3: not well-formed XML: not well-formed (invalid "
                "token)");
  refuses("<text>\xe4\xb8\xad</text>",
          "f.svg:2:7: no font has the character U+4E2D (\xe4\xb8\xad)");
}

static void test_hostile_files(void **state) {
  (void)state;
  struct arena arena = {0};
  struct error err = {{0}};
  struct box *box;
  struct svg_options options = {fonts, &arena, 100, 0, 0};
  const char *bomb = "<!DOCTYPE svg [<!ENTITY a 'aaaa'>]><svg>&a;</svg>";
  assert_int_equal(
      svg_import("f.svg", bomb, strlen(bomb), &options, &box, &err), -1);
  assert_string_equal(err.text,
                      "f.svg:1:15: a document type is not allowed in a figure");
  struct buffer deep = {0};
  buffer_text(&deep, HEAD);
  for (int i = 0; i < 100000; i++)
    buffer_text(&deep, "<g>");
  assert_int_equal(
      svg_import("f.svg", deep.bytes, deep.length, &options, &box, &err), -1);
  assert_string_equal(err.text, "f.svg:2:190: elements nested too deeply");
  buffer_free(&deep);
  assert_int_equal(svg_import("f.svg", "", 0, &options, &box, &err), -1);
  assert_string_equal(err.text,
                      "f.svg:1:1: not well-formed XML: no element found");
  arena_free(&arena);
}

int main(void) {
  struct error err;
  if (font_set_load(NULL, &fonts, &err) != 0) {
    print_message("skipped: %s\n", err.text);
    return 0;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_hostile_files),
  };
  int status = cmocka_run_group_tests(tests, NULL, NULL);
  font_set_free(fonts);
  return status;
}
