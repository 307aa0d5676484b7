/* The analysis `hammer_test`: hits as they were measured, and the modes read from them. */
#ifndef MS_STUDY_ANALYSES_HAMMER_TEST_HAMMER_TEST_H
#define MS_STUDY_ANALYSES_HAMMER_TEST_HAMMER_TEST_H

#include <microslip/hammer.h>

#include "study/analyses/shared/curves.h"

/* A hit as the file has it. Its samples come from a file at once, from a transient later. */
typedef struct ms_study_hit {
  const char *name;
  struct fy_node *node;
  const ms_task *from; /* a transient; NULL: a file */
  const char *force;   /* channel of the force; NULL: of a transient its only load */
  double *shape;       /* over the coordinates */
  ptrdiff_t n;
  double dt;
  double *x; /* n x (n_channel + 1): the force, then the sensors */
} ms_study_hit;

typedef struct ms_hammer_product {
  ms_curves curves; /* first: see analyses/shared/curves.h */
  ms_hammer_setting setting;
  ptrdiff_t *coordinate; /* of the sensors */
  const char **channel;  /* their names in the records; NULL: the coordinate's own */
  int *mode;
  int n_mode;
  ms_study_hit *hit;
  ptrdiff_t n_hit;
  double noise;    /* rms of every sensor; 0: not known */
  double add;      /* noise that is added, of each channel's largest value */
  uint64_t seed;   /* of it */
  double *rms;     /* n_channel of each hit */
  ms_hammer *test; /* from the run on */
  int shared;      /* every process has it */
} ms_hammer_product;

/* hammer_test.c: the index of the hit or mode (0-based) in the test, -1 if it has none such. */
ptrdiff_t ms_hammer_find_hit(const ms_hammer_product *p, const char *name);
ptrdiff_t ms_hammer_find_mode(const ms_hammer_product *p, int mode);

/* With several processes, by all of them: the records that the first one has to the others, who
   read them as it did. */
ms_status ms_hammer_share(ms_study *study, ms_hammer_product *p);

/* options.c */
ms_status ms_hammer_check(ms_study *study, ms_task *task);
enum { MS_HAMMER_KEYS = 12 };
extern const ms_param ms_hammer_keys[MS_HAMMER_KEYS];
/* records.c: the samples of a hit, from its file (NULL: none) or its transient. */
const char *ms_hammer_channel_name(const ms_study *study, const ms_hammer_product *p, ptrdiff_t c);
ms_status ms_hammer_check_hit(const ms_study *study, const ms_task *task,
                              const ms_hammer_product *p, const char *file, ms_study_hit *hit);
ms_status ms_hammer_gather_hit(const ms_study *study, const ms_hammer_product *p,
                               ms_study_hit *hit);

#endif
