/* Checkpoints: whole or refused. */
#include <microslip/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"
#include "support/files.h"

static const double state[] = { 2.385, -0.0, INFINITY, 5e-324, -1.0 / 3.0 };
static const double rows[] = { 4711.0 };
static const ms_block blocks[] = {
  { "rows", 1, rows },
  { "joint/lap", 5, state },
  { "empty", 0, NULL },
  { "t", 2, state },
};

static void write_blocks(const char *path) {
  CHECK_OK(ms_checkpoint_write(test_context(), path, blocks, 4));
}

static void check_block(const ms_block *b, const char *name, ptrdiff_t n, const double *want) {
  CHECK_TEXT(b->name, name);
  if (CHECK_EQUAL(b->n, n) && n > 0) CHECK(memcmp(b->values, want, (size_t)n * sizeof *want) == 0);
}

static void test_round_trip(void) {
  const char *path = test_path("a.ckp");
  ms_checkpoint *c;
  ms_block b;
  write_blocks(path);
  if (!CHECK_OK(ms_checkpoint_read(test_context(), path, &c))) return;
  CHECK_EQUAL(ms_checkpoint_get_count(c), 4);
  for (ptrdiff_t i = 0; i < 4; i++) {
    CHECK_OK(ms_checkpoint_get(c, i, &b));
    check_block(&b, blocks[i].name, blocks[i].n, blocks[i].values);
    CHECK_OK(ms_checkpoint_find(c, blocks[i].name, &b));
    check_block(&b, blocks[i].name, blocks[i].n, blocks[i].values);
  }
  CHECK_STATUS(ms_checkpoint_find(c, "joint", &b), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "a.ckp: has no block 'joint'");
  CHECK_STATUS(ms_checkpoint_get(c, 4, &b), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_checkpoint_get(c, -1, &b), MS_ERR_ARGUMENT);
  ms_checkpoint_destroy(&c);
  CHECK(c == NULL);
}

static void test_no_blocks(void) {
  ms_checkpoint *c;
  CHECK_OK(ms_checkpoint_write(test_context(), test_path("b.ckp"), NULL, 0));
  if (!CHECK_OK(ms_checkpoint_read(test_context(), test_path("b.ckp"), &c))) return;
  CHECK_EQUAL(ms_checkpoint_get_count(c), 0);
  ms_checkpoint_destroy(&c);
}

/* Cut anywhere or with any byte changed it is refused. */
static void test_cut_and_damaged(void) {
  const char *path = test_path("c.ckp");
  ms_checkpoint *c;
  size_t size;
  write_blocks(path);
  char *bytes = test_get(path, &size);
  for (size_t cut = 0; cut < size; cut++) {
    c = (ms_checkpoint *)&c;
    test_put_bytes(path, bytes, cut);
    CHECK_STATUS(ms_checkpoint_read(test_context(), path, &c), MS_ERR_FORMAT);
    CHECK_HAS(ms_context_message(test_context()), "c.ckp: is cut off");
    CHECK(c == NULL);
  }
  for (size_t at = 0; at < size; at++) {
    bytes[at] ^= 0x04;
    test_put_bytes(path, bytes, size);
    CHECK_STATUS(ms_checkpoint_read(test_context(), path, &c), MS_ERR_FORMAT);
    bytes[at] ^= 0x04;
  }
  test_put_bytes(path, bytes, size);
  CHECK_OK(ms_checkpoint_read(test_context(), path, &c));
  ms_checkpoint_destroy(&c);
  free(bytes);
}

static void test_refuses(void) {
  static const ms_block twice[] = { { "a", 1, rows }, { "b", 1, rows }, { "a", 1, rows } };
  static const ms_block unnamed[] = { { "a", 1, rows }, { "", 1, rows } };
  static const ms_block hollow[] = { { "a", 1, NULL } };
  ms_context *ctx = test_context();
  const char *path = test_path("d.ckp");
  ms_checkpoint *c = (ms_checkpoint *)&c;
  CHECK_STATUS(ms_checkpoint_write(ctx, path, twice, 3), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "two blocks of a checkpoint are named 'a'");
  CHECK_STATUS(ms_checkpoint_write(ctx, path, unnamed, 2), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_checkpoint_write(ctx, path, hollow, 1), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_checkpoint_write(ctx, path, NULL, 1), MS_ERR_ARGUMENT);
  CHECK(access(path, F_OK) != 0);
  CHECK_STATUS(ms_checkpoint_write(ctx, test_path("no/such.ckp"), blocks, 4), MS_ERR_FILE);
  CHECK_STATUS(ms_checkpoint_read(ctx, path, &c), MS_ERR_FILE);
  CHECK(c == NULL);
  CHECK_STATUS(ms_checkpoint_read(ctx, NULL, &c), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_checkpoint_read(ctx, path, NULL), MS_ERR_ARGUMENT);
  test_put(path, "something else, and long enough to be one");
  CHECK_STATUS(ms_checkpoint_read(ctx, path, &c), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(ctx), "d.ckp: is not a checkpoint");
  ms_checkpoint_destroy(&c);
  ms_checkpoint_destroy(NULL);
}

static void test_refuses_others(void) {
  const char *path = test_path("e.ckp");
  ms_checkpoint *c;
  size_t size;
  write_blocks(path);
  char *bytes = test_get(path, &size), swapped[4] = { 1, 2, 3, 4 };
  bytes[8] = 7;
  test_put_bytes(path, bytes, size);
  CHECK_STATUS(ms_checkpoint_read(test_context(), path, &c), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(test_context()), "is of version 7; this program reads version 1");
  memcpy(bytes + 12, swapped, 4);
  test_put_bytes(path, bytes, size);
  CHECK_STATUS(ms_checkpoint_read(test_context(), path, &c), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(test_context()), "another byte order");
  free(bytes);
}

static ms_status use(ms_context *ctx, void *user) {
  ms_checkpoint *c = NULL;
  ms_status status = ms_checkpoint_write(ctx, user, blocks, 4);
  if (status == MS_SUCCESS) status = ms_checkpoint_read(ctx, user, &c);
  ms_checkpoint_destroy(&c);
  return status;
}

static void test_memory_failures(void) {
  char path[512];
  snprintf(path, sizeof path, "%s", test_path("memory.ckp"));
  CHECK(test_allocations(use, path) >= 9);
}

int main(void) {
  test_folder_open();
  TEST(test_round_trip);
  TEST(test_no_blocks);
  TEST(test_cut_and_damaged);
  TEST(test_refuses);
  TEST(test_refuses_others);
  TEST(test_memory_failures);
  test_folder_close();
  return test_finish();
}
