/* Output files: whole or not at all, and nothing left behind. */
#include <microslip/io.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"

static char folder[] = "/tmp/microslip_outfile_XXXXXX";

/* Four paths can be in use at a time. */
static const char *in_folder(const char *name) {
  static char path[4][512];
  static int next;
  char *p = path[next++ % 4];
  snprintf(p, sizeof path[0], "%s/%s", folder, name);
  return p;
}

static void check_content(const char *path, const char *want) {
  char text[256] = "";
  FILE *in = fopen(path, "r");
  if (!CHECK(in != NULL)) return;
  text[fread(text, 1, sizeof text - 1, in)] = '\0';
  fclose(in);
  CHECK_TEXT(text, want);
}

static void put_file(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  if (!CHECK(out != NULL)) return;
  fputs(text, out);
  fclose(out);
}

static int count_files(void) {
  int n = 0;
  DIR *dir = opendir(folder);
  for (const struct dirent *entry; dir && (entry = readdir(dir));)
    n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  if (dir) closedir(dir);
  return n;
}

static mode_t mode_of(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 ? info.st_mode & 0777 : 0;
}

/* Writes text to path and commits. */
static ms_status write_text(const char *path, const char *text) {
  ms_outfile *file;
  MS_TRY(ms_outfile_open(test_context(), path, &file));
  fputs(text, ms_outfile_stream(file));
  ms_status status = ms_outfile_commit(&file);
  CHECK(file == NULL);
  return status;
}

static void test_commit(void) {
  const char *path = in_folder("new.txt");
  mode_t mask = umask(026);
  ms_outfile *file;
  if (!CHECK_OK(ms_outfile_open(test_context(), path, &file))) return;
  fputs("2.385\n", ms_outfile_stream(file));
  CHECK(access(path, F_OK) != 0); /* nothing to see before the commit */
  CHECK_EQUAL(count_files(), 1);
  CHECK_OK(ms_outfile_commit(&file));
  umask(mask);
  CHECK(file == NULL);
  check_content(path, "2.385\n");
  CHECK_EQUAL(mode_of(path), 0640);
  CHECK_EQUAL(count_files(), 1);
  unlink(path);
}

static void test_discard(void) {
  const char *path = in_folder("old.txt");
  put_file(path, "old");
  ms_outfile *file;
  if (!CHECK_OK(ms_outfile_open(test_context(), path, &file))) return;
  fputs("new", ms_outfile_stream(file));
  fflush(ms_outfile_stream(file));
  CHECK_EQUAL(count_files(), 2);
  ms_outfile_discard(&file);
  CHECK(file == NULL);
  CHECK_EQUAL(count_files(), 1);
  check_content(path, "old");
  ms_outfile_discard(&file);
  ms_outfile_discard(NULL);
  unlink(path);
}

static void test_replace_keeps_mode(void) {
  const char *path = in_folder("old.txt");
  put_file(path, "old and longer");
  CHECK_EQUAL(chmod(path, 0606), 0);
  CHECK_OK(write_text(path, "new"));
  check_content(path, "new");
  CHECK_EQUAL(mode_of(path), 0606);
  CHECK_EQUAL(count_files(), 1);
  unlink(path);
}

static void test_write_protected(void) {
  const char *path = in_folder("old.txt");
  put_file(path, "old");
  CHECK_EQUAL(chmod(path, 0444), 0);
  if (access(path, W_OK) != 0) { /* root may write anything */
    CHECK_STATUS(write_text(path, "new"), MS_ERR_FILE);
    CHECK_HAS(ms_context_message(test_context()), "Permission denied");
  }
  CHECK_EQUAL(count_files(), 1);
  unlink(path);
}

static void test_two_at_once(void) {
  ms_outfile *a, *b;
  if (!CHECK_OK(ms_outfile_open(test_context(), in_folder("same.txt"), &a))) return;
  if (!CHECK_OK(ms_outfile_open(test_context(), in_folder("same.txt"), &b))) return;
  fputs("first", ms_outfile_stream(a));
  fputs("second", ms_outfile_stream(b));
  CHECK_OK(ms_outfile_commit(&b));
  check_content(in_folder("same.txt"), "second");
  CHECK_OK(ms_outfile_commit(&a));
  check_content(in_folder("same.txt"), "first");
  CHECK_EQUAL(count_files(), 1);
  unlink(in_folder("same.txt"));
}

/* A name as long as the file system takes leaves no room for additions to it. */
static void test_longest_name(void) {
  char name[256];
  memset(name, 'n', 255);
  name[255] = '\0';
  CHECK_OK(write_text(in_folder(name), "long"));
  check_content(in_folder(name), "long");
  unlink(in_folder(name));
}

static void test_relative_path(void) {
  char here[1024];
  if (!CHECK(getcwd(here, sizeof here) != NULL)) return;
  CHECK_EQUAL(chdir(folder), 0);
  CHECK_OK(write_text("plain.txt", "plain"));
  CHECK_EQUAL(chdir(here), 0);
  check_content(in_folder("plain.txt"), "plain");
  CHECK_EQUAL(count_files(), 1);
  unlink(in_folder("plain.txt"));
}

/* ---- links, devices, pipes ---- */

static int is_link(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

static void test_symbolic_links(void) {
  CHECK_EQUAL(mkdir(in_folder("sub"), 0777), 0);
  put_file(in_folder("sub/real.txt"), "old");
  CHECK_EQUAL(symlink("sub/second", in_folder("first")), 0); /* relative, then relative in sub */
  CHECK_EQUAL(symlink("real.txt", in_folder("sub/second")), 0);
  CHECK_OK(write_text(in_folder("first"), "new"));
  CHECK(is_link(in_folder("first")));
  CHECK(is_link(in_folder("sub/second")));
  CHECK(!is_link(in_folder("sub/real.txt")));
  check_content(in_folder("sub/real.txt"), "new");
  unlink(in_folder("sub/real.txt")); /* now the links lead nowhere */
  CHECK_OK(write_text(in_folder("first"), "again"));
  CHECK(is_link(in_folder("first")));
  check_content(in_folder("sub/real.txt"), "again");
  unlink(in_folder("first"));
  unlink(in_folder("sub/second"));
  unlink(in_folder("sub/real.txt"));
  CHECK_EQUAL(rmdir(in_folder("sub")), 0);
}

static void test_link_loop(void) {
  CHECK_EQUAL(symlink("b", in_folder("a")), 0);
  CHECK_EQUAL(symlink("a", in_folder("b")), 0);
  CHECK_STATUS(write_text(in_folder("a"), "never"), MS_ERR_FILE);
  CHECK_HAS(ms_context_message(test_context()), "/a: cannot be written: ");
  unlink(in_folder("a"));
  unlink(in_folder("b"));
  CHECK_EQUAL(count_files(), 0);
}

static void test_pipe(void) {
  const char *path = in_folder("pipe");
  if (!CHECK_EQUAL(mkfifo(path, 0600), 0)) return;
  int fd = open(path, O_RDONLY | O_NONBLOCK); /* a reader, or opening to write would wait */
  CHECK_OK(write_text(path, "through"));
  char text[16] = "";
  CHECK_EQUAL(read(fd, text, sizeof text - 1), 7);
  CHECK_TEXT(text, "through");
  close(fd);
  CHECK_EQUAL(count_files(), 1); /* still the pipe */
  unlink(path);
}

/* Nobody reads: that is a failure, not a reason to wait. */
static void test_unread_pipe(void) {
  const char *path = in_folder("pipe");
  if (!CHECK_EQUAL(mkfifo(path, 0600), 0)) return;
  alarm(20); /* it waited for ever once */
  CHECK_STATUS(write_text(path, "for nobody"), MS_ERR_FILE);
  alarm(0);
  CHECK_HAS(ms_context_message(test_context()), "/pipe: is a pipe or a device without a reader");
  CHECK_EQUAL(count_files(), 1);
  unlink(path);
}

/* A stream the process has open is not cut short or replaced when it leads to a file. */
static void test_open_stream(void) {
  const char *path = in_folder("redirected");
  put_file(path, "before ");
  int fd = open(path, O_WRONLY | O_APPEND);
  char name[64];
  snprintf(name, sizeof name, "/dev/fd/%d", fd);
  if (access(name, W_OK) == 0) CHECK_OK(write_text(name, "after"));
  close(fd);
  check_content(path, "before after");
  CHECK_EQUAL(count_files(), 1);
  unlink(path);
}

/* No test here names a real device: should ms_outfile break, root would rename over it. */
static void test_broken_pipe(void) {
  const char *path = in_folder("pipe");
  if (!CHECK_EQUAL(mkfifo(path, 0600), 0)) return;
  int fd = open(path, O_RDONLY | O_NONBLOCK);
  ms_outfile *file;
  if (!CHECK_OK(ms_outfile_open(test_context(), path, &file))) return;
  fputs("nobody reads", ms_outfile_stream(file));
  close(fd);
  CHECK_STATUS(ms_outfile_commit(&file), MS_ERR_DISK);
  CHECK(file == NULL);
  CHECK_HAS(ms_context_message(test_context()), "/pipe: cannot be written: Broken pipe");
  CHECK_EQUAL(count_files(), 1);
  unlink(path);
}

/* ---- failures ---- */

static void check_not_opened(const char *path, ms_status want, const char *what) {
  ms_outfile *file = (ms_outfile *)&file;
  CHECK_STATUS(ms_outfile_open(test_context(), path, &file), want);
  CHECK(file == NULL);
  CHECK_HAS(ms_context_message(test_context()), what);
  CHECK_EQUAL(count_files(), 0);
}

static void test_open_failures(void) {
  check_not_opened(in_folder("no/folder"), MS_ERR_FILE, "/no/folder: cannot be written: No such");
  check_not_opened(in_folder("none/"), MS_ERR_FILE, "No such file");
  check_not_opened(folder, MS_ERR_FILE, "Is a directory");
  check_not_opened("", MS_ERR_ARGUMENT, "needs a path");
  check_not_opened(NULL, MS_ERR_ARGUMENT, "needs a path");
  CHECK_STATUS(ms_outfile_open(test_context(), "x", NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_outfile_commit(NULL), MS_ERR_ARGUMENT);
}

static void test_file_as_folder(void) {
  put_file(in_folder("plain"), "kept");
  CHECK_STATUS(write_text(in_folder("plain/x"), "never"), MS_ERR_FILE);
  CHECK_HAS(ms_context_message(test_context()), "/plain/x: cannot be written: Not a directory");
  check_content(in_folder("plain"), "kept");
  unlink(in_folder("plain"));
}

/* The text outgrows what the process may write: the old file must stay. */
static void test_file_too_large(void) {
  const char *path = in_folder("old.txt");
  put_file(path, "old");
  struct rlimit before, small;
  if (!CHECK_EQUAL(getrlimit(RLIMIT_FSIZE, &before), 0)) return;
  small = before;
  small.rlim_cur = 4;
  CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &small), 0);
  ms_status status = write_text(path, "too much");
  CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &before), 0); /* before any failure is printed to a file */
  CHECK_STATUS(status, MS_ERR_DISK);
  CHECK_HAS(ms_context_message(test_context()), "/old.txt: cannot be written: File too large");
  check_content(path, "old");
  CHECK_EQUAL(count_files(), 1);
  unlink(path);
}

/* A folder takes the file's place between open and commit: the rename fails. */
static void test_commit_failure(void) {
  const char *path = in_folder("taken");
  ms_outfile *file;
  if (!CHECK_OK(ms_outfile_open(test_context(), path, &file))) return;
  fputs("lost", ms_outfile_stream(file));
  CHECK_EQUAL(mkdir(path, 0777), 0);
  CHECK_STATUS(ms_outfile_commit(&file), MS_ERR_FILE);
  CHECK(file == NULL);
  CHECK_HAS(ms_context_message(test_context()), "/taken: cannot be written: Is a directory");
  CHECK_EQUAL(count_files(), 1); /* the folder; no temporary file */
  rmdir(path);
}

static ms_status open_and_commit(ms_context *ctx, void *user) {
  ms_outfile *file = (ms_outfile *)&file;
  ms_status status = ms_outfile_open(ctx, user, &file);
  if (status == MS_SUCCESS) return ms_outfile_commit(&file);
  CHECK(file == NULL);
  CHECK_EQUAL(count_files(), 1); /* the link */
  return status;
}

static void test_memory_failures(void) {
  char path[512];
  snprintf(path, sizeof path, "%s", in_folder("link"));
  CHECK_EQUAL(symlink("file", path), 0);
  CHECK_EQUAL(test_allocations(open_and_commit, path), 5);
  unlink(in_folder("file"));
  unlink(path);
  CHECK_EQUAL(count_files(), 0);
}

int main(void) {
  if (!mkdtemp(folder)) return 1;
  signal(SIGPIPE, SIG_IGN); /* failures are to come back as errno */
  signal(SIGXFSZ, SIG_IGN);
  TEST(test_commit);
  TEST(test_discard);
  TEST(test_replace_keeps_mode);
  TEST(test_write_protected);
  TEST(test_two_at_once);
  TEST(test_longest_name);
  TEST(test_relative_path);
  TEST(test_symbolic_links);
  TEST(test_link_loop);
  TEST(test_pipe);
  TEST(test_unread_pipe);
  TEST(test_open_stream);
  TEST(test_broken_pipe);
  TEST(test_open_failures);
  TEST(test_file_as_folder);
  TEST(test_file_too_large);
  TEST(test_commit_failure);
  TEST(test_memory_failures);
  rmdir(folder);
  return test_finish();
}
