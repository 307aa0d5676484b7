/* One number for a mode in several surveys. */
#include "signal/survey_parts.h"

typedef struct numbering {
  ptrdiff_t n;
  double *freq_hz; /* of each mode that has been found, in the first survey that has it */
} numbering;

static ptrdiff_t find_nearest(double freq_hz, ptrdiff_t n, const double *of) {
  ptrdiff_t best = -1;
  for (ptrdiff_t k = 0; k < n; k++)
    if (best < 0 || fabs(of[k] - freq_hz) < fabs(of[best] - freq_hz)) best = k;
  return best;
}

/* freq_hz: of the survey's modes; number[] becomes places in the list. */
static void number_one(numbering *list, ptrdiff_t n_mode, const double *freq_hz,
                       ptrdiff_t *number) {
  const ptrdiff_t before = list->n;
  for (ptrdiff_t r = 0; r < n_mode; r++) {
    const ptrdiff_t k = find_nearest(freq_hz[r], before, list->freq_hz);
    const int same = k >= 0 && find_nearest(list->freq_hz[k], n_mode, freq_hz) == r &&
                     fabs(freq_hz[r] / list->freq_hz[k] - 1.0) <= MS_SURVEY_MATCH;
    number[r] = same ? k : list->n;
    if (!same) list->freq_hz[list->n++] = freq_hz[r];
  }
}

ms_status ms_survey_number(ms_context *ctx, ptrdiff_t n, const ms_survey *const *survey,
                           ptrdiff_t *const *number, ptrdiff_t *total) {
  ptrdiff_t most = 0;
  numbering list = { .n = 0 };
  *total = 0;
  for (ptrdiff_t i = 0; i < n; i++) most += survey[i]->info.n_mode;
  MS_TRY(ms_allocate(ctx, 2 * most, sizeof *list.freq_hz, &list.freq_hz));
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t r = 0; r < survey[i]->info.n_mode; r++)
      list.freq_hz[most + r] = survey[i]->mode[r].peak_hz;
    number_one(&list, survey[i]->info.n_mode, list.freq_hz + most, number[i]);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t r = 0; r < survey[i]->info.n_mode; r++) {
      ptrdiff_t rank = 1;
      for (ptrdiff_t k = 0; k < list.n; k++) rank += list.freq_hz[k] < list.freq_hz[number[i][r]];
      number[i][r] = rank;
    }
  }
  *total = list.n;
  ms_free(ctx, &list.freq_hz);
  return MS_SUCCESS;
}
