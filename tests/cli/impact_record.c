/* A simulated impact test as a table on standard output, for the scripts:
   impact_record PEAK SEED [NAME=VALUE]..., with the names rate, length, preload, second, range. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/impacts.h"

int main(int argc, char **argv) {
  test_impact t = test_impact_default();
  if (argc < 3) return 2;
  t.peak = strtod(argv[1], NULL);
  t.seed = (unsigned)strtoul(argv[2], NULL, 10);
  const struct {
    const char *name;
    double *value;
  } option[] = { { "rate", &t.rate },
                 { "length", &t.length },
                 { "preload", &t.preload },
                 { "second", &t.second },
                 { "range", &t.range } };
  for (int i = 3; i < argc; i++) {
    const size_t n = strcspn(argv[i], "=");
    for (size_t k = 0; k < sizeof option / sizeof *option; k++)
      if (strlen(option[k].name) == n && strncmp(argv[i], option[k].name, n) == 0)
        *option[k].value = strtod(argv[i] + n + 1, NULL);
  }
  double *force, *x;
  test_impact_run(&t, &force, &x);
  const ptrdiff_t n = test_impact_samples(&t);
  printf("Time (s),hammer (N),a1 (g),a2 (g),a3 (g),a4 (g)\n");
  for (ptrdiff_t k = 0; k < n; k++) {
    printf("%.9g,%.6g", (double)k / t.rate, force[k]);
    for (int i = 0; i < IMPACT_MASSES; i++) printf(",%.7g", x[k + n * i] / 9.80665);
    printf("\n");
  }
  free(force);
  free(x);
  return 0;
}
