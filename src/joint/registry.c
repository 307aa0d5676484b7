/* The list of laws: those of laws.def, and those that callers add. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "core/internal.h"
#include "joint/custom.h"

#define MS_LAW(name) extern const ms_law ms_law_##name;
#include "joint/laws.def"
#undef MS_LAW

#define MS_LAW(name) &ms_law_##name,
const ms_law *const ms_laws[] = {
#include "joint/laws.def"
};
#undef MS_LAW

const int ms_n_laws = sizeof ms_laws / sizeof *ms_laws;

/* Those that callers have added. A law is there once the count says so. */
static ms_custom_law custom[MS_CUSTOM_MAX_LAW];
static ms_law added[MS_CUSTOM_MAX_LAW];
static atomic_int n_added;
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

static const ms_law *get_law(int i) {
  return i < ms_n_laws ? ms_laws[i] : &added[i - ms_n_laws];
}

int ms_joint_count_laws(void) {
  return ms_n_laws + atomic_load(&n_added);
}

const ms_law_info *ms_joint_get_law(int index) {
  return index >= 0 && index < ms_joint_count_laws() ? &get_law(index)->info : NULL;
}

static const char *law_name(const void *list, int i) {
  (void)list;
  return get_law(i)->info.name;
}

static const ms_law_info *find(const char *name) {
  for (int i = 0; i < ms_joint_count_laws(); i++) {
    if (strcmp(get_law(i)->info.name, name) == 0) return &get_law(i)->info;
  }
  return NULL;
}

ms_status ms_joint_find_law(ms_context *ctx, const char *name, const ms_law_info **out) {
  *out = find(name);
  if (*out) return MS_SUCCESS;
  const char *near = ms_text_nearest(name, law_name, NULL, ms_joint_count_laws());
  if (near) {
    return ms_fail(ctx, MS_ERR_NAME, "unknown law '%s'; did you mean '%s'?", name, near);
  }
  return ms_fail(ctx, MS_ERR_NAME, "unknown law '%s'; 'microslip laws' lists them", name);
}

static ms_status check_custom(ms_context *ctx, const ms_custom_law *law) {
  const ms_law_info *info = &law->info;
  if (!info->name || !law->update || info->n_axis < 1 || info->n_axis > MS_JOINT_MAX_AXIS ||
      info->n_param < 0 || (info->n_param > 0 && !info->param) || law->n_state < 0 ||
      law->n_state > MS_CUSTOM_MAX_STATE) {
    return ms_fail(ctx, MS_ERR_ARGUMENT,
                   "a custom law needs a name, update, 1 to %d axes, its parameters and at "
                   "most %d numbers of history",
                   MS_JOINT_MAX_AXIS, MS_CUSTOM_MAX_STATE);
  }
  if (find(info->name)) {
    return ms_fail(ctx, MS_ERR_NAME, "there is a law '%s' already", info->name);
  }
  if (atomic_load(&n_added) < MS_CUSTOM_MAX_LAW) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_BOUNDS, "no more than %d laws can be added", MS_CUSTOM_MAX_LAW);
}

ms_status ms_joint_add_law(ms_context *ctx, const ms_custom_law *law) {
  MS_NEED(ctx, law);
  pthread_mutex_lock(&adding);
  ms_status status = check_custom(ctx, law);
  if (status == MS_SUCCESS) {
    const int n = atomic_load(&n_added);
    custom[n] = *law;
    added[n] = ms_custom_make_law(&custom[n]);
    atomic_store(&n_added, n + 1);
  }
  pthread_mutex_unlock(&adding);
  return status;
}
