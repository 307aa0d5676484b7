/* An Iwan element with any density, given as a table: rho linear between rows and zero outside
   them, two rows of the same phi for a jump, a delta of stiffness S at any row, and beside it a
   spring K_inf that never slips. alpha scales the sliders' slip forces, k all springs, K_inf too;
   the spring is counted from the displacement at the start. */
#include <math.h>

#include "joint/iwan/iwan.h"

enum { DENSITY, K_INF, N_OWN };
enum { N_COLUMN = 3, N_ROW = 6 };

/* A lap joint: many sliders that slip early, a step, a few bolts' worth that slip together. */
static const double phi[N_ROW] = { 0.0, 2e-6, 1e-5, 1e-5, 3e-5, 6e-5 };
static const double rho[N_ROW] = { 4e12, 2.5e12, 1.2e12, 8e11, 6e11, 3e11 };
static const double S[N_ROW] = { 0.0, 0.0, 0.0, 0.0, 1e7, 4e7 };
static const double *const typical[N_COLUMN] = { phi, rho, S };
static const char *const names[N_COLUMN] = { "phi", "rho", "S" };
static const char *const units[N_COLUMN] = { "m", "N/m^2", "N/m" };

static const ms_param_table density_table = { .n_column = N_COLUMN,
                                              .n_required = 2,
                                              .column = names,
                                              .unit = units,
                                              .rows = N_ROW,
                                              .typical = typical };

static const ms_param params[] = {
  [DENSITY] = { .name = "density",
                .unit = "-",
                .meaning = "rows of slip displacement phi, density rho and delta S at phi",
                .lower = -HUGE_VAL,
                .upper = HUGE_VAL,
                .kind = MS_PARAM_TABLE,
                .table = &density_table,
                .required = 1 },
  [K_INF] = { MS_LAW_OPTIONAL("K_inf", "N/m", "stiffness that never slips", "it is a stiffness",
                              0) },
  MS_IWAN_SETTINGS,
};

static ms_status check_table(ms_context *ctx, int i, ptrdiff_t rows, int columns,
                             const double *const *column) {
  (void)i; /* there is but one table */
  return ms_density_check_table(ctx, rows, columns, column);
}

static ms_status setup_table(ms_context *ctx, const double *v, const ms_joint_table *table,
                             void *model) {
  ms_iwan_model *m = model;
  const ms_joint_table *t = &table[DENSITY];
  const double *const column[N_COLUMN] = { t->column[0], t->column[1], t->column[2] };
  MS_TRY(ms_density_open_table(ctx, t->rows, t->columns, column, &m->density));
  m->density.K_inf = v[K_INF];
  return ms_iwan_setup(ctx, v + N_OWN, m);
}

const ms_law ms_law_iwan_table = {
  .info = { .name = "iwan_table",
            .title = "Iwan element with a tabulated density",
            .reference = "Iwan, J. Appl. Mech. 33 (1966) 893",
            MS_LAW_PARAMS(params),
            .n_axis = 1,
            .flags = MS_LAW_MASING | MS_LAW_NORMAL },
  MS_IWAN_SPRING_ENTRIES,
  .check_table = check_table,
  .setup_table = setup_table,
};
