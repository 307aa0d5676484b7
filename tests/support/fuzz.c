#include "support/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

#define TIMES      100 /* what a reader may take, of what it reads */
#define BESIDES    ((size_t)64 << 20)
#define BLOCK_HEAD 16 /* the size of a block stands before it, which stays aligned */

#define MAX_TEXT         4096
#define MAX_MUTATIONS    8
#define DEFAULT_TEXTS    20000
#define DEFAULT_SEED     2385
#define MINIMUM_ACCEPTED 0.02 /* of the texts; below, the fuzzer tests refusals only */
#define MINIMUM_REFUSED  0.02

static const test_fuzz *fuzz;

/* ---- the mutations ---- */

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
  const test_token *other = &fuzz->seeds[below(rng, fuzz->n_seeds)];
  size_t begin = below(rng, other->length + 1), n = below(rng, other->length - begin + 1);
  insert(d, below(rng, d->length + 1), other->text + begin, n);
}

static void insert_token(draft *d, ms_random *rng) {
  const test_token *chosen = &fuzz->tokens[below(rng, fuzz->n_tokens)];
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
  const test_token *seed = &fuzz->seeds[below(rng, fuzz->n_seeds)];
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
    const char *fault = fuzz->fault_of(text, d.length, &accepted);
    free(exact);
    if (!CHECK(fault == NULL)) show(i, &d, fault);
  }
  printf("# %ld texts, %ld accepted\n", n_texts, accepted);
  CHECK((double)accepted > MINIMUM_ACCEPTED * (double)n_texts);
  CHECK((double)(n_texts - accepted) > MINIMUM_REFUSED * (double)n_texts);
}

/* The seeds themselves are sound, but for the empty one. */
static void test_seeds(void) {
  for (size_t i = 0; i < fuzz->n_seeds; i++) {
    long accepted = 0;
    CHECK(fuzz->fault_of(fuzz->seeds[i].text, fuzz->seeds[i].length, &accepted) == NULL);
    CHECK_EQUAL(accepted, fuzz->seeds[i].length > 0);
  }
}

/* What was found once, in the folder of the reader: tests/data/fuzz/csv for fuzz.csv. */
static const char *reader = "";

static void check_file(const char *path) {
  static char bytes[1 << 16];
  FILE *file = fopen(path, "rb");
  long accepted = 0;
  if (!CHECK(file != NULL)) return;
  size_t n = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  const char *fault = fuzz->fault_of(bytes, n, &accepted);
  if (!CHECK(fault == NULL)) printf("#   %s: %s\n", path, fault);
}

static void test_found(void) {
  char path[1024];
  snprintf(path, sizeof path, TEST_DATA "/fuzz/%s", reader);
  DIR *files = opendir(path);
  for (struct dirent *f; files && (f = readdir(files));) {
    snprintf(path, sizeof path, TEST_DATA "/fuzz/%s/%.255s", reader, f->d_name);
    if (f->d_name[0] != '.') check_file(path);
  }
  if (files) closedir(files);
  CHECK(fuzz->n_seeds > 0); /* there may be no such folder */
}

int test_fuzz_main(int argc, char **argv, const test_fuzz *given) {
  fuzz = given;
  if (given->texts > 0) n_texts = given->texts;
  if (argc > 1) n_texts = strtol(argv[1], NULL, 10);
  if (argc > 2) seed_value = strtoull(argv[2], NULL, 10);
  const char *dot = strrchr(argv[0], '.');
  if (dot) reader = dot + 1;
  TEST(test_seeds);
  TEST(test_found);
  TEST(test_mutated_texts);
  return test_finish();
}

int test_fuzz_one(const uint8_t *data, size_t size, test_fault_fn fault_of) {
  long accepted = 0;
  const char *fault = fault_of((const char *)data, size, &accepted);
  if (fault) {
    fprintf(stderr, "%s\n", fault);
    abort();
  }
  return 0;
}

/* ---- bounded memory ---- */

static void *resize_bounded(void *user, void *pointer, size_t bytes) {
  test_bounded *memory = user;
  char *head = pointer ? (char *)pointer - BLOCK_HEAD : NULL;
  size_t old = 0;
  if (head) memcpy(&old, head, sizeof old);
  if (bytes == 0) {
    memory->used -= old;
    memory->live -= head != NULL;
    free(head);
    return NULL;
  }
  if (bytes > memory->limit || memory->used - old > memory->limit - bytes) {
    memory->exceeded = 1;
    return NULL;
  }
  char *fresh = realloc(head, bytes + BLOCK_HEAD);
  if (!fresh) return NULL;
  memcpy(fresh, &bytes, sizeof bytes);
  memory->used += bytes - old;
  memory->live += head == NULL;
  return fresh + BLOCK_HEAD;
}

ms_context *test_fuzz_open(test_bounded *memory, size_t length) {
  ms_context *ctx = NULL;
  *memory = (test_bounded) { .limit = TIMES * length + BESIDES };
  ms_allocator allocator = { .resize = resize_bounded, .user = memory };
  if (ms_context_create(&allocator, &ctx) == MS_SUCCESS) return ctx;
  fprintf(stderr, "no context\n");
  abort();
}

const char *test_fuzz_close(test_bounded *memory, ms_context **ctx, const char *fault) {
  if (memory->exceeded) fault = "takes more than 100 times its size and 64 MiB";
  if (!fault && memory->live != 1) fault = "memory leaks"; /* 1: the context itself */
  if (fault) fprintf(stderr, "%s\n", ms_context_message(*ctx));
  ms_context_destroy(ctx);
  return fault;
}

/* ---- files ---- */

static char folder[64];

static void remove_folder(void) {
  DIR *files = opendir(folder);
  char path[400];
  for (struct dirent *f; files && (f = readdir(files));) {
    snprintf(path, sizeof path, "%s/%.255s", folder, f->d_name);
    if (f->d_name[0] != '.') remove(path);
  }
  if (files) closedir(files);
  rmdir(folder);
}

static void write_file(const char *path, const void *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  if (file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0) return;
  perror(path);
  abort();
}

const char *test_fuzz_file(const char *name, const void *bytes, size_t length) {
  static char path[160];
  if (!*folder) {
    snprintf(folder, sizeof folder, "%s/microslip-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(folder)) abort();
    atexit(remove_folder);
  }
  snprintf(path, sizeof path, "%s/%.80s", folder, name);
  write_file(path, bytes, length);
  return path;
}

/* ---- for libFuzzer ---- */

static void write_dictionary(const char *path, const test_fuzz *f) {
  FILE *file = fopen(path, "w");
  for (size_t i = 0; file && i < f->n_tokens; i++) {
    fputc('"', file);
    for (size_t k = 0; k < f->tokens[i].length; k++) {
      fprintf(file, "\\x%02x", (unsigned char)f->tokens[i].text[k]);
    }
    fputs("\"\n", file);
  }
  if (!file || fclose(file) != 0) abort();
}

void test_fuzz_prepare(const test_fuzz *f) {
  const char *to = getenv("MS_FUZZ_SEEDS");
  char path[1024];
  if (!to) return;
  for (size_t i = 0; i < f->n_seeds; i++) {
    snprintf(path, sizeof path, "%s/seed-%02zu", to, i);
    write_file(path, f->seeds[i].text, f->seeds[i].length);
  }
  snprintf(path, sizeof path, "%s/dictionary", to);
  write_dictionary(path, f);
  exit(0);
}
