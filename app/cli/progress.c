/* How far a run is, on standard error: a bar for each analysis on a terminal, lines now and then
   elsewhere. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds left, if enough is done to tell; else -1. What an earlier start had done does not count.
 */
static double time_left(const cli_progress *p, double fraction, double passed) {
  const double done = fraction - p->before;
  return done > 0.02 && passed > 0.5 ? passed * (1.0 - fraction) / done : -1.0;
}

/* "  12 s, about 34 s left, 412 evaluations, misfit 0.034" */
static void print_details(const cli_progress *p, double fraction, double passed) {
  const double left = time_left(p, fraction, passed);
  const char *detail = ms_context_get_detail(p->ctx);
  fprintf(stderr, "  %.0f s", passed);
  if (left >= 0.0) fprintf(stderr, ", about %.0f s left", left);
  if (*detail) fprintf(stderr, ", %s", detail);
}

static void draw_bar(const cli_progress *p, double fraction, double passed) {
  enum { WIDTH = 30 };
  char bar[WIDTH + 1];
  for (int i = 0; i < WIDTH; i++) bar[i] = i < (int)(fraction * WIDTH) ? '=' : ' ';
  bar[WIDTH] = '\0';
  fprintf(stderr, "\r%-20s [%s] %3.0f %%", p->what, bar, 100.0 * fraction);
  if (fraction >= 1.0) {
    fprintf(stderr, "  %.1f s\033[K\n", passed);
  } else {
    if (passed > 0.5) print_details(p, fraction, passed);
    fprintf(stderr, "\033[K");
  }
}

/* Redirected: short runs are silent. */
static void print_line(cli_progress *p, double fraction, double passed) {
  if (!(p->every > 0.0) || now() < p->next) return;
  p->next = now() + p->every;
  fprintf(stderr, "microslip: %s: %.0f %%,", p->what, 100.0 * fraction);
  print_details(p, fraction, passed);
  fputc('\n', stderr);
}

int cli_show_progress(void *user, const char *what, double fraction) {
  cli_progress *p = user;
  if (p->next == 0.0) p->next = now() + p->every;
  if (strcmp(p->what, what) != 0 || fraction == 0.0) { /* what goes on says 0 once more */
    if (strcmp(p->what, what) != 0 || p->told > 0.0) p->start = now();
    snprintf(p->what, sizeof p->what, "%s", what);
  }
  p->told = fraction;
  const double passed = now() - p->start;
  if (passed < 0.05) p->before = fraction;
  if (isatty(STDERR_FILENO)) {
    draw_bar(p, fraction, passed);
  } else {
    print_line(p, fraction, passed);
  }
  fflush(stderr);
  return cli_get_signal() != 0;
}
