/* The analysis `hammer_test`: hits as they were measured, and the modes read from them. */
#ifndef MS_STUDY_ANALYSES_HAMMER_TEST_HAMMER_TEST_H
#define MS_STUDY_ANALYSES_HAMMER_TEST_HAMMER_TEST_H

#include <microslip/hit_judge.h>

#include "study/analyses/shared/curves.h"
#include "study/analyses/shared/rows.h"

/* A hit as the file has it. Its samples come from a file at once, from a transient later. */
typedef struct ms_study_hit {
  const char *name;
  struct fy_node *node;
  const ms_task *from; /* a transient; NULL: a file */
  const char *force;   /* channel of the force; NULL: of a transient its only load */
  ms_hit_use use;
  double *shape;         /* over the coordinates */
  ms_record_set samples; /* the force, then the sensors */
} ms_study_hit;

typedef struct ms_hammer_product {
  ms_curves curves; /* first: see analyses/shared/curves.h */
  ms_hammer_setting setting;
  ptrdiff_t *coordinate; /* of the sensors */
  ms_study_hit *hit;
  ptrdiff_t n_hit;
  double *rms;     /* n_channel of each hit */
  ms_hit *given;   /* what the test was made of */
  ms_hammer *test; /* from the run on */
  int shared;      /* every process has it */
} ms_hammer_product;

/* The modes that are read. */
ms_mode_list ms_hammer_modes(const ms_task *test);
/* The index of the hit in the test, -1 if it has none such. */
ptrdiff_t ms_hammer_find_hit(const ms_hammer_product *p, const char *name);

/* With several processes, by all of them: the records that the first one has to the others, who
   read them as it did. */
ms_status ms_hammer_share(ms_study *study, ms_hammer_product *p);

#endif
