/* The list of laws, made from laws.def. */
#include "joint/impl.h"

#include <string.h>

#include "core/internal.h"

#define MS_LAW(name) extern const ms_law ms_law_##name;
#include "joint/laws.def"
#undef MS_LAW

#define MS_LAW(name) &ms_law_##name,
const ms_law *const ms_laws[] = {
#include "joint/laws.def"
};
#undef MS_LAW

const int ms_n_laws = sizeof ms_laws / sizeof *ms_laws;

int ms_joint_count_laws(void) {
  return ms_n_laws;
}

const ms_law_info *ms_joint_get_law(int index) {
  return index >= 0 && index < ms_n_laws ? &ms_laws[index]->info : NULL;
}

static const char *law_name(const void *list, int i) {
  (void)list;
  return ms_laws[i]->info.name;
}

ms_status ms_joint_find_law(ms_context *ctx, const char *name, const ms_law_info **out) {
  *out = NULL;
  for (int i = 0; i < ms_n_laws; i++) {
    if (strcmp(ms_laws[i]->info.name, name) != 0) continue;
    *out = &ms_laws[i]->info;
    return MS_SUCCESS;
  }
  const char *near = ms_text_nearest(name, law_name, NULL, ms_n_laws);
  if (near) {
    return ms_fail(ctx, MS_ERR_NAME, "unknown law '%s'; did you mean '%s'?", name, near);
  }
  return ms_fail(ctx, MS_ERR_NAME, "unknown law '%s'; 'microslip laws' lists those there are",
                 name);
}
