#include "report/document.h"

#include <string.h>

void document_free(struct document *document) {
  source_map_free(&document->map);
  arena_free(&document->arena);
}

struct words {
  const char *language;
  const char *labels[LABEL_BACK + 1]; /* by enum document_label */
};

static const struct words languages[] = {
    {"en",
     {"Contents", "Figure", "Table", "Notes", "References", "Skip to the text",
      "Back to the text"}},
    {"de",
     {"Inhalt", "Abbildung", "Tabelle", "Anmerkungen", "Literatur",
      "Zum Text springen", "Zurück zum Text"}},
    {"es",
     {"Índice", "Figura", "Tabla", "Notas", "Referencias", "Ir al texto",
      "Volver al texto"}},
    {"fr",
     {"Table des matières", "Figure", "Tableau", "Notes", "Références",
      "Aller au texte", "Retour au texte"}},
    {"it",
     {"Indice", "Figura", "Tabella", "Note", "Bibliografia", "Vai al testo",
      "Torna al testo"}},
    {"nl",
     {"Inhoud", "Figuur", "Tabel", "Noten", "Literatuur", "Naar de tekst",
      "Terug naar de tekst"}},
    {"pl",
     {"Spis treści", "Rysunek", "Tabela", "Przypisy", "Literatura",
      "Przejdź do tekstu", "Wróć do tekstu"}},
    {"pt",
     {"Índice", "Figura", "Tabela", "Notas", "Referências", "Ir para o texto",
      "Voltar ao texto"}},
    {"sv",
     {"Innehåll", "Figur", "Tabell", "Noter", "Referenser", "Till texten",
      "Tillbaka till texten"}},
};

static const struct words *find_words(const char *language) {
  size_t length = strcspn(language, "-");
  for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
    if (strlen(languages[i].language) == length &&
        strncmp(languages[i].language, language, length) == 0)
      return &languages[i];
  return &languages[0];
}

const char *document_label(const struct document *document,
                           enum document_label label) {
  static const char *const fields[] = {"contents",   "figure", "table", "notes",
                                       "references", "skip",   "back"};
  return front_matter_value(&document->front, fields[label],
                            find_words(document->language)->labels[label]);
}

void document_plain_text(const struct span *spans, struct buffer *out) {
  for (const struct span *span = spans; span != NULL; span = span->next) {
    switch (span->type) {
    case SPAN_TEXT:
    case SPAN_CODE:
      buffer_text(out, span->text);
      break;
    case SPAN_EMPHASIS:
    case SPAN_STRONG:
    case SPAN_LINK:
      document_plain_text(span->child, out);
      break;
    case SPAN_MATHS:
      if (span->formula != NULL) math_speak(span->formula, out);
      break;
    case SPAN_SOFT_BREAK:
    case SPAN_HARD_BREAK:
      buffer_char(out, ' ');
      break;
    case SPAN_CITATION:
      buffer_printf(out, "%d", span->reference->number);
      break;
    case SPAN_NOTE:
      break;
    }
  }
}
