/* Fuzzing without a fuzzer: mutated seeds, the same ones for the same numbers.

   A fuzz program says what must hold for any bytes that come in, and gives seeds to start from and
   tokens to sprinkle in:

     static const char *fault_of(const char *text, size_t length, long *accepted) { ... }
     MS_FUZZ_MAIN(fault_of, seeds, tokens)

   argv[1] is the number of texts, argv[2] the seed. Built with MS_LIBFUZZER and libFuzzer's driver,
   the same property is what libFuzzer drives. */
#ifndef MS_TEST_FUZZ_H
#define MS_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>

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
} test_fuzz;

int test_fuzz_main(int argc, char **argv, const test_fuzz *fuzz);
int test_fuzz_one(const uint8_t *data, size_t size, test_fault_fn fault_of);

#ifdef MS_LIBFUZZER
#define MS_FUZZ_MAIN(fault_of, seeds, tokens)                    \
  int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);  \
  int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { \
    (void)seeds, (void)tokens;                                   \
    return test_fuzz_one(data, size, fault_of);                  \
  }
#else
#define MS_FUZZ_MAIN(fault_of, seeds, tokens)                                  \
  int main(int argc, char **argv) {                                            \
    test_fuzz fuzz = { fault_of, seeds, tokens, COUNT(seeds), COUNT(tokens) }; \
    return test_fuzz_main(argc, argv, &fuzz);                                  \
  }
#endif

#endif
