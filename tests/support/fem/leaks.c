#include "support/fem/leaks.h"

#include "support/check.h"

/* There where the program is built with AddressSanitizer. */
extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));
extern void __lsan_do_leak_check(void) __attribute__((weak));

void test_leaks_ignore(void) {
  if (__lsan_disable) __lsan_disable();
}

void test_leaks_watch(void) {
  if (__lsan_enable) __lsan_enable();
}

int test_leaks_finish(void) {
  int status = test_finish();
  if (__lsan_do_leak_check) __lsan_do_leak_check();
  return status;
}
