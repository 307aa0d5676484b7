#include "study/analyses/shared/answers.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "identify/calibrate/free_parameters.h"

/* "force at the onset of macroslip, including that of K_inf": only what it is, without details. */
void ms_answer_parameter(const ms_study *s, ms_result *result, ms_answer answer, const char *of,
                         const ms_joint_parameter *p) {
  const ms_param *param = ms_parameter_place_param(s->structure, &p->place[0]);
  const char *dot = strrchr(p->key, '.');
  const int whole = !dot || p->place[0].joint <= MS_PLACE_SPRING; /* spring.1, mass.NAME */
  char what[160];
  snprintf(what, sizeof what, "%s%s%.*s", of ? of : "", of ? " " : "",
           (int)strcspn(param->meaning, ",;:("), param->meaning);
  what[0] = (char)toupper((unsigned char)what[0]);
  answer.symbol = param->name;
  answer.unit = ms_joint_parameter_unit(p);
  ms_answer_add(result, answer, "%s, %.*s", what,
                (int)(whole ? strlen(p->key) : (size_t)(dot - p->key)), p->key);
}
