/* The checksum of streams and checkpoints. */
#include "io/crc32.h"

#include <string.h>

#include "support/check.h"

/* By the definition, bit by bit. */
static uint32_t slow(const unsigned char *p, size_t n) {
  uint32_t r = UINT32_C(0xFFFFFFFF);
  for (size_t i = 0; i < n; i++) {
    r ^= p[i];
    for (int bit = 0; bit < 8; bit++) r = r >> 1 ^ (r & 1 ? UINT32_C(0xEDB88320) : 0);
  }
  return ~r;
}

static void test_known(void) {
  ms_crc32 c;
  ms_crc32_setup(&c);
  CHECK_EQUAL(ms_crc32_add(&c, 0, "", 0), 0);
  CHECK_EQUAL(ms_crc32_add(&c, 0, "a", 1), 0xE8B7BE43);
  CHECK_EQUAL(ms_crc32_add(&c, 0, "123456789", 9), 0xCBF43926);
  const char *fox = "The quick brown fox jumps over the lazy dog";
  CHECK_EQUAL(ms_crc32_add(&c, 0, fox, strlen(fox)), 0x414FA339);
}

static void test_against_definition(void) {
  ms_crc32 c;
  unsigned char bytes[100];
  ms_random rng;
  ms_crc32_setup(&c);
  ms_random_start(&rng, 32, 0);
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)ms_random_bits(&rng);
  for (size_t begin = 0; begin < 9; begin++) {
    for (size_t n = 0; begin + n <= sizeof bytes; n++) {
      uint32_t want = slow(bytes + begin, n);
      CHECK_EQUAL(ms_crc32_add(&c, 0, bytes + begin, n), want);
      uint32_t half = ms_crc32_add(&c, 0, bytes + begin, n / 3);
      CHECK_EQUAL(ms_crc32_add(&c, half, bytes + begin + n / 3, n - n / 3), want);
    }
  }
}

int main(void) {
  TEST(test_known);
  TEST(test_against_definition);
  return test_finish();
}
