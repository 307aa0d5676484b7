/* Loaded before the command: counts how often the study file is parsed and an eigenproblem is
   solved. At the end it writes "parsed N" and "solved N" to the file that COUNT_CALLS names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long parsed, solved;

static void *next(const char *name, void *to, size_t size) {
  void *found = dlsym(RTLD_NEXT, name);
  memcpy(to, &found, size); /* a function's address, which C does not convert */
  return found;
}

struct fy_document;
struct fy_parse_cfg;
struct fy_document *fy_document_build_from_string(const struct fy_parse_cfg *, const char *,
                                                  size_t);
struct fy_document *fy_document_build_from_string(const struct fy_parse_cfg *cfg, const char *text,
                                                  size_t length) {
  struct fy_document *(*real)(const struct fy_parse_cfg *, const char *, size_t);
  next("fy_document_build_from_string", &real, sizeof real);
  parsed++;
  return real(cfg, text, length);
}

int LAPACKE_dsygvd(int, int, char, char, int, double *, int, double *, int, double *);
int LAPACKE_dsygvd(int layout, int type, char job, char uplo, int n, double *a, int lda, double *b,
                   int ldb, double *w) {
  int (*real)(int, int, char, char, int, double *, int, double *, int, double *);
  next("LAPACKE_dsygvd", &real, sizeof real);
  solved++;
  return real(layout, type, job, uplo, n, a, lda, b, ldb, w);
}

__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("COUNT_CALLS");
  FILE *out = path ? fopen(path, "w") : NULL;
  if (!out) return;
  fprintf(out, "parsed %ld\nsolved %ld\n", parsed, solved);
  fclose(out);
}
