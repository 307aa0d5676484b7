/* Mutated CSV texts: whatever comes in, a sound table or a clean refusal comes out, of numbers
   alone and with columns of words; what is taken as numbers alone is the same with words allowed.
 */
#include <microslip/io.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/internal.h"
#include "support/check.h"
#include "support/fuzz.h"

#define NAME "fuzzed.csv" /* stands for the file in messages */

/* ---- the property ---- */

static int same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

typedef ms_status (*parse_fn)(ms_context *ctx, const char *name, const char *text, size_t length,
                              ms_table **out);

static const char *fault_of_column(const ms_table *table, ptrdiff_t j) {
  const ms_column *c = &table->column[j];
  const double *values = ms_table_get_column(table, c->name);
  if (values != c->values) return "two columns answer to one name";
  if (!values == !c->word) return "a column of both or neither, numbers and words";
  for (ptrdiff_t i = 0; i < table->n_row; i++) {
    if (values && !isfinite(values[i])) return "accepted a value that is not finite";
    if (values) continue;
    const char *word = ms_table_get_word(table, c->name, i);
    if (!word || word + strlen(word) >= table->letter + table->n_letter) return "a word has no end";
  }
  return NULL;
}

/* NULL, or what is wrong with a table that was accepted. */
static const char *fault_of_table(const ms_table *table) {
  ptrdiff_t rows = ms_table_get_rows(table), line = 0;
  if (rows < 1) return "accepted without rows";
  if (ms_table_get_columns(table) < 1) return "accepted without columns";
  for (ptrdiff_t j = 0; j < ms_table_get_columns(table); j++) {
    const char *fault = fault_of_column(table, j);
    if (fault) return fault;
  }
  for (ptrdiff_t i = 0; i < rows; i++) {
    if (ms_table_get_line(table, i) <= line) return "lines of the rows do not rise";
    line = ms_table_get_line(table, i);
  }
  return NULL;
}

static const char *fault_of_copy(const ms_table *a, const ms_table *b) {
  if (a->n_row != b->n_row || a->n_column != b->n_column) return "written, it changes size";
  for (ptrdiff_t j = 0; j < a->n_column; j++) {
    if (!same_text(a->column[j].name, b->column[j].name)) return "written, a name changes";
    if (!same_text(a->column[j].unit, b->column[j].unit)) return "written, a unit changes";
    size_t bytes = (size_t)a->n_row * sizeof(double);
    if (!a->column[j].word != !b->column[j].word) return "written, words become numbers";
    if (!a->column[j].word && memcmp(a->column[j].values, b->column[j].values, bytes) != 0)
      return "written, a value changes";
    for (ptrdiff_t i = 0; a->column[j].word && i < a->n_row; i++) {
      if (!same_text(a->letter + a->column[j].word[i], b->letter + b->column[j].word[i]))
        return "written, a word changes";
    }
  }
  return NULL;
}

/* Writes the table to memory and reads that. */
static const char *fault_of_round_trip(ms_context *ctx, parse_fn parse, const ms_table *table) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return "no stream in memory";
  ms_status status = ms_csv_print(table, out);
  fclose(out);
  ms_table *again = NULL;
  const char *fault = "accepted, but cannot be written";
  if (status == MS_SUCCESS) {
    fault = "written, it is refused";
    if (parse(ctx, NAME, text, size, &again) == MS_SUCCESS) fault = fault_of_copy(table, again);
  }
  ms_table_destroy(&again);
  free(text);
  return fault;
}

static const char *fault_of_refusal(ms_context *ctx, ms_status status, const ms_table *table) {
  const char *message = ms_context_message(ctx);
  if (table) return "refused, but a table came out";
  if (status != MS_ERR_FORMAT) return "refused with the wrong status";
  if (strncmp(message, NAME ":", strlen(NAME ":")) != 0) return "the message lacks the name";
  if (!strchr(message, ';')) return "the message does not say what would be right";
  return strpbrk(message, "\r\n") ? "the message is more than one line" : NULL;
}

/* NULL, or what is wrong with how the text was taken. *accepted counts the tables. */
static const char *fault_with(parse_fn parse, const char *text, size_t length, long *accepted) {
  test_bounded memory;
  ms_context *ctx = test_fuzz_open(&memory, length);
  ms_table *table = (ms_table *)ctx; /* to see that a refusal makes it NULL */
  ms_status status = parse(ctx, NAME, text, length, &table);
  const char *fault;
  if (status == MS_SUCCESS) {
    ++*accepted;
    fault = fault_of_table(table);
    if (!fault) fault = fault_of_round_trip(ctx, parse, table);
    ms_table_destroy(&table);
  } else {
    fault = fault_of_refusal(ctx, status, table);
  }
  return test_fuzz_close(&memory, &ctx, fault);
}

static const char *fault_of(const char *text, size_t length, long *accepted) {
  long numbers = 0, words = 0;
  const char *fault = fault_with(ms_table_parse_csv, text, length, &numbers);
  if (!fault) fault = fault_with(ms_table_parse_words, text, length, &words);
  if (!fault && numbers > words) fault = "refused where words are allowed too";
  *accepted += words;
  return fault;
}

/* ---- where it starts from ---- */

static const test_token seeds[] = {
  TOKEN("t,u [m]\n0.25,-2.385e-6\n0.75,4.17\n"),
  TOKEN("u\n1.5\n2.5\n3.25\n"),
  TOKEN("# study 7\r\nt [s];u [m];F [N]\r\n0.1;1e-6;12.5\r\n0.2;2e-6;25.5\r\n"),
  TOKEN("\xEF\xBB\xBFt\tv\n-1.5\t2e3\n\n# more\n2.5\t.5\n"),
  TOKEN("time   force [N m]   \"peak slip [\xC2\xB5m]\"\n 0.1 2.2 3.3 \n 4.4 5.5 6.6"),
  TOKEN("\"a, \"\"b\"\"\",\"3.5\",c\n1,2,3\n4,5,6\n7,8,9\n"),
  TOKEN("mode,method,q [m]\n2,qsma,1e-6\n2,\"a, \"\"b\"\"\",2e-6\n3,,3e-6\n"),
  TOKEN("word\n\"3.5\"\n# c\n\" \"\n\"#\"\n"),
  TOKEN(""),
};

static const test_token tokens[] = {
  TOKEN("nan"),
  TOKEN("-inf"),
  TOKEN("1e999"),
  TOKEN("1e-999"),
  TOKEN("\""),
  TOKEN("\"\""),
  TOKEN("\0"),
  TOKEN("\xEF\xBB\xBF"),
  TOKEN("\r\n"),
  TOKEN("\n"),
  TOKEN("\r"),
  TOKEN(","),
  TOKEN(";"),
  TOKEN("\t"),
  TOKEN(" "),
  TOKEN("["),
  TOKEN("]"),
  TOKEN(" [m]"),
  TOKEN("#"),
  TOKEN("0x1p3"),
  TOKEN("-0"),
  TOKEN("5e-324"),
  TOKEN("1.7976931348623157e308"),
  TOKEN("\xC2\xB5"),
  TOKEN("u"),
  TOKEN("0.1234567890123456789012345678901234567890123456789012345678901234567890"),
};

MS_FUZZ_MAIN(fault_of, seeds, tokens)
