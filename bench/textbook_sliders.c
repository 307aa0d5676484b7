#include "textbook_sliders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *numbers(int n) {
  double *p = aligned_alloc(64, ((size_t)n * sizeof *p + 63) / 64 * 64);
  if (!p) abort();
  memset(p, 0, (size_t)n * sizeof *p);
  return p;
}

textbook textbook_create(int n, double R, double S, double chi, double phi_max) {
  textbook t = { n + 1, numbers(n + 1), numbers(n + 1), numbers(n + 1) };
  double h = phi_max / n;
  for (int i = 0; i < n; i++) {
    t.phi[i] = (i + 0.5) * h;
    t.stiffness[i] = R * (pow((i + 1) * h, chi + 1.0) - pow(i * h, chi + 1.0)) / (chi + 1.0);
  }
  t.phi[n] = phi_max;
  t.stiffness[n] = S;
  return t;
}

void textbook_destroy(textbook *t) {
  free(t->phi);
  free(t->stiffness);
  free(t->anchor);
}

void textbook_start(textbook *t) {
  memset(t->anchor, 0, (size_t)t->n * sizeof *t->anchor);
}

double textbook_step(textbook *t, double u, double *slope) {
  const double *restrict phi = t->phi, *restrict k = t->stiffness;
  double *restrict x = t->anchor;
  double F = 0.0, K = 0.0;
  for (int i = 0; i < t->n; i++) {
    double e = u - x[i];
    double c = e > phi[i] ? phi[i] : e < -phi[i] ? -phi[i] : e;
    K += c == e ? k[i] : 0.0;
    F += k[i] * c;
    x[i] = u - c;
  }
  *slope = K;
  return F;
}

const char *textbook_flags(void) {
  return MS_TEXTBOOK_FLAGS;
}

const char *textbook_instructions(void) {
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__)
  return "AVX2";
#elif defined(__SSE2__)
  return "SSE2";
#else
  return "the architecture's base set";
#endif
}
