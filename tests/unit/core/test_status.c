/* Status values and their texts. */
#include <microslip/status.h>

#include <errno.h>
#include <string.h>

#include "core/internal.h"
#include "support/check.h"

static const struct {
  ms_status status;
  const char *name;
} all[] = {
#define MS_STATUS_ENTRY(name, value, text) { name, #name },
  MS_STATUS_LIST(MS_STATUS_ENTRY)
#undef MS_STATUS_ENTRY
};
enum { N_STATUS = sizeof all / sizeof *all };

/* The sign is the contract: errors are negative, what can be recovered from is positive. */
static void test_signs(void) {
  CHECK_EQUAL(MS_SUCCESS, 0);
  for (int i = 0; i < N_STATUS; i++) {
    int is_error = strncmp(all[i].name, "MS_ERR_", 7) == 0;
    CHECK_EQUAL(all[i].status < 0, is_error);
    CHECK_EQUAL(all[i].status == 0, strcmp(all[i].name, "MS_SUCCESS") == 0);
  }
}

static void test_texts(void) {
  CHECK_TEXT(ms_status_text(MS_SUCCESS), "success");
  CHECK_TEXT(ms_status_text(MS_ERR_MEMORY), "out of memory");
  for (int i = 0; i < N_STATUS; i++) {
    const char *text = ms_status_text(all[i].status);
    CHECK(text && text[0] != '\0' && strcmp(text, "unknown status") != 0);
    for (int j = 0; j < i; j++) {
      CHECK(all[i].status != all[j].status);
      CHECK(strcmp(text, ms_status_text(all[j].status)) != 0);
    }
  }
}

static void test_unknown(void) {
  CHECK_TEXT(ms_status_text((ms_status)17), "unknown status");
  CHECK_TEXT(ms_status_text((ms_status)-17), "unknown status");
}

static int calls;
static ms_status give(ms_status status) {
  calls++;
  return status;
}
static ms_status tries(ms_status first, ms_status second) {
  MS_TRY(give(first));
  MS_TRY(give(second));
  return MS_SUCCESS;
}

static void test_try(void) {
  calls = 0;
  CHECK_OK(tries(MS_SUCCESS, MS_SUCCESS));
  CHECK_EQUAL(calls, 2);
  calls = 0;
  CHECK_STATUS(tries(MS_ERR_BOUNDS, MS_SUCCESS), MS_ERR_BOUNDS);
  CHECK_EQUAL(calls, 1);
  calls = 0;
  CHECK_STATUS(tries(MS_SUCCESS, MS_CANCELLED), MS_CANCELLED);
  CHECK_EQUAL(calls, 2);
}

/* What may be right with another path is bad input; memory and disks are not the user's. */
static void test_errno(void) {
  static const int path[] = { ENOENT, ENOTDIR, EISDIR, EEXIST,       EACCES, EPERM,
                              EROFS,  ELOOP,   ENXIO,  ENAMETOOLONG, EINVAL };
  static const int disk[] = { ENOSPC, EIO, EDQUOT, EFBIG };
  for (size_t i = 0; i < sizeof path / sizeof *path; i++)
    CHECK_EQUAL(ms_status_of_errno(path[i]), MS_ERR_FILE);
  for (size_t i = 0; i < sizeof disk / sizeof *disk; i++)
    CHECK_EQUAL(ms_status_of_errno(disk[i]), MS_ERR_DISK);
  CHECK_EQUAL(ms_status_of_errno(ENOMEM), MS_ERR_MEMORY);
}

int main(void) {
  TEST(test_signs);
  TEST(test_texts);
  TEST(test_unknown);
  TEST(test_try);
  TEST(test_errno);
  return test_finish();
}
