/* Mutated checkpoints, with the checksum that belongs to them unless they end in '!': whatever
   comes in, blocks within the file or a clean refusal comes out. */
#include <microslip/io.h>

#include <stdlib.h>
#include <string.h>

#include "io/crc32.h"
#include "support/fuzz.h"

/* The bytes and behind them their checksum; to be freed. */
static char *seal(const char *text, size_t *length) {
  uint32_t sum;
  ms_crc32 crc;
  char *bytes = malloc(*length + sizeof sum);
  if (!bytes) abort();
  if (*length > 0) memcpy(bytes, text, *length);
  if (*length > 0 && text[*length - 1] == '!') return bytes;
  ms_crc32_setup(&crc);
  sum = ms_crc32_add(&crc, 0, bytes, *length);
  memcpy(bytes + *length, &sum, sizeof sum);
  *length += sizeof sum;
  return bytes;
}

static const char *fault_of_checkpoint(const ms_checkpoint *c) {
  double sum = 0.0;
  for (ptrdiff_t i = 0; i < ms_checkpoint_get_count(c); i++) {
    ms_block block, same;
    if (ms_checkpoint_get(c, i, &block) != MS_SUCCESS) return "a block is not there";
    if (!*block.name || block.n < 0) return "a block without name";
    for (ptrdiff_t k = 0; k < block.n; k++) sum += block.values[k]; /* all must be readable */
    if (ms_checkpoint_find(c, block.name, &same) != MS_SUCCESS) return "a block is not found";
  }
  return sum == 0.1 ? "impossible" : NULL;
}

static const char *fault_of_refusal(ms_context *ctx, ms_status status, const char *path) {
  const char *message = ms_context_message(ctx);
  if (status != MS_ERR_FORMAT) return "refused with the wrong status";
  if (strncmp(message, path, strlen(path)) != 0) return "the message lacks the name";
  return strpbrk(message, "\r\n") ? "the message is more than one line" : NULL;
}

static const char *fault_of(const char *text, size_t length, long *accepted) {
  size_t size = length;
  char *bytes = seal(text, &size);
  const char *path = test_fuzz_file("fuzzed.checkpoint", bytes, size);
  ms_checkpoint *checkpoint = NULL;
  test_bounded memory;
  ms_context *ctx = test_fuzz_open(&memory, size);
  ms_status status = ms_checkpoint_read(ctx, path, &checkpoint);
  const char *fault =
      status == MS_SUCCESS ? fault_of_checkpoint(checkpoint) : fault_of_refusal(ctx, status, path);
  *accepted += status == MS_SUCCESS;
  ms_checkpoint_destroy(&checkpoint);
  free(bytes);
  return test_fuzz_close(&memory, &ctx, fault);
}

#define MAGIC "\x89MSCKP\r\n\1\0\0\0\4\3\2\1"

static const test_token seeds[] = {
  TOKEN(MAGIC "\0\0\0\0\0\0\0\0"),
  TOKEN(MAGIC
        "\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0u\0\0\0\0\0\0\xf8\x3f\0\0\0\0\0\0\2\xc0"),
  TOKEN(MAGIC "\2\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0ab"
              "\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0c\0\0\0\0\0\0\xf8\x3f"),
  TOKEN(""),
};

static const test_token tokens[] = {
  TOKEN(MAGIC),
  TOKEN("\xff\xff\xff\xff\xff\xff\xff\xff"),
  TOKEN("\0\0\0\0\0\0\0\x80"),
  TOKEN("!"),
  TOKEN("\1\0\0\0\0\0\0\0"),
  TOKEN("\0\0\0\0\0\0\0\0"),
  TOKEN("\0\0\0\0\0\0\0\x20"),
  TOKEN("a"),
};

MS_FUZZ_MAIN(fault_of, seeds, tokens)
