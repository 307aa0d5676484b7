#include "support/files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

#define PATH_SIZE 512

static char folder[] = "/tmp/microslip_test_XXXXXX";

void test_folder_open(void) {
  if (!mkdtemp(folder)) {
    perror(folder);
    exit(1);
  }
}

static int is_entry(const char *name) {
  return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static void empty(const char *path, int levels) {
  DIR *dir = opendir(path);
  for (const struct dirent *entry; dir && (entry = readdir(dir));) {
    char inside[2 * PATH_SIZE];
    if (!is_entry(entry->d_name)) continue;
    snprintf(inside, sizeof inside, "%.500s/%s", path, entry->d_name);
    if (unlink(inside) != 0 && levels > 0) empty(inside, levels - 1);
  }
  if (dir) closedir(dir);
  rmdir(path);
}

void test_folder_close(void) {
  empty(folder, 2);
}

int test_folder_count(void) {
  int n = 0;
  DIR *dir = opendir(folder);
  for (const struct dirent *entry; dir && (entry = readdir(dir));) n += is_entry(entry->d_name);
  if (dir) closedir(dir);
  return n;
}

const char *test_path(const char *name) {
  static char path[8][PATH_SIZE];
  static int next;
  char *p = path[next++ % 8];
  snprintf(p, PATH_SIZE, "%s/%s", folder, name);
  return p;
}

void test_put_bytes(const char *path, const void *bytes, size_t n) {
  FILE *out = fopen(path, "wb");
  if (!CHECK(out != NULL)) return;
  CHECK(fwrite(bytes, 1, n, out) == n);
  CHECK(fclose(out) == 0);
}

void test_put(const char *path, const char *text) {
  test_put_bytes(path, text, strlen(text));
}

char *test_get(const char *path, size_t *n) {
  char *text = NULL, block[4096];
  *n = 0;
  FILE *in = fopen(path, "rb");
  if (!in) return NULL;
  for (size_t got; (got = fread(block, 1, sizeof block, in)) > 0; *n += got) {
    text = realloc(text, *n + got + 1);
    if (!text) abort();
    memcpy(text + *n, block, got);
    text[*n + got] = '\0';
  }
  fclose(in);
  return text;
}
