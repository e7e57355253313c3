/* What all programs stand on: UTF-8, hashes, buffers, arenas, errors. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "report/base/buffer.h"
#include "report/base/error.h"
#include "report/base/hash.h"
#include "report/base/memory.h"
#include "report/base/utf8.h"

/* Every scalar value comes back; no other code is accepted. */
static void test_utf8_round_trip(void **state) {
  (void)state;
  struct buffer text = {0};
  for (uint32_t code = 0; code <= 0x110000; code++) {
    uint32_t back = ~code;
    buffer_clear(&text);
    utf8_append(&text, code);
    const char *end = text.bytes + text.length;
    size_t length = utf8_decode(text.bytes, end, &back);
    bool scalar = code < 0xD800 || (code > 0xDFFF && code <= 0x10FFFF);
    if (scalar ? length != text.length || back != code : length != 0)
      fail_msg("U+%04X: %zu bytes, U+%04X", (unsigned)code, length,
               (unsigned)back);
    if (utf8_decode(text.bytes, end - 1, &back) != 0)
      fail_msg("U+%04X: cut, and accepted", (unsigned)code);
  }
  buffer_free(&text);
}

static void test_malformed_utf8(void **state) {
  (void)state;
  static const char *const cases[] = {"\x80",
                                      "\xBF",
                                      "\xC0\x80",
                                      "\xC1\xBF",
                                      "\xC3(",
                                      "\xE0\x80\x80",
                                      "\xE0\x9F\xBF",
                                      "\xE2\x82(",
                                      "\xED\xA0\x80",
                                      "\xF0\x8F\xBF\xBF",
                                      "\xF4\x90\x80\x80",
                                      "\xF5\x80\x80",
                                      "\xFE",
                                      "\xFF"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[16] = "a\xC3\xA9";
    strcat(text, cases[i]);
    if (utf8_valid_prefix(text, strlen(text)) != 3) fail_msg("case %zu", i);
  }
  assert_int_equal(utf8_valid_prefix("a\0b", 3), 3);
  assert_int_equal(utf8_valid_prefix("", 0), 0);
}

/* The examples of FIPS 180-4, and nothing at all. */
static void test_hash(void **state) {
  (void)state;
  static const char two_blocks[] =
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  char text[HASH_TEXT];
  hash_bytes("", 0, text);
  assert_string_equal(
      text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  hash_bytes("abc", 3, text);
  assert_string_equal(
      text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  hash_bytes(two_blocks, strlen(two_blocks), text);
  assert_string_equal(
      text, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  struct error err;
  assert_int_equal(hash_file("no/such", text, &err), -1);
  assert_string_equal(err.text,
                      "no/such: cannot open: No such file or directory");
}

static void test_buffer(void **state) {
  (void)state;
  struct buffer b = {0};
  buffer_add(&b, NULL, 0);
  assert_string_equal(b.bytes, "");
  for (int i = 0; i < 1000; i++) {
    buffer_printf(&b, "%d,", i % 10);
    assert_int_equal(strlen(b.bytes), b.length);
  }
  assert_int_equal(b.length, 2000);
  buffer_clear(&b);
  assert_string_equal(b.bytes, "");
  buffer_add(&b, "a\0b", 3);
  assert_memory_equal(b.bytes, "a\0b", 4);
  buffer_free(&b);
  assert_null(b.bytes);
  buffer_clear(&b);
}

/* Pieces are zeroed, aligned, apart from each other, and stay where they are,
 * whether they fit into a block or not. */
static void test_arena(void **state) {
  (void)state;
  enum { PIECES = 500 };
  struct arena arena = {0};
  unsigned char *pieces[PIECES];
  for (size_t i = 0; i < PIECES; i++) {
    size_t size = i % 50 == 0 ? 100000 : i;
    pieces[i] = arena_alloc(&arena, size);
    assert_int_equal((uintptr_t)pieces[i] % 16, 0);
    for (size_t k = 0; k < size; k++)
      assert_int_equal(pieces[i][k], 0);
    memset(pieces[i], (int)(i % 255) + 1, size);
  }
  for (size_t i = 0; i < PIECES; i++)
    for (size_t k = 0; k < (i % 50 == 0 ? 100000 : i); k++)
      if (pieces[i][k] != i % 255 + 1) fail_msg("piece %zu, byte %zu", i, k);
  assert_string_equal(arena_printf(&arena, "%s-%d", "a", 7), "a-7");
  assert_memory_equal(arena_copy(&arena, "a\0b", 3), "a\0b", 4);
  arena_free(&arena);
  assert_null(arena.blocks);
}

/* One line, whatever it tells of. */
static void test_errors(void **state) {
  (void)state;
  struct error err;
  char name[2000];
  assert_int_equal(error_set(&err, "%s", "a\nb\x1b[31m\x7f"), -1);
  assert_string_equal(err.text, "a?b?[31m?");
  assert_int_equal(error_set(&err, "%s",
                             "\xc2\x85 \xc2\x9b"
                             "2J \u2028\u2029"),
                   -1);
  assert_string_equal(err.text, "?? ??2J ??????");
  assert_int_equal(
      error_set(&err, "%s", "\u00a0\u00e9\u2027\u202a\xc2\x9f\xe2\x80"), -1);
  assert_string_equal(err.text, "\u00a0\u00e9\u2027\u202a??\xe2\x80");
  assert_int_equal(error_at(&err, (struct place){"f\n", 3, 7}, "x"), -1);
  assert_string_equal(err.text, "f?:3:7: x");
  assert_int_equal(error_at(&err, (struct place){"f", 0, 0}, "x"), -1);
  assert_string_equal(err.text, "f: x");
  errno = ENOENT;
  assert_int_equal(error_errno(&err, "f", "cannot open"), -1);
  assert_string_equal(err.text, "f: cannot open: No such file or directory");
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = 0;
  assert_int_equal(error_at(&err, (struct place){name, 1, 1}, "x"), -1);
  assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static void shows(const char *text, const char *shown, const char *valid) {
  struct buffer out = {0};
  buffer_text(&out, "");
  utf8_append_shown(&out, text);
  assert_string_equal(out.bytes, shown);
  buffer_clear(&out);
  buffer_text(&out, "");
  utf8_append_valid(&out, text);
  assert_string_equal(out.bytes, valid);
  buffer_free(&out);
}

/* What a terminal would obey, and what is no text, becomes visible. */
static void test_shown_utf8(void **state) {
  (void)state;
  shows("", "", "");
  shows("ln_f \xC3\xA9 \xE2\x88\x91 \\", "ln_f \xC3\xA9 \xE2\x88\x91 \\",
        "ln_f \xC3\xA9 \xE2\x88\x91 \\");
  shows("\x1B[31m\n\x7F", "\\x1b[31m\\x0a\\x7f", "\x1B[31m\n\x7F");
  shows("\xC2\x9B"
        "2J",
        "\\x9b2J",
        "\xC2\x9B"
        "2J");
  shows("\xE2\x80\xAE"
        "a",
        "\\u202ea",
        "\xE2\x80\xAE"
        "a");
  shows("\u00a0\u00ad\u2027\u2060\u206f\u2070\ufeff",
        "\u00a0\\xad\u2027\\u2060\\u206f\u2070\\ufeff",
        "\u00a0\u00ad\u2027\u2060\u206f\u2070\ufeff");
  shows("\xFF"
        "a\xE2\x80",
        "\\xffa\\xe2\\x80", "\\xffa\\xe2\\x80");
  assert_int_equal(utf8_count("a\xC3\xA9\xE2\x88\x91"), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_utf8_round_trip),
      cmocka_unit_test(test_malformed_utf8),
      cmocka_unit_test(test_shown_utf8),
      cmocka_unit_test(test_hash),
      cmocka_unit_test(test_buffer),
      cmocka_unit_test(test_arena),
      cmocka_unit_test(test_errors),
  };
  return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
