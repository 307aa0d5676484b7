/* The baseline: an Iwan element as it is usually programmed, n sliders spread uniformly. Plain C in
   one loop that a compiler turns into vector code; built with the flags most favourable to it. */
#ifndef MS_BENCH_TEXTBOOK_SLIDERS_H
#define MS_BENCH_TEXTBOOK_SLIDERS_H

typedef struct textbook {
  int n;
  double *phi, *stiffness, *anchor;
} textbook;

/* Sliders at the middles of n equal cells of (0, phi_max), and one at phi_max for S. */
textbook textbook_create(int n, double R, double S, double chi, double phi_max);
void textbook_destroy(textbook *t);
void textbook_start(textbook *t);
/* One accepted step: force, slope and new anchors in one pass. */
double textbook_step(textbook *t, double u, double *slope);
/* The flags this file was compiled with, and the instruction set they allow. */
const char *textbook_flags(void);
const char *textbook_instructions(void);

#endif
