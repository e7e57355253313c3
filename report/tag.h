/* What a part of a page is, for readers who cannot see it: the structure
 * types of tagged PDF (ISO 32000-1, 14.8.4), with their attributes.
 *
 * A tag is an element of the document, identified by its address: beginning
 * the same tag again (the next line, the next page) continues the element. The
 * first beginning makes it a child of the element that is then open. Tags must
 * outlive the device. */
#ifndef TAG_H
#define TAG_H

enum tag_role {
  TAG_ARTIFACT, /* no content: running feet, rules, backgrounds */
  TAG_DOCUMENT,
  TAG_SECTION,
  TAG_GROUP, /* several elements, without a meaning of its own */
  TAG_H1,
  TAG_H2,
  TAG_H3,
  TAG_H4,
  TAG_H5,
  TAG_H6,
  TAG_PARAGRAPH,
  TAG_LIST,
  TAG_ITEM,  /* child of a list */
  TAG_LABEL, /* bullet or number of an item or a note */
  TAG_ITEM_BODY,
  TAG_TABLE,
  TAG_ROW,
  TAG_HEADER_CELL,
  TAG_CELL,
  TAG_FIGURE,  /* needs `alt` */
  TAG_FORMULA, /* needs `alt` */
  TAG_CAPTION,
  TAG_CODE,
  TAG_BLOCK_QUOTE,
  TAG_NOTE,      /* footnote; gets an id of its own when `id` is NULL */
  TAG_REFERENCE, /* the mark that points to a note or an entry */
  TAG_BIBLIOGRAPHY_ENTRY,
  TAG_LINK, /* holds the links drawn while it is open */
  TAG_SPAN,
  TAG_CONTENTS,
  TAG_CONTENTS_ITEM,
  TAG_ROLES
};

enum tag_scope { TAG_SCOPE_NONE, TAG_SCOPE_ROW, TAG_SCOPE_COLUMN };

enum tag_list_numbering {
  TAG_NUMBERING_NONE,
  TAG_NUMBERING_DISC,
  TAG_NUMBERING_DECIMAL
};

/* Texts are UTF-8; NULL where there is none. */
struct tag {
  enum tag_role role;
  const char *alt;           /* spoken instead of the content */
  const char *actual_text;   /* copied and searched instead of the glyphs */
  const char *language;      /* where it differs from the document's */
  const char *id;            /* unique in the document */
  enum tag_scope scope;      /* of a header cell */
  int column_span, row_span; /* of a cell; 0 counts as 1 */
  enum tag_list_numbering numbering;
};

const char *tag_role_name(enum tag_role role); /* "P", "H1", "Formula", ... */

#endif
