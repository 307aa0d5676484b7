/* modes: stuck and slipped frequencies, damping ratios, shapes; of finite elements also those of
   the full model, and pictures. */
#include "study/analyses/modes/modes.h"
#include "study/model/loads.h"

#define TWO_PI 6.283185307179586

typedef struct options {
  ptrdiff_t full, shapes;
  ms_numbers vtu;
  struct fy_node *variants;
} options;

static const ms_param keys[] = {
  MS_KEY_NAME,
  MS_COUNT(options, shapes, MS_NOT_NEGATIVE, MS_DEFAULT(20),
           "shapes that are written, from that of the first mode on"),
  MS_COUNT(options, full, MS_NOT_NEGATIVE, MS_ELSE("12; 0 for sub-structures"),
           "of finite elements: how many modes of the full model, stuck and slipped, are computed "
           "beside those of the reduced one; 0: none"),
  MS_COUNTS(options, vtu, MS_FROM(1), MS_OPTIONAL,
            "of finite elements: modes whose shapes go into a VTU file, for ParaView"),
  MS_FORMS(options, variants, "mapping", MS_OPTIONAL,
           "path in the file: [numbers], one for each variant; the modes with these in their "
           "places"),
};
enum { N_KEYS = sizeof keys / sizeof *keys, FULL = 12 };

/* ---- options ---- */

static ms_status check_fe_only(ms_study *s, struct fy_node *node, const char *key) {
  if (!node || s->fe) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_ARGUMENT,
                      "%s is for structures of finite elements; this is none", key);
}

/* The full model is one of finite elements in one piece. */
static ms_status check_full(ms_study *s, struct fy_node *node, const options *o,
                            ms_modes_product *p) {
  MS_TRY(check_fe_only(s, node, "full"));
  if (!s->fe) return MS_SUCCESS;
  p->n_full = o->full >= 0 ? o->full : s->fe->name ? 0 : FULL;
  if (p->n_full == 0 || !s->fe->name) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_ARGUMENT,
                      "sub-structures have no full model; put their parts under one fe for that");
}

static ms_status check_vtu(ms_study *s, struct fy_node *node, const ms_numbers *vtu) {
  const ptrdiff_t most = ms_structure_get_size(s->structure);
  MS_TRY(check_fe_only(s, node, "vtu"));
  for (ptrdiff_t i = 0; i < vtu->n; i++) {
    if (vtu->value[i] <= (double)most) continue;
    return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS, "there is no mode %g; there are 1 to %td",
                        vtu->value[i], most);
  }
  return MS_SUCCESS;
}

static ms_status check(ms_study *s, ms_task *task) {
  options o = { 0 };
  ms_modes_product *p;
  MS_TRY(ms_allocate(s->ctx, 1, sizeof *p, &p));
  task->product = p;
  ms_status status = ms_options_read_own(s, task, &o);
  p->vtu = o.vtu; /* the product's now */
  p->n_shape = o.shapes;
  MS_TRY(status);
  MS_TRY(check_full(s, ms_yaml_get(task->node, "full"), &o, p));
  MS_TRY(check_vtu(s, ms_yaml_get(task->node, "vtu"), &p->vtu));
  return ms_variants_read(s, o.variants, &p->variants);
}

/* ---- running ---- */

static ms_status run(ms_study *s, ms_task *task) {
  ms_modes_product *p = task->product;
  MS_TRY(ms_mode_pairs_find(s->ctx, s->structure, &p->pairs));
  if (s->fe) MS_TRY(ms_modes_run_fe(s, task, p));
  return ms_modes_run_variants(s, task, p);
}

/* What the other processes do: their part in the full model and in variants of finite elements. */
static ms_status help(ms_study *s, ms_task *task) {
  const ms_modes_product *p = task->product;
  MS_TRY(ms_modes_help_fe(s, task));
  return p->variants.reduces ? ms_variants_visit(s, task->name, &p->variants, NULL, NULL)
                             : MS_SUCCESS;
}

/* ---- result ---- */

static ms_status add_modes(ms_study *s, const ms_modes_product *p, ms_result_table *table) {
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  const ms_modes slipped = ms_structure_get_slipped(s->structure);
  for (ptrdiff_t r = 0; r < stuck.n; r++) {
    ptrdiff_t k = p->pairs.slipped[r];
    MS_TRY(ms_result_table_add_row(
        s->ctx, table, (double)(r + 1), stuck.omega[r], slipped.omega[k], stuck.omega[r] / TWO_PI,
        slipped.omega[k] / TWO_PI, ms_structure_get_damping_ratio(s->structure, r),
        ms_structure_get_joint_damping_ratio(s->structure, r), (double)(k + 1), p->pairs.mac[r]));
  }
  return MS_SUCCESS;
}

static ms_status add_shapes(ms_study *s, ms_task *task, const ms_modes_product *p) {
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  const ms_modes slipped = ms_structure_get_slipped(s->structure);
  const ptrdiff_t n = p->n_shape < stuck.n ? p->n_shape : stuck.n;
  ms_result_table *shapes;
  if (n == 0) return MS_SUCCESS;
  if (n < stuck.n && !ms_yaml_get(task->node, "shapes")) {
    MS_TRY(ms_task_note(s, task, "shapes of %td of %td modes are written; shapes: %td writes all",
                        n, stuck.n, stuck.n));
  }
  MS_TRY(ms_task_add_table(
      s, task, "_shapes", "mode,coordinate:word,stuck [1/sqrt(kg)],slipped [1/sqrt(kg)]", &shapes));
  MS_TRY(ms_result_table_reserve(s->ctx, shapes, n * stuck.n));
  for (ptrdiff_t i = 0; i < n * stuck.n; i++) {
    const ptrdiff_t r = i / stuck.n, at = i % stuck.n;
    MS_TRY(ms_result_table_add_row(s->ctx, shapes, (double)(r + 1),
                                   ms_structure_get_name(s->structure, at), stuck.shape[i],
                                   slipped.shape[at + stuck.n * p->pairs.slipped[r]]));
  }
  return MS_SUCCESS;
}

/* Effective masses of the stuck modes, m_r = (phi_r^T M iota)^2 along x, y, z. Over all modes they
   add up to the mass that can move relative to the ground; what a reduction leaves out, and what is
   fixed, is missing in the sum. Miota: 3 vectors, zero at first. */
static ms_status fill_masses(ms_study *s, double *Miota, ms_result_table *table) {
  const ms_modes stuck = ms_structure_get_stuck(s->structure);
  double row[8] = { 0.0 }, *m = row + 2, *sum = row + 5;
  for (int d = 0; d < 3; d++) MS_TRY(ms_find_translation(s, d, Miota + stuck.n * d, NULL));
  for (ptrdiff_t r = 0; r < stuck.n; r++) {
    row[0] = (double)(r + 1);
    row[1] = stuck.omega[r];
    for (int d = 0; d < 3; d++) {
      const double part = ms_structure_get_modal_force(s->structure, r, Miota + stuck.n * d, NULL);
      m[d] = part * part;
      sum[d] += m[d];
    }
    MS_TRY(ms_result_table_add_numbers(s->ctx, table, row));
  }
  return MS_SUCCESS;
}

static ms_status add_masses(ms_study *s, ms_task *task) {
  static const char *const axis[] = { "x", "y", "z" };
  const ptrdiff_t n = ms_structure_get_size(s->structure);
  ms_result *result = task->result;
  ms_result_table *table;
  double *Miota = NULL;
  MS_TRY(ms_task_add_table(s, task, "_mass",
                           "mode,omega_0 [rad/s],mass_x [kg],mass_y [kg],mass_z [kg],sum_x [kg],"
                           "sum_y [kg],sum_z [kg]",
                           &table));
  MS_TRY(ms_allocate(s->ctx, 3 * n, sizeof *Miota, &Miota));
  ms_status status = fill_masses(s, Miota, table);
  ms_free(s->ctx, &Miota);
  MS_TRY(status);
  ms_result_begin(result, "effective_mass");
  ms_result_set_number(result, "total", "kg", s->reduced->mass);
  for (int d = 0; d < 3; d++) {
    ms_result_set_numbers(result, axis[d], "kg", ms_result_table_column(table, 2 + d), n);
  }
  ms_result_end(result);
  ms_result_say(result,
                "Effective masses say how strongly a mode answers to a ground that moves along x, "
                "y or z. The whole mass is %.6g kg; what their sums lack is fixed, or moves in "
                "modes that the reduction left out.",
                s->reduced->mass);
  ms_result_show_table(result, table, "Effective masses of the stuck modes");
  return MS_SUCCESS;
}

static ms_status result(ms_study *s, ms_task *task) {
  const ms_modes_product *p = task->product;
  ms_result_table *table;
  MS_TRY(ms_task_add_table(s, task, "",
                           "mode,omega_0 [rad/s],omega_inf [rad/s],f_0 [Hz],f_inf [Hz],zeta_0,"
                           "zeta_dashpots,mode_inf,mac",
                           &table));
  MS_TRY(add_modes(s, p, table));
  MS_TRY(add_shapes(s, task, p));
  ms_result_list_rows(task->result, "modes", table,
                      "mode,omega_0,omega_inf,mode_inf,mac,zeta_0,zeta_dashpots");
  ms_result_show_table(task->result, table, "Modes of the stuck and the slipped structure");
  if (s->reduced && s->reduced->inertia) MS_TRY(add_masses(s, task));
  if (s->fe) MS_TRY(ms_modes_result_fe(s, task));
  ms_modes_result_variants(s, task);
  return MS_SUCCESS;
}

static void close_product(ms_study *s, ms_task *task) {
  ms_modes_product *p = task->product;
  ms_mode_pairs_free(s->ctx, &p->pairs);
  ms_fe_modes_free(s->ctx, &p->stuck);
  ms_fe_modes_free(s->ctx, &p->slipped);
  ms_free(s->ctx, &p->family);
  ms_free(s->ctx, &p->vtu.value);
  ms_variants_free(s->ctx, &p->variants);
  ms_free(s->ctx, &task->product);
}

const ms_analysis ms_analysis_modes = {
  .name = "modes",
  .meaning =
      "Frequencies with every joint stuck (omega_0, f_0) and with every joint slipping "
      "(omega_inf, f_inf), the slipped mode being the one most like the stuck one by MAC "
      "(mode_inf is its rank); the damping of the stuck modes by the structure (zeta_0), and "
      "what dashpots in the joints add to it while nothing slips (zeta_dashpots).",
  .keys = keys,
  .n_keys = N_KEYS,
  .check = check,
  .run = run,
  .help = help,
  .result = result,
  .close = close_product,
};
