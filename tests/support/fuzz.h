/* Fuzzing without a fuzzer: mutated seeds, the same ones for the same numbers.

   A fuzz program says what must hold for any bytes that come in, and gives seeds to start from and
   tokens to sprinkle in:

     static const char *fault_of(const char *text, size_t length, long *accepted) { ... }
     MS_FUZZ_MAIN(fault_of, seeds, tokens)

   argv[1] is the number of texts, argv[2] the seed. Built with MS_LIBFUZZER and libFuzzer's driver,
   the same property is what libFuzzer drives; with MS_FUZZ_SEEDS=FOLDER in the environment it
   writes its seeds and a dictionary there, and ends. */
#ifndef MS_TEST_FUZZ_H
#define MS_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include <microslip/context.h>

typedef struct test_token {
  const char *text;
  size_t length;
} test_token;

#define TOKEN(characters) \
  { characters, sizeof(characters) - 1 }
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* NULL, or what is wrong with how the text was taken. *accepted grows by one if it was accepted. */
typedef const char *(*test_fault_fn)(const char *text, size_t length, long *accepted);

typedef struct test_fuzz {
  test_fault_fn fault_of;
  const test_token *seeds, *tokens; /* every seed that is not empty must be accepted */
  size_t n_seeds, n_tokens;
  long texts; /* of a run without arguments; 0: 20000 */
} test_fuzz;

/* A context whose memory is bounded: a reader may take 100 times what it reads and 64 MiB. */
typedef struct test_bounded {
  size_t used, limit;
  long live;
  int exceeded;
} test_bounded;
ms_context *test_fuzz_open(test_bounded *memory, size_t length);
/* Closes it: the fault if there is one already, else whether memory leaked or the bound was passed.
 */
const char *test_fuzz_close(test_bounded *memory, ms_context **ctx, const char *fault);

/* The bytes as a file of that name, for readers that take a path; the same folder in every call. */
const char *test_fuzz_file(const char *name, const void *bytes, size_t length);

int test_fuzz_main(int argc, char **argv, const test_fuzz *fuzz);
int test_fuzz_one(const uint8_t *data, size_t size, test_fault_fn fault_of);
void test_fuzz_prepare(const test_fuzz *fuzz); /* MS_FUZZ_SEEDS */

#ifdef MS_LIBFUZZER
#define MS_FUZZ_FEW(fault_of, seeds, tokens, texts)                               \
  int LLVMFuzzerInitialize(int *argc, char ***argv);                              \
  int LLVMFuzzerInitialize(int *argc, char ***argv) {                             \
    test_fuzz fuzz = { fault_of, seeds, tokens, COUNT(seeds), COUNT(tokens), 0 }; \
    (void)argc, (void)argv;                                                       \
    test_fuzz_prepare(&fuzz);                                                     \
    return 0;                                                                     \
  }                                                                               \
  int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);                   \
  int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {                  \
    return test_fuzz_one(data, size, fault_of);                                   \
  }
#else
#define MS_FUZZ_FEW(fault_of, seeds, tokens, texts)                                     \
  int main(int argc, char **argv) {                                                     \
    test_fuzz fuzz = { fault_of, seeds, tokens, COUNT(seeds), COUNT(tokens), (texts) }; \
    return test_fuzz_main(argc, argv, &fuzz);                                           \
  }
#endif
#define MS_FUZZ_MAIN(fault_of, seeds, tokens) MS_FUZZ_FEW(fault_of, seeds, tokens, 0)

#endif
