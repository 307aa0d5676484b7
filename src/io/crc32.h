/* The checksum of Ethernet, gzip and PNG (polynomial 0x04C11DB7, reflected), eight bytes at a time.
   It detects every change of up to 32 bits in a row. */
#ifndef MS_IO_CRC32_H
#define MS_IO_CRC32_H

#include <stddef.h>
#include <stdint.h>

typedef struct ms_crc32 {
  uint32_t table[8][256];
} ms_crc32;

void ms_crc32_setup(ms_crc32 *c);

/* The checksum of what `crc` is the checksum of, followed by these bytes; begin with 0. */
uint32_t ms_crc32_add(const ms_crc32 *c, uint32_t crc, const void *bytes, size_t n);

#endif
