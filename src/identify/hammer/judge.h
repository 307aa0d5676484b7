/* Judging the records of a hammer test, as its files see it. Letters:

     h, c, g   hit, sensor, group of modes that the window does not tell apart
     p_g(t)    what a unit modal force f(t) does to a mode of the group
     a_cg      sensor c = sum_g a_cg p_g(t)/|p_g|, fitted
     m_cg      the same, predicted: |p_g| sum_r phi_cr phi_r^T b, b where the force acts */
#ifndef MS_IDENTIFY_HAMMER_JUDGE_H
#define MS_IDENTIFY_HAMMER_JUDGE_H

#include <microslip/hit_judge.h>

enum { MS_JUDGE_GROUPS = 16 };

typedef struct judged_group {
  ptrdiff_t first, n; /* modes */
  double omega, zeta;
} judged_group;

typedef struct judged_hit {
  const ms_hit *from;
  ms_hit_judgement *out;
  ms_pulse pulse;
  int bad_force, fitted;
  char *silent, *used; /* of each sensor: it seems to be lost; it is compared with the modes */
  double ring;         /* first ringing, rms over sensors relative to their peaks */
  /* from the fit on */
  ptrdiff_t n, n_group; /* samples; the lowest groups */
  double norm[MS_JUDGE_GROUPS];
  double *a, *noise;  /* n_group x n_channel; of each channel, of an entry of a */
  double *m;          /* n_group x n_channel, as the hit is stated */
  ptrdiff_t *source;  /* of each channel: the sensor that it has, and its factor */
  double *factor, *d; /* d: part unexplained */
} judged_hit;

typedef struct judge {
  ms_context *ctx;
  const ms_structure *s;
  ms_hit_judge_setting setting;
  double window;  /* s */
  double slowest; /* rad/s, of the modes that have this many periods in a record */
  judged_group group[MS_JUDGE_GROUPS];
  ptrdiff_t n_group, n_hit;
  judged_hit *hit;
} judge;

void ms_judge_add(judged_hit *h, ms_hit_finding finding);
double ms_judge_median(ptrdiff_t n, double *x); /* which are sorted; 0 of none */
double ms_judge_dot(ptrdiff_t n, const double *restrict x, const double *restrict y);
/* judge_record.c: by the record alone. */
ms_status ms_judge_record(judge *j, judged_hit *h);
/* judge_fit.c: a and norm; `fitted` where there was something to fit. */
void ms_judge_group_modes(judge *j);
ms_status ms_judge_fit(judge *j, judged_hit *h);
/* judge_model.c: by what was fitted; returns 0 if the modes do not explain the hits. */
ms_status ms_judge_compare(judge *j, int *explained);

#endif
