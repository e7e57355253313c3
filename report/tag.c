#include "report/tag.h"

const char *tag_role_name(enum tag_role role) {
  static const char *const NAMES[TAG_ROLES] = {
      [TAG_ARTIFACT] = "Artifact",
      [TAG_DOCUMENT] = "Document",
      [TAG_SECTION] = "Sect",
      [TAG_GROUP] = "NonStruct",
      [TAG_H1] = "H1",
      [TAG_H2] = "H2",
      [TAG_H3] = "H3",
      [TAG_H4] = "H4",
      [TAG_H5] = "H5",
      [TAG_H6] = "H6",
      [TAG_PARAGRAPH] = "P",
      [TAG_LIST] = "L",
      [TAG_ITEM] = "LI",
      [TAG_LABEL] = "Lbl",
      [TAG_ITEM_BODY] = "LBody",
      [TAG_TABLE] = "Table",
      [TAG_ROW] = "TR",
      [TAG_HEADER_CELL] = "TH",
      [TAG_CELL] = "TD",
      [TAG_FIGURE] = "Figure",
      [TAG_FORMULA] = "Formula",
      [TAG_CAPTION] = "Caption",
      [TAG_CODE] = "Code",
      [TAG_BLOCK_QUOTE] = "BlockQuote",
      [TAG_NOTE] = "Note",
      [TAG_REFERENCE] = "Reference",
      [TAG_BIBLIOGRAPHY_ENTRY] = "BibEntry",
      [TAG_LINK] = "Link",
      [TAG_SPAN] = "Span",
      [TAG_CONTENTS] = "TOC",
      [TAG_CONTENTS_ITEM] = "TOCI",
  };
  return NAMES[role];
}
