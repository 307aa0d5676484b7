/* Numbers in binary files, and compressed parts of them. */
#ifndef MS_IO_BINARY_H
#define MS_IO_BINARY_H

#include <stdint.h>

#include "io/measured/measured.h"

/* `bytes` bytes of an unsigned integer, 1 to 8. */
uint64_t ms_binary_unsigned(const unsigned char *p, int bytes, int big);
/* A number of kind 'f' (4 or 8 bytes), 'i' or 'u' (1, 2, 4, 8). */
double ms_binary_number(const unsigned char *p, char kind, int bytes, int big);

uint32_t ms_binary_crc32(const char *bytes, size_t n);

/* What a file's values may take in memory is bounded by its size. */
typedef struct ms_binary_bound {
  size_t left; /* bytes */
} ms_binary_bound;
void ms_binary_open(ms_binary_bound *bound, size_t length);
/* n numbers of the file, as far as the bound allows them. */
ms_status ms_binary_allocate(ms_measurement_reader *r, ms_binary_bound *bound, ptrdiff_t n,
                             double **out);
/* The inflated bytes, to be freed; raw: without zlib's head. `where`: byte of the file. */
ms_status ms_binary_inflate(ms_measurement_reader *r, ms_binary_bound *bound, const char *bytes,
                            size_t length, int raw, ptrdiff_t where, char **out, size_t *n);

#endif
