/* Numbers in binary files, and compressed parts of them. */
#include "io/measured/binary.h"

#include <string.h>
#include <zlib.h>

enum { BESIDES = 16 << 20, TIMES = 40, CHUNK = 1 << 16 };

uint64_t ms_binary_unsigned(const unsigned char *p, int bytes, int big) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++) value |= (uint64_t)p[big ? bytes - 1 - i : i] << 8 * i;
  return value;
}

double ms_binary_number(const unsigned char *p, char kind, int bytes, int big) {
  const uint64_t bits = ms_binary_unsigned(p, bytes, big);
  if (kind == 'f' && bytes == 8) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (kind == 'f') {
    const uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    return value;
  }
  if (kind == 'u' || bits >> (8 * bytes - 1) == 0) return (double)bits;
  const uint64_t ones = bytes == 8 ? 0 : ~(uint64_t)0 << 8 * bytes;
  return -(double)(~(bits | ones) + 1);
}

uint32_t ms_binary_crc32(const char *bytes, size_t n) {
  return (uint32_t)crc32_z(0, (const unsigned char *)bytes, n);
}

void ms_binary_open(ms_binary_bound *bound, size_t length) {
  bound->left = TIMES * length + BESIDES;
}

static ms_status refuse_size(ms_measurement_reader *r) {
  return ms_fail(r->ctx, MS_ERR_FORMAT,
                 "%s: its values take more than %d times the size of the file; is it damaged?",
                 r->path, TIMES);
}

ms_status ms_binary_allocate(ms_measurement_reader *r, ms_binary_bound *bound, ptrdiff_t n,
                             double **out) {
  if (n < 0 || (size_t)n > bound->left / sizeof **out) return refuse_size(r);
  bound->left -= (size_t)n * sizeof **out;
  return ms_measurement_allocate(r, n, out);
}

static ms_status inflate_all(ms_measurement_reader *r, ms_binary_bound *bound, z_stream *z,
                             ptrdiff_t where, char **out, size_t *n) {
  size_t room = 0;
  for (int result = Z_OK; result != Z_STREAM_END;) {
    if (*n == room) {
      room = room ? 2 * room : CHUNK;
      if (room / 2 > bound->left) return refuse_size(r);
      MS_TRY(ms_resize(r->ctx, (ptrdiff_t)room, 1, out));
    }
    const size_t free_bytes = room - *n;
    z->next_out = (unsigned char *)*out + *n;
    z->avail_out = (unsigned)free_bytes;
    result = inflate(z, Z_NO_FLUSH);
    *n += free_bytes - z->avail_out;
    if (result != Z_OK && result != Z_STREAM_END)
      return ms_fail(r->ctx, result == Z_MEM_ERROR ? MS_ERR_MEMORY : MS_ERR_FORMAT,
                     "%s: byte %td: compressed data are damaged or cut off: %s", r->path, where,
                     z->msg ? z->msg : "they end too early");
  }
  return MS_SUCCESS;
}

ms_status ms_binary_inflate(ms_measurement_reader *r, ms_binary_bound *bound, const char *bytes,
                            size_t length, int raw, ptrdiff_t where, char **out, size_t *n) {
  z_stream z = { .avail_in = (unsigned)length };
  *out = NULL, *n = 0;
  if (length > 0x7fffffff)
    return ms_fail(r->ctx, MS_ERR_FORMAT, "%s: byte %td: more than 2 GiB of compressed data",
                   r->path, where);
  /* zlib does not write there, but its older headers do not say so. */
  memcpy(&z.next_in, &bytes, sizeof bytes);
  if (inflateInit2(&z, raw ? -MAX_WBITS : MAX_WBITS) != Z_OK)
    return ms_fail(r->ctx, MS_ERR_MEMORY, "%s: no memory to inflate", r->path);
  ms_status status = inflate_all(r, bound, &z, where, out, n);
  inflateEnd(&z);
  if (status != MS_SUCCESS) ms_free(r->ctx, out);
  return status;
}
