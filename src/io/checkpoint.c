/* Checkpoints: named arrays of doubles in one file.

     8 bytes   89 M S C K P CR LF
     uint32    version, 1
     uint32    0x01020304, to recognise another byte order
     uint64    number of blocks
     blocks    uint64 bytes of the name, uint64 number of values, name, values
     uint32    CRC-32 of all of the above

   Everything is in the machine's byte order. */
#include <microslip/io.h>

#include <string.h>

#include "core/internal.h"
#include "io/crc32.h"
#include "io/internal.h"

enum { VERSION = 1 };
#define ORDER_MARK UINT32_C(0x01020304)
enum { HEADER_SIZE = 24, CRC_SIZE = 4, SHOWN = 40 };

static const unsigned char magic[8] = { 0x89, 'M', 'S', 'C', 'K', 'P', '\r', '\n' };

/* ---- writing ---- */

typedef struct writer {
  FILE *out;
  uint32_t sum;
  ms_crc32 crc;
} writer;

static void put(writer *w, const void *bytes, size_t n) {
  if (n == 0) return;
  w->sum = ms_crc32_add(&w->crc, w->sum, bytes, n);
  fwrite(bytes, 1, n, w->out); /* an error stays with the stream, and commit finds it */
}

static void put64(writer *w, uint64_t value) {
  put(w, &value, sizeof value);
}

static ms_status check_block(ms_context *ctx, const ms_block *blocks, ptrdiff_t i) {
  const ms_block *b = &blocks[i];
  if (!b->name || !*b->name)
    return ms_fail(ctx, MS_ERR_ARGUMENT, "block %td of a checkpoint has no name; give it one", i);
  if (b->n < 0 || (b->n > 0 && !b->values))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "block '%.*s' of a checkpoint has no values", SHOWN,
                   b->name);
  for (ptrdiff_t k = 0; k < i; k++) {
    if (strcmp(blocks[k].name, b->name) != 0) continue;
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "two blocks of a checkpoint are named '%.*s'; every block needs its own name",
                   SHOWN, b->name);
  }
  return MS_SUCCESS;
}

ms_status ms_checkpoint_write(ms_context *ctx, const char *path, const ms_block *blocks,
                              ptrdiff_t n) {
  if (n < 0 || (n > 0 && !blocks))
    return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_checkpoint_write: needs blocks");
  for (ptrdiff_t i = 0; i < n; i++) MS_TRY(check_block(ctx, blocks, i));
  ms_outfile *file;
  MS_TRY(ms_outfile_open(ctx, path, &file));
  writer w = { .out = ms_outfile_stream(file) };
  ms_crc32_setup(&w.crc);
  uint32_t mark[2] = { VERSION, ORDER_MARK };
  put(&w, magic, sizeof magic);
  put(&w, mark, sizeof mark);
  put64(&w, (uint64_t)n);
  for (ptrdiff_t i = 0; i < n; i++) {
    put64(&w, strlen(blocks[i].name));
    put64(&w, (uint64_t)blocks[i].n);
    put(&w, blocks[i].name, strlen(blocks[i].name));
    put(&w, blocks[i].values, (size_t)blocks[i].n * sizeof(double));
  }
  uint32_t sum = w.sum;
  put(&w, &sum, sizeof sum);
  return ms_outfile_commit(&file);
}

/* ---- reading ---- */

struct ms_checkpoint {
  ms_context *ctx;
  char *path;
  ms_block *block;
  ptrdiff_t n;
  char *names;    /* of all blocks, each ended by NUL */
  double *values; /* of all blocks */
};

/* What is left of the file. */
typedef struct cursor {
  const char *begin, *end;
} cursor;

void ms_checkpoint_destroy(ms_checkpoint **checkpoint) {
  if (!checkpoint || !*checkpoint) return;
  ms_checkpoint *c = *checkpoint;
  ms_free(c->ctx, &c->values);
  ms_free(c->ctx, &c->names);
  ms_free(c->ctx, &c->block);
  ms_free(c->ctx, &c->path);
  ms_free(c->ctx, checkpoint);
}

static ms_status refuse(ms_context *ctx, const char *path, const char *what) {
  return ms_fail(ctx, MS_ERR_FORMAT, "%s: %s", path, what);
}

static uint32_t get32(const char *p) {
  uint32_t value;
  memcpy(&value, p, sizeof value);
  return value;
}

static uint64_t get64(const char *p) {
  uint64_t value;
  memcpy(&value, p, sizeof value);
  return value;
}

static ms_status check_whole(ms_context *ctx, const char *path, const char *bytes, size_t n) {
  size_t known = n < sizeof magic ? n : sizeof magic;
  if (known > 0 && memcmp(bytes, magic, known) != 0)
    return refuse(ctx, path, "is not a checkpoint; give a file that a run has written");
  if (n < HEADER_SIZE + CRC_SIZE)
    return refuse(ctx, path, "is cut off; resume from another checkpoint or start the run again");
  if (get32(bytes + 12) != ORDER_MARK)
    return refuse(ctx, path,
                  "is damaged or from a machine with another byte order; resume where the "
                  "run was started");
  if (get32(bytes + 8) != VERSION)
    return ms_fail(ctx, MS_ERR_FORMAT, "%s: is of version %u; this program reads version %d", path,
                   (unsigned)get32(bytes + 8), VERSION);
  ms_crc32 crc;
  ms_crc32_setup(&crc);
  if (ms_crc32_add(&crc, 0, bytes, n - CRC_SIZE) != get32(bytes + n - CRC_SIZE))
    return refuse(ctx, path,
                  "is cut off or damaged: its checksum is wrong; resume from another "
                  "checkpoint or start the run again");
  return MS_SUCCESS;
}

/* Sizes of the block at the cursor; 0 if it goes beyond the end. */
static int take_sizes(cursor *c, size_t *name, size_t *values) {
  size_t left = (size_t)(c->end - c->begin);
  if (left < 16) return 0;
  uint64_t n_name = get64(c->begin), n_values = get64(c->begin + 8);
  left -= 16;
  if (n_name > left || n_values > (left - n_name) / sizeof(double)) return 0;
  c->begin += 16;
  *name = (size_t)n_name;
  *values = (size_t)n_values;
  return 1;
}

/* The names and values follow one another in memory as they do in the file. */
static int take_blocks(ms_checkpoint *c, cursor rest) {
  char *name = c->names;
  double *value = c->values;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    size_t n_name, n_values;
    if (!take_sizes(&rest, &n_name, &n_values)) return 0;
    if (n_name == 0 || memchr(rest.begin, 0, n_name)) return 0; /* none that was written */
    memcpy(name, rest.begin, n_name);
    name[n_name] = '\0';
    memcpy(value, rest.begin + n_name, n_values * sizeof *value);
    c->block[i] = (ms_block) { .name = name, .n = (ptrdiff_t)n_values, .values = value };
    rest.begin += n_name + n_values * sizeof *value;
    name += n_name + 1;
    value += n_values;
  }
  return rest.begin == rest.end;
}

static ms_status fill(ms_checkpoint *c, const char *path, const char *bytes, size_t n) {
  MS_TRY(ms_text_copy(c->ctx, path, &c->path));
  MS_TRY(check_whole(c->ctx, path, bytes, n));
  cursor rest = { bytes + HEADER_SIZE, bytes + n - CRC_SIZE };
  ptrdiff_t remaining = rest.end - rest.begin;
  if (get64(bytes + 16) > (uint64_t)remaining / 16)
    return refuse(c->ctx, path, "is damaged; start again");
  c->n = (ptrdiff_t)get64(bytes + 16);
  MS_TRY(ms_allocate(c->ctx, c->n, sizeof *c->block, &c->block));
  MS_TRY(ms_resize(c->ctx, remaining + 1, 1, &c->names)); /* sizes leave room for the NULs */
  MS_TRY(ms_resize(c->ctx, remaining / (ptrdiff_t)sizeof *c->values + 1, sizeof *c->values,
                   &c->values));
  return take_blocks(c, rest) ? MS_SUCCESS : refuse(c->ctx, path, "is damaged; start again");
}

ms_status ms_checkpoint_read(ms_context *ctx, const char *path, ms_checkpoint **out) {
  if (!out) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_checkpoint_read: needs an output pointer");
  *out = NULL;
  if (!path) return ms_fail(ctx, MS_ERR_ARGUMENT, "ms_checkpoint_read: needs a path");
  char *bytes;
  size_t n;
  MS_TRY(ms_io_load(ctx, path, &bytes, &n));
  ms_status status = ms_allocate(ctx, 1, sizeof **out, out);
  if (status == MS_SUCCESS) {
    (*out)->ctx = ctx;
    status = fill(*out, path, bytes, n);
  }
  ms_free(ctx, &bytes);
  if (status != MS_SUCCESS) ms_checkpoint_destroy(out);
  return status;
}

ptrdiff_t ms_checkpoint_get_count(const ms_checkpoint *checkpoint) {
  return checkpoint->n;
}

ms_status ms_checkpoint_get(const ms_checkpoint *c, ptrdiff_t index, ms_block *out) {
  if (index < 0 || index >= c->n)
    return ms_fail(c->ctx, MS_ERR_ARGUMENT, "%s: there is no block %td; there are %td", c->path,
                   index, c->n);
  *out = c->block[index];
  return MS_SUCCESS;
}

ms_status ms_checkpoint_find(const ms_checkpoint *c, const char *name, ms_block *out) {
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (strcmp(c->block[i].name, name) != 0) continue;
    *out = c->block[i];
    return MS_SUCCESS;
  }
  return ms_fail(c->ctx, MS_ERR_NAME, "%s: has no block '%.*s'; is it from another kind of run?",
                 c->path, SHOWN, name);
}
