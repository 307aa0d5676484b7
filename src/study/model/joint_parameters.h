/* Parameters of joints by name, as analyses that search or draw them have them. */
#ifndef MS_STUDY_MODEL_JOINT_PARAMETERS_H
#define MS_STUDY_MODEL_JOINT_PARAMETERS_H

#include <microslip/calibrate.h>

#include "study/study.h"

/* "lap.K_T" in the file. */
typedef struct ms_joint_parameter {
  const char *key;  /* owned by the document */
  const char *unit; /* SI; of the law */
  char name[320];   /* "K_T of lap" */
  ms_parameter_place *place;
  ptrdiff_t n_place;
} ms_joint_parameter;

/* The places of "lap.K_T" or "bolt.*.K_T" (what stands before the last dot is a pattern over the
   joints' names), and the factor of its unit to SI. */
ms_status ms_joint_parameter_find(const ms_study *study, struct fy_node *key, ms_joint_parameter *p,
                                  double *factor);
/* Refuses two parameters that stand for the same number. */
ms_status ms_joint_parameter_check_twice(const ms_study *study, struct fy_node *key,
                                         const ms_joint_parameter *a, const ms_joint_parameter *b);
/* Its unit; NULL where it has none. */
const char *ms_joint_parameter_unit(const ms_joint_parameter *parameter);
/* parameters: {lap.K_T: [lowest, highest], ...}, up to MS_JOINT_PARAMETERS of them; arrays, and the
   places, are the caller's to free, also after a failure, *n so far. Bounds are in SI. */
enum { MS_JOINT_PARAMETERS = 32 };
ms_status ms_joint_parameters_read(const ms_study *study, struct fy_node *node, ptrdiff_t *n,
                                   ms_joint_parameter **parameter, ms_fit_parameter **bound,
                                   ms_free_parameter **free);

#endif
