/* What a contact does against time, as columns. */
#include <math.h>
#include <stdio.h>

#include "response/contact/dynamic/impl.h"

ms_contact_column ms_contact_get_column(int i, const char *contact, char *text, size_t size) {
  static const ms_contact_column column[MS_N_CONTACT_QUANTITY] = {
    { "normal_force", "N", "sum of the normal forces of the contact" },
    { "friction_force", "N", "sum of the forces along its face, the size of it" },
    { "dissipated", "J", "energy that friction has taken there since the beginning" },
    { "slid", "m", "the farthest that a point of it has slid since the beginning" },
    { "open_points", NULL, "points that are open" },
    { "stuck_points", NULL, "points that stick" },
    { "slipping_points", NULL, "points that slip" },
  };
  const ms_contact_column c = column[i % MS_N_CONTACT_QUANTITY];
  if (text) snprintf(text, size, "%.100s.%s", contact, c.name);
  return c;
}

void ms_contact_run_fill_columns(const ms_contact_run *run, int group, double *value) {
  const ms_contact *c = run->contact, *rest = run->modal->contact;
  const ms_contact_sum sum = ms_contact_add_up(c, group);
  double slid = 0.0;
  for (ptrdiff_t i = 0; i < c->n; i++) {
    if (c->point[i].group == group) slid = fmax(slid, c->now.slip[i] - rest->now.slip[i]);
  }
  value[MS_CONTACT_NORMAL_FORCE] = sum.force[2];
  value[MS_CONTACT_FRICTION_FORCE] = hypot(sum.force[0], sum.force[1]);
  value[MS_CONTACT_DISSIPATED] = sum.dissipated - ms_contact_add_up(rest, group).dissipated;
  value[MS_CONTACT_SLID] = slid;
  value[MS_CONTACT_N_OPEN] = (double)sum.open;
  value[MS_CONTACT_N_STICK] = (double)sum.stick;
  value[MS_CONTACT_N_SLIP] = (double)sum.slip;
}
