/* Loads of a study: name: {half_sine: {...}, at: u2}. */
#ifndef MS_STUDY_MODEL_LOADS_H
#define MS_STUDY_MODEL_LOADS_H

#include <microslip/response.h>

#include "study/study.h"

typedef struct ms_study_load {
  const char *name;  /* owned by the document */
  const char *place; /* "at", "mode" or "base" */
  ms_load *load;     /* s(t) */
  double *shape;     /* the force is shape * s(t) */
  int moment;        /* 1: it acts on rotations only, s(t) is a moment */
  int of_mode;       /* 1: it lasts half a period of a mode */
  double *iota;      /* of a base: how coordinates follow the ground; else NULL */
} ms_study_load;

/* The load of that name in the study's `loads`; *out is to be freed even after a failure. */
ms_status ms_read_load(const ms_study *study, struct fy_node *name, ms_study_load *out);
void ms_load_free(ms_context *ctx, ms_study_load *load);
/* Noise whose lines do not resolve a mode that it excites makes an analysis suspect; one that
   repeats itself before the run ends, at `until` s, is worth a note. */
ms_status ms_load_judge(ms_study *study, ms_task *task, const ms_study_load *load, double until);
/* Everything under `loads` is valid. */
ms_status ms_check_loads(const ms_study *study);

/* load: {at: u2}, a place without a function of time. *out is to be freed even after a failure. */
ms_status ms_read_place(const ms_study *study, struct fy_node *node, const char *name,
                        ms_study_load *out);
/* What a load's own unit is in SI: force, moment, modal force, or acceleration. */
double ms_load_factor(const ms_units *units, const ms_study_load *load);
/* Of its levels, in SI. */
const char *ms_load_unit(const ms_study_load *load);

/* base_motion.c: iota and shape = -M iota of a base; shape is there already, and zero. */
ms_status ms_read_base(const ms_study *study, struct fy_node *base, ms_study_load *out);

/* M times a translation by 1 along x, y or z (0, 1, 2), into y (zero at first); and that
   translation in the coordinates into iota, unless it is NULL. MS_ERR_NAME where the structure has
   no directions. */
ms_status ms_find_translation(const ms_study *study, int direction, double *y, double *iota);

/* A degree of freedom by its name, not the ground; `what` it is, for complaints. */
ms_status ms_read_dof(const ms_study *study, struct fy_node *node, const char *what,
                      ptrdiff_t *out);
/* x (zero at first): a coordinate or a list of them for 1 each, or {coordinate: value}; values are
   times `factor`, on rotations times `about`. */
ms_status ms_read_weights(const ms_study *study, struct fy_node *node, const char *what,
                          double factor, double about, double *x);
/* Where a force acts, and with which weights: those on rotations are lengths. Rotations without
   weights and alone are acted on by a moment: then they have 1, and *moment is 1. */
ms_status ms_read_at(const ms_study *study, struct fy_node *node, double *x, int *moment);

#endif
