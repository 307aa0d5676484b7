/* Folders for results. */
#include <microslip/io.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/check.h"
#include "support/files.h"

static int is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static void test_prepare(void) {
  const char *path = test_path("run"), *link = test_path("link");
  CHECK_OK(ms_folder_prepare(test_context(), path));
  CHECK(is_folder(path));
  CHECK_OK(ms_folder_prepare(test_context(), path)); /* it may be there */
  CHECK_OK(ms_folder_prepare(test_context(), test_path("run/tables")));
  CHECK(is_folder(test_path("run/tables")));
  CHECK_OK(ms_folder_prepare(test_context(), test_path("slash/")));
  CHECK(is_folder(test_path("slash")));
  CHECK_OK(ms_folder_prepare(test_context(), test_path("three//levels/deep/")));
  CHECK(is_folder(test_path("three/levels/deep")));
  CHECK_EQUAL(symlink(path, link), 0);
  CHECK_OK(ms_folder_prepare(test_context(), link));
}

static void check_fails(const char *path, const char *what) {
  CHECK_STATUS(ms_folder_prepare(test_context(), path), MS_ERR_FILE);
  CHECK_HAS(ms_context_message(test_context()), path);
  CHECK_HAS(ms_context_message(test_context()), what);
}

static void test_refuses(void) {
  test_put(test_path("file"), "x");
  check_fails(test_path("file"), "is a file; results need a folder");
  check_fails(test_path("file/run"), "Not a directory");
  CHECK_EQUAL(symlink(test_path("nowhere"), test_path("dangling")), 0);
  check_fails(test_path("dangling"), "cannot be created");
  CHECK_EQUAL(mkdir(test_path("closed"), 0500), 0);
  if (access(test_path("closed"), W_OK) != 0) /* root may write anywhere */
    check_fails(test_path("closed"), "cannot be written to: Permission denied");
  CHECK_STATUS(ms_folder_prepare(test_context(), ""), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_folder_prepare(test_context(), NULL), MS_ERR_ARGUMENT);
}

/* The same without making anything. */
static void test_check(void) {
  CHECK_OK(ms_folder_check(test_context(), test_path("not/yet/made/")));
  CHECK(!is_folder(test_path("not")));
  CHECK_OK(ms_folder_check(test_context(), "not_yet"));
  CHECK_OK(ms_folder_check(test_context(), test_path("")));
  test_put(test_path("plain"), "x");
  CHECK_STATUS(ms_folder_check(test_context(), test_path("plain")), MS_ERR_FILE);
  CHECK_HAS(ms_context_message(test_context()), "plain is a file");
  CHECK_STATUS(ms_folder_check(test_context(), test_path("plain/below")), MS_ERR_FILE);
  CHECK_STATUS(ms_folder_check(test_context(), ""), MS_ERR_ARGUMENT);
}

/* Half files of processes that are no more go; those of living ones, and all others, stay. */
static void test_tidy(void) {
  char mine[64], gone[64], other[64];
  pid_t child = fork();
  if (child == 0) _exit(0);
  CHECK_EQUAL(waitpid(child, NULL, 0), child); /* a number that no process has now */
  CHECK_OK(ms_folder_prepare(test_context(), test_path("tidy")));
  snprintf(mine, sizeof mine, "tidy/.microslip-%ld-3.tmp", (long)getpid());
  snprintf(gone, sizeof gone, "tidy/.microslip-%ld-0.tmp", (long)child);
  snprintf(other, sizeof other, "tidy/.microslip-%ld-0.tmp.csv", (long)child);
  test_put(test_path(mine), "half");
  test_put(test_path(gone), "half");
  test_put(test_path(other), "whole");
  ms_folder_tidy(test_path("tidy"));
  CHECK(access(test_path(mine), F_OK) == 0);
  CHECK(access(test_path(gone), F_OK) != 0);
  CHECK(access(test_path(other), F_OK) == 0);
  ms_folder_tidy(test_path("nowhere at all"));
}

static void check_path(const char *folder, const char *name, const char *want) {
  char *path;
  if (!CHECK_OK(ms_folder_path(test_context(), folder, name, &path))) return;
  CHECK_TEXT(path, want);
  ms_free(test_context(), &path);
}

static void test_path_of(void) {
  char *path = (char *)&path;
  check_path("run", "tables", "run/tables");
  check_path("run/", "tables/modes.csv", "run/tables/modes.csv");
  check_path("/", "a", "/a");
  check_path("", "a.csv", "a.csv");
  CHECK_STATUS(ms_folder_path(test_context(), "run", "/etc", &path), MS_ERR_ARGUMENT);
  CHECK(path == NULL);
  CHECK_STATUS(ms_folder_path(test_context(), "run", "", &path), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_folder_path(test_context(), NULL, "a", &path), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_folder_path(test_context(), "run", "a", NULL), MS_ERR_ARGUMENT);
}

static ms_status use(ms_context *ctx, void *user) {
  char *path;
  (void)user;
  ms_status status = ms_folder_path(ctx, "a", "b", &path);
  ms_free(ctx, &path);
  return status;
}

static void test_memory_failures(void) {
  CHECK_EQUAL(test_allocations(use, NULL), 1);
}

int main(void) {
  test_folder_open();
  TEST(test_prepare);
  TEST(test_refuses);
  TEST(test_check);
  TEST(test_tidy);
  TEST(test_path_of);
  TEST(test_memory_failures);
  test_folder_close();
  return test_finish();
}
