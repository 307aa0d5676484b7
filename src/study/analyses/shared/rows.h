/* Rows of keys whose values refer to the model, to loads or to earlier analyses: read into what the
   analysis works with. A key has the name of the member of `type` that its value goes to.

   row                    member            where the key is absent
   MS_MODE                int, from 0       -1
   MS_MODES               ms_mode_list      all of the structure's
   MS_DOF                 ptrdiff_t         MS_GROUND
   MS_DOFS                ms_dof_list       empty
   MS_SENSOR              ptrdiff_t         MS_GROUND: in each mode the one that moves most
   MS_JOINT               int               -1
   MS_TASK, MS_TASKS      const ms_task *,  NULL, empty; _LAST: the last one before. `kinds` are
   MS_LAST_TASK, ...      ms_task_list      "transient|shock"; NULL: any
   MS_TIME                ms_time_setting   zero
   MS_AMPLITUDES          ms_numbers, SI    empty
   MS_PRELOAD             double *          NULL
   MS_LOAD                ms_study_load     without a name
   MS_PLACE               ms_study_load     zero; it has no function of time
   MS_WEIGHTS             ms_weights        without values
   MS_AT_OR_BASE          ms_study_load     the two keys at and base, of which one is required; as
                                            of MS_PLACE */
#ifndef MS_STUDY_ANALYSES_SHARED_ROWS_H
#define MS_STUDY_ANALYSES_SHARED_ROWS_H

#include "study/file/shared_keys.h"
#include "study/model/loads.h"
#include "study/analyses/shared/time_options.h"

typedef struct ms_mode_list {
  int *mode; /* from 0 */
  int n;
} ms_mode_list;

typedef struct ms_dof_list {
  ptrdiff_t *dof, n;
} ms_dof_list;

typedef struct ms_task_list {
  const ms_task **task;
  int n;
} ms_task_list;

/* Of the degrees of freedom: where a force acts, or what is made of their displacements. */
typedef struct ms_weights {
  double *value;
  int moment; /* 1: of rotations only, and without weights in the file */
} ms_weights;

extern const ms_param_reader ms_as_mode, ms_as_modes, ms_as_dof, ms_as_dofs, ms_as_sensor,
    ms_as_joint, ms_as_task, ms_as_tasks, ms_as_last_task, ms_as_last_tasks, ms_as_time,
    ms_as_adaptive_time, ms_as_amplitudes, ms_as_preload, ms_as_load, ms_as_place, ms_as_weights,
    ms_as_at, ms_as_base;

#define MS_READ(type, member, kinds, by, absent, text)                                    \
  {                                                                                       \
    MS_AT(type, member), .kind = MS_PARAM_FORMS, .forms = kinds, .reader = &(by), absent, \
                         .meaning = text                                                  \
  }
#define MS_MODE(type, member, absent, text)                                                 \
  {                                                                                         \
    MS_AT(type, member), .kind = MS_PARAM_COUNT, MS_FROM(1), .reader = &ms_as_mode, absent, \
                         .meaning = text                                                    \
  }
#define MS_MODES(type, member, absent, text) \
  MS_READ(type, member, "whole number or list of them", ms_as_modes, absent, text)
#define MS_DOF(type, member, absent, text) MS_READ(type, member, "word", ms_as_dof, absent, text)
#define MS_DOFS(type, member, absent, text) \
  MS_READ(type, member, "word or list", ms_as_dofs, absent, text)
#define MS_SENSOR(type, member)                                                                 \
  MS_READ(type, member, "word", ms_as_sensor, MS_ELSE("for each mode the one that moves most"), \
          "degree of freedom at which the table also gives amplitudes")
#define MS_JOINT(type, member, absent, text) \
  MS_READ(type, member, "word", ms_as_joint, absent, text)
#define MS_OF_TASKS(type, member, kinds, by, allowed, absent, text)               \
  {                                                                               \
    MS_AT(type, member), .kind = MS_PARAM_FORMS, .forms = kinds, .reader = &(by), \
                         .choices = allowed, absent, .meaning = text              \
  }
#define MS_TASK(type, member, kinds, absent, text) \
  MS_OF_TASKS(type, member, "word", ms_as_task, kinds, absent, text)
#define MS_TASKS(type, member, kinds, absent, text) \
  MS_OF_TASKS(type, member, "word or list", ms_as_tasks, kinds, absent, text)
#define MS_LAST_TASK(type, member, kinds, text) \
  MS_OF_TASKS(type, member, "word", ms_as_last_task, kinds, MS_ELSE("the last one"), text)
#define MS_LAST_TASKS(type, member, kinds, text) \
  MS_OF_TASKS(type, member, "word or list", ms_as_last_tasks, kinds, MS_ELSE("the last one"), text)
#define MS_TIME(type, member, absent)                                                       \
  {                                                                                         \
    MS_AT(type, member), .kind = MS_PARAM_FORMS, .forms = "mapping", .reader = &ms_as_time, \
                         .keys = &ms_time_keys, absent, .meaning = "how to integrate"       \
  }
#define MS_ADAPTIVE_TIME(type, member, absent)                                                   \
  {                                                                                              \
    MS_AT(type, member), .kind = MS_PARAM_FORMS, .forms = "mapping",                             \
                         .reader = &ms_as_adaptive_time, .keys = &ms_adaptive_time_keys, absent, \
                         .meaning = "how to integrate"                                           \
  }
/* Above 0; `si` as of MS_NUMBER. */
#define MS_AMPLITUDES(type, member, si, absent, text)                                             \
  {                                                                                               \
    MS_AT(type, member), .kind = MS_PARAM_FORMS, .forms = "number, list or mapping",              \
                         .reader = &ms_as_amplitudes, .keys = &ms_level_keys, .unit = si, absent, \
                         .meaning = text                                                          \
  }
#define MS_PRELOAD(type, member, text) \
  MS_READ(type, member, "mapping", ms_as_preload, MS_ELSE("none"), text)
#define MS_LOAD(type, member, absent, text) MS_READ(type, member, "word", ms_as_load, absent, text)
#define MS_PLACE(type, member, absent, text) \
  MS_READ(type, member, "mapping", ms_as_place, absent, text)
#define MS_WEIGHTS(type, member, absent, text) \
  MS_READ(type, member, "word, list or mapping", ms_as_weights, absent, text)
#define MS_EITHER(type, member, key, kinds, by, text)                                          \
  {                                                                                            \
    .name = key, .offset = offsetof(type, member) + 1, .kind = MS_PARAM_FORMS, .forms = kinds, \
    .reader = &(by), .meaning = text                                                           \
  }
#define MS_AT_OR_BASE(type, member)                                                             \
  MS_EITHER(type, member, "at", "word, list of words or mapping of numbers", ms_as_at,          \
            "force on a degree of freedom, on several, or on each with a weight"),              \
      MS_EITHER(type, member, "base", "true, word, list of words or mapping of numbers",        \
                ms_as_base,                                                                     \
                "or acceleration of the ground along x, y or z; true: every degree of freedom " \
                "follows it; or these do")

/* The analysis of that name before `task`; NULL if there is none. */
const ms_task *ms_find_earlier(const ms_study *study, const ms_task *task, const char *name);

#endif
