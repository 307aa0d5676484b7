#include "io/crc32.h"

void ms_crc32_setup(ms_crc32 *c) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t r = i;
    for (int bit = 0; bit < 8; bit++) r = r >> 1 ^ (r & 1 ? UINT32_C(0xEDB88320) : 0);
    c->table[0][i] = r;
  }
  for (int k = 1; k < 8; k++) {
    for (int i = 0; i < 256; i++) {
      uint32_t r = c->table[k - 1][i];
      c->table[k][i] = r >> 8 ^ c->table[0][r & 0xFF];
    }
  }
}

uint32_t ms_crc32_add(const ms_crc32 *c, uint32_t crc, const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  crc = ~crc;
  for (; n >= 8; n -= 8, p += 8) {
    uint32_t low = crc ^ (p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
    crc = c->table[7][low & 0xFF] ^ c->table[6][low >> 8 & 0xFF] ^ c->table[5][low >> 16 & 0xFF] ^
          c->table[4][low >> 24] ^ c->table[3][p[4]] ^ c->table[2][p[5]] ^ c->table[1][p[6]] ^
          c->table[0][p[7]];
  }
  for (; n > 0; n--, p++) crc = crc >> 8 ^ c->table[0][(crc ^ *p) & 0xFF];
  return ~crc;
}
