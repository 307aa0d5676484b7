/* Where the energy is; work of loads and dampers is counted by each step. */
#include "response/transient/impl.h"

double ms_transient_mechanical_energy(const ms_transient *run, double *kinetic, double *elastic) {
  *kinetic = *elastic = 0.0;
  for (ptrdiff_t r = 0; r < run->m; r++) {
    *kinetic += 0.5 * run->v[r] * run->v[r];
    *elastic += 0.5 * run->omega[r] * run->omega[r] * run->q[r] * run->q[r];
  }
  for (int k = 0; k < run->structure->n_attachment;
       k++) { /* the stuck springs are the joints', not ours */
    const ms_attachment *attachment = &run->structure->attachment[k];
    int n = ms_joint_info(attachment->joint)->n_axis;
    for (int ab = 0; ab < n * n; ab++) {
      *elastic -= 0.5 * attachment->stuck[ab] * ms_transient_linear_part(run, attachment, ab % n) *
                  ms_transient_linear_part(run, attachment, ab / n);
    }
  }
  return *kinetic + *elastic;
}

ms_status ms_transient_joint_energy(const ms_transient *run, double *stored, double *dissipated) {
  *stored = *dissipated = 0.0;
  for (int k = 0; k < run->structure->n_attachment; k++) {
    ms_joint_energy e;
    MS_TRY(ms_joint_get_energy(run->structure->attachment[k].joint, &e));
    *stored += e.stored;
    *dissipated += e.dissipated;
  }
  return MS_SUCCESS;
}

ms_status ms_transient_get_energy(const ms_transient *run, ms_transient_energy *out) {
  *out = (ms_transient_energy) { .start = run->start_energy,
                                 .input = run->input,
                                 .viscous = run->viscous };
  ms_transient_mechanical_energy(run, &out->kinetic, &out->elastic);
  MS_TRY(ms_transient_joint_energy(run, &out->stored, &out->dissipated));
  if (run->contact) out->dissipated += ms_transient_contact_energy(run, &out->elastic);
  out->balance = out->start + out->input - out->kinetic - out->elastic - out->viscous -
                 out->stored - out->dissipated;
  return MS_SUCCESS;
}

int ms_transient_energy_part(const ms_transient_energy *e, int i, const char **name,
                             double *value) {
  const struct {
    const char *name;
    double value;
  } part[] = { { "start", e->start },           { "input", e->input },
               { "kinetic", e->kinetic },       { "elastic", e->elastic },
               { "viscous", e->viscous },       { "stored", e->stored },
               { "dissipated", e->dissipated }, { "balance", e->balance } };
  if (i < 0 || i >= (int)(sizeof part / sizeof *part)) return 0;
  *name = part[i].name, *value = part[i].value;
  return 1;
}
