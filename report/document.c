#include "report/document.h"

#include <string.h>

void document_free(struct document *document) {
  source_map_free(&document->map);
  arena_free(&document->arena);
}

struct words {
  const char *language;
  const char *labels[LABEL_DIFFICULTY + 1]; /* by enum document_label */
};

static const struct words languages[] = {
    {"en",
     {"Contents", "Figure", "Table", "Notes", "References", "Skip to the text",
      "Back to the text", "Problem", "Answers", "Worked solutions", "Name",
      "Date", "Points", "difficulty from • to •••"}},
    {"de",
     {"Inhalt", "Abbildung", "Tabelle", "Anmerkungen", "Literatur",
      "Zum Text springen", "Zurück zum Text", "Aufgabe", "Antworten",
      "Lösungswege", "Name", "Datum", "Punkte", "Schwierigkeit von • bis •••"}},
    {"el",
     {"Περιεχόμενα", "Σχήμα", "Πίνακας", "Σημειώσεις", "Βιβλιογραφία",
      "Μετάβαση στο κείμενο", "Επιστροφή στο κείμενο", "Άσκηση", "Απαντήσεις",
      "Λύσεις", "Όνομα", "Ημερομηνία", "Βαθμοί", "δυσκολία από • έως •••"}},
    {"es",
     {"Índice", "Figura", "Tabla", "Notas", "Referencias", "Ir al texto",
      "Volver al texto", "Problema", "Respuestas", "Soluciones", "Nombre",
      "Fecha", "Puntos", "dificultad de • a •••"}},
    {"fr",
     {"Table des matières", "Figure", "Tableau", "Notes", "Références",
      "Aller au texte", "Retour au texte", "Problème", "Réponses",
      "Solutions détaillées", "Nom", "Date", "Points",
      "difficulté de • à •••"}},
    {"it",
     {"Indice", "Figura", "Tabella", "Note", "Bibliografia", "Vai al testo",
      "Torna al testo", "Problema", "Risposte", "Soluzioni", "Nome", "Data",
      "Punti", "difficoltà da • a •••"}},
    {"nl",
     {"Inhoud", "Figuur", "Tabel", "Noten", "Literatuur", "Naar de tekst",
      "Terug naar de tekst", "Opgave", "Antwoorden", "Uitwerkingen", "Naam",
      "Datum", "Punten", "moeilijkheid van • tot •••"}},
    {"pl",
     {"Spis treści", "Rysunek", "Tabela", "Przypisy", "Literatura",
      "Przejdź do tekstu", "Wróć do tekstu", "Zadanie", "Odpowiedzi",
      "Rozwiązania", "Imię i nazwisko", "Data", "Punkty",
      "trudność od • do •••"}},
    {"pt",
     {"Índice", "Figura", "Tabela", "Notas", "Referências", "Ir para o texto",
      "Voltar ao texto", "Problema", "Respostas", "Resoluções", "Nome", "Data",
      "Pontos", "dificuldade de • a •••"}},
    {"sv",
     {"Innehåll", "Figur", "Tabell", "Noter", "Referenser", "Till texten",
      "Tillbaka till texten", "Uppgift", "Svar", "Lösningar", "Namn", "Datum",
      "Poäng", "svårighet från • till •••"}},
};

static const char *const label_fields[LABEL_DIFFICULTY + 1] = {
    "contents",   "figure",     "table",        "notes",     "references",
    "skip",       "back",       "problem",      "answers",   "solutions",
    "name-label", "date-label", "points-label", "difficulty"};

/* NULL for a language that there are no words of. */
static const struct words *find_words(const char *language) {
  size_t length = strcspn(language, "-");
  for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
    if (strlen(languages[i].language) == length &&
        strncmp(languages[i].language, language, length) == 0)
      return &languages[i];
  return NULL;
}

const char *document_label(const struct document *document,
                           enum document_label label) {
  const struct words *words = find_words(document->language);
  if (words == NULL) words = &languages[0];
  return front_matter_value(&document->front, label_fields[label],
                            words->labels[label]);
}

static bool is_known_field(const char *key) {
  static const char *const known[] = {
      "title",      "short-title", "subtitle", "author",     "description",
      "keywords",   "language",    "date",     "course",     "school",
      "delimiters", "ledger",      "literals", "mark",       "order",
      "paper",      "only",        "renumber", "work-space", "name-line",
      "date-line",  "points"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(key, known[i]) == 0) return true;
  for (size_t i = 0; i <= LABEL_DIFFICULTY; i++)
    if (strcmp(key, label_fields[i]) == 0) return true;
  return false;
}

void document_print_notes(const struct document *document, FILE *out) {
  const struct front_field *field = document->front.fields;
  for (; field != NULL; field = field->next)
    if (!is_known_field(field->key))
      fprintf(out, "note: %s:%d: the field `%s` has no meaning\n",
              field->place.file, field->place.line, field->key);
  if (find_words(document->language) == NULL)
    fprintf(out,
            "note: words that pages add are English, there are none of "
            "language \"%s\"\n",
            document->language);
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
      if (span->reference != NULL)
        buffer_printf(out, "%d", span->reference->number);
      break;
    case SPAN_NOTE:
      break;
    }
  }
}
