/* Mutated CSV texts: whatever comes in, a sound table or a clean refusal comes out.

   Deterministic: the same count gives the same texts. argv[1] is the number of texts, argv[2] the
   seed. Under MS_LIBFUZZER the same property is what libFuzzer drives. */
#include <microslip/io.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/internal.h"
#include "support/check.h"

#define NAME "fuzzed.csv" /* stands for the file in messages */

/* ---- the property ---- */

static int same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

/* NULL, or what is wrong with a table that was accepted. */
static const char *fault_of_table(const ms_table *table) {
  ptrdiff_t rows = ms_table_get_rows(table), line = 0;
  if (rows < 1) return "accepted without rows";
  if (ms_table_get_columns(table) < 1) return "accepted without columns";
  for (ptrdiff_t j = 0; j < ms_table_get_columns(table); j++) {
    const double *values = ms_table_get_column(table, ms_table_get_name(table, j));
    if (values != table->column[j].values) return "two columns answer to one name";
    for (ptrdiff_t i = 0; i < rows; i++)
      if (!isfinite(values[i])) return "accepted a value that is not finite";
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
    if (memcmp(a->column[j].values, b->column[j].values, bytes) != 0)
      return "written, a value changes";
  }
  return NULL;
}

/* Writes the table to memory and reads that. */
static const char *fault_of_round_trip(ms_context *ctx, const ms_table *table) {
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
    if (ms_table_parse_csv(ctx, NAME, text, size, &again) == MS_SUCCESS)
      fault = fault_of_copy(table, again);
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
static const char *fault_of(const char *text, size_t length, long *accepted) {
  test_memory memory = { .fail_at = -1 };
  ms_allocator allocator = test_allocator(&memory);
  ms_context *ctx;
  if (ms_context_create(&allocator, &ctx) != MS_SUCCESS) return "no context";
  ms_table *table = (ms_table *)ctx; /* to see that a refusal makes it NULL */
  ms_status status = ms_table_parse_csv(ctx, NAME, text, length, &table);
  const char *fault;
  if (status == MS_SUCCESS) {
    ++*accepted;
    fault = fault_of_table(table);
    if (!fault) fault = fault_of_round_trip(ctx, table);
    ms_table_destroy(&table);
  } else {
    fault = fault_of_refusal(ctx, status, table);
  }
  if (!fault && memory.live != 1) fault = "memory leaks"; /* 1: the context itself */
  ms_context_destroy(&ctx);
  return fault;
}

#ifdef MS_LIBFUZZER

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  long accepted = 0;
  const char *fault = fault_of((const char *)data, size, &accepted);
  if (fault) {
    fprintf(stderr, "%s\n", fault);
    abort();
  }
  return 0;
}

#else

/* ---- the mutations ---- */

#define MAX_TEXT         4096
#define MAX_MUTATIONS    8
#define DEFAULT_TEXTS    20000
#define DEFAULT_SEED     2385
#define MINIMUM_ACCEPTED 0.02 /* of the texts; below, the fuzzer tests refusals only */
#define MINIMUM_REFUSED  0.02
#define COUNT(array)     (sizeof(array) / sizeof(array)[0])
#define TOKEN(characters) \
  { characters, sizeof(characters) - 1 }

typedef struct token {
  const char *text;
  size_t length;
} token;

static const token seeds[] = {
  TOKEN("t,u [m]\n0.25,-2.385e-6\n0.75,4.17\n"),
  TOKEN("u\n1.5\n2.5\n3.25\n"),
  TOKEN("# study 7\r\nt [s];u [m];F [N]\r\n0.1;1e-6;12.5\r\n0.2;2e-6;25.5\r\n"),
  TOKEN("\xEF\xBB\xBFt\tv\n-1.5\t2e3\n\n# more\n2.5\t.5\n"),
  TOKEN("time   force [N m]   \"peak slip [\xC2\xB5m]\"\n 0.1 2.2 3.3 \n 4.4 5.5 6.6"),
  TOKEN("\"a, \"\"b\"\"\",\"3.5\",c\n1,2,3\n4,5,6\n7,8,9\n"),
  TOKEN(""),
};

static const token tokens[] = {
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

typedef struct draft {
  char text[MAX_TEXT];
  size_t length;
} draft;

/* In 0 .. n - 1. */
static size_t below(ms_random *rng, size_t n) {
  return (size_t)(ms_random_uniform(rng) * (double)n);
}

static void insert(draft *d, size_t at, const char *text, size_t n) {
  if (d->length + n > MAX_TEXT) return;
  memmove(d->text + at + n, d->text + at, d->length - at);
  memcpy(d->text + at, text, n);
  d->length += n;
}

static void flip_byte(draft *d, ms_random *rng) {
  if (d->length > 0) d->text[below(rng, d->length)] ^= (char)(1 << below(rng, 7));
}

static void set_byte(draft *d, ms_random *rng) {
  if (d->length > 0) d->text[below(rng, d->length)] = (char)(below(rng, 256) - 128);
}

/* A piece of the text, begin at least 0 and end at most its length. */
static void choose_piece(const draft *d, ms_random *rng, size_t *begin, size_t *n) {
  *begin = below(rng, d->length + 1);
  *n = below(rng, d->length - *begin + 1);
  if (below(rng, 2)) *n %= 8; /* mostly small ones keep the rest intact */
}

static void delete_piece(draft *d, ms_random *rng) {
  size_t begin, n;
  choose_piece(d, rng, &begin, &n);
  memmove(d->text + begin, d->text + begin + n, d->length - begin - n);
  d->length -= n;
}

static void duplicate_piece(draft *d, ms_random *rng) {
  char piece[MAX_TEXT];
  size_t begin, n;
  choose_piece(d, rng, &begin, &n);
  memcpy(piece, d->text + begin, n);
  insert(d, below(rng, d->length + 1), piece, n);
}

static void truncate_text(draft *d, ms_random *rng) {
  d->length = below(rng, d->length + 1);
}

/* A piece of another seed. */
static void splice(draft *d, ms_random *rng) {
  const token *other = &seeds[below(rng, COUNT(seeds))];
  size_t begin = below(rng, other->length + 1), n = below(rng, other->length - begin + 1);
  insert(d, below(rng, d->length + 1), other->text + begin, n);
}

static void insert_token(draft *d, ms_random *rng) {
  const token *chosen = &tokens[below(rng, COUNT(tokens))];
  insert(d, below(rng, d->length + 1), chosen->text, chosen->length);
}

/* Whole rows are what makes larger tables. */
static void duplicate_line(draft *d, ms_random *rng) {
  size_t begin = below(rng, d->length + 1), end = begin;
  while (begin > 0 && d->text[begin - 1] != '\n') begin--;
  while (end < d->length && d->text[end] != '\n') end++;
  if (end == d->length) return;
  char piece[MAX_TEXT];
  size_t n = end + 1 - begin;
  memcpy(piece, d->text + begin, n);
  insert(d, begin, piece, n);
}

static void (*const mutations[])(draft *d, ms_random *rng) = {
  flip_byte,     set_byte, delete_piece, duplicate_piece,
  truncate_text, splice,   insert_token, duplicate_line,
};

static void make_text(draft *d, ms_random *rng) {
  const token *seed = &seeds[below(rng, COUNT(seeds))];
  memcpy(d->text, seed->text, seed->length);
  d->length = seed->length;
  for (size_t i = below(rng, MAX_MUTATIONS + 1); i > 0; i--)
    mutations[below(rng, COUNT(mutations))](d, rng);
}

/* ---- the run ---- */

static long n_texts = DEFAULT_TEXTS;
static uint64_t seed_value = DEFAULT_SEED;

static void show(long i, const draft *d, const char *fault) {
  printf("#   text %ld: %s: \"", i, fault);
  for (size_t k = 0; k < d->length; k++) {
    unsigned char c = (unsigned char)d->text[k];
    printf(c >= ' ' && c < 0x7f && c != '\\' ? "%c" : "\\x%02x", c);
  }
  printf("\"\n");
}

static void test_mutated_texts(void) {
  static draft d;
  long accepted = 0;
  for (long i = 0; i < n_texts; i++) {
    ms_random rng;
    ms_random_start(&rng, seed_value, (uint64_t)i); /* each text can be had again alone */
    make_text(&d, &rng);
    char *exact = malloc(d.length + 1); /* on the heap, so that a sanitizer sees the ends */
    char *text = exact ? exact + 1 : NULL;
    if (!CHECK(exact != NULL)) return;
    memcpy(text, d.text, d.length);
    const char *fault = fault_of(text, d.length, &accepted);
    free(exact);
    if (!CHECK(fault == NULL)) show(i, &d, fault);
  }
  printf("# %ld texts, %ld accepted\n", n_texts, accepted);
  CHECK((double)accepted > MINIMUM_ACCEPTED * (double)n_texts);
  CHECK((double)(n_texts - accepted) > MINIMUM_REFUSED * (double)n_texts);
}

/* The seeds themselves are tables, but for the empty one. */
static void test_seeds(void) {
  for (size_t i = 0; i < COUNT(seeds); i++) {
    long accepted = 0;
    CHECK(fault_of(seeds[i].text, seeds[i].length, &accepted) == NULL);
    CHECK_EQUAL(accepted, seeds[i].length > 0);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) n_texts = strtol(argv[1], NULL, 10);
  if (argc > 2) seed_value = strtoull(argv[2], NULL, 10);
  TEST(test_seeds);
  TEST(test_mutated_texts);
  return test_finish();
}

#endif
