/* A lap joint's parameters from a table of one mode: q [m sqrt(kg)], omega [rad/s], zeta. */
#include <microslip/microslip.h>
#include <stdio.h>
#include <stdlib.h>
static ms_context *ctx;
static void must(ms_status status) {
  if (status != MS_SUCCESS) exit((fprintf(stderr, "%s\n", ms_context_message(ctx)), 1));
}

int main(int argc, char **argv) {
  const char *names[] = { "left", "right" }, *parameter[] = { "F_S", "K_T", "chi", "beta" };
  const double M[] = { 1.2, 0, 0, 0.8 }, K[] = { 6.5e5, -2.5e5, -2.5e5, 2.5e5 };
  const double zeta[] = { 5e-4, 5e-4 }, low[] = { 1, 1e3, -0.95, 0.1 },
               high[] = { 1e3, 1e6, 0.5, 10 };
  double p[] = { 40, 1e4, -0.2, 1 }; /* N, N/m, -, -: a guess */
  const ptrdiff_t from = 0, to = 1;
  ms_structure *s = NULL;
  ms_joint *lap = NULL;
  ms_table *table = NULL;
  ms_calibration *residuals = NULL;
  must(ms_context_create(NULL, &ctx));
  must(ms_table_read(ctx, argc > 1 ? argv[1] : "target.csv", &table));
  must(ms_structure_create(ctx, 2, names, &s));
  must(ms_structure_set_mass(s, M)), must(ms_structure_set_stiffness(s, K));
  must(ms_joint_create(ctx, "iwan4", &lap));
  for (int i = 0; i < 4; i++) must(ms_joint_set(lap, parameter[i], p[i]));
  must(ms_joint_setup(lap));
  must(ms_structure_take_joint(s, "lap", &lap, &from, &to));
  must(ms_structure_set_modal_damping(s, zeta));
  must(ms_structure_setup(s));

  ms_target target = {
    MS_TARGET_CURVE, "table", { 1, 1 }, ms_table_get_rows(table), NULL, { NULL, NULL }, NULL, 0, 0,
    { { 0, 0 } },    NULL
  };
  must(ms_table_find_column(table, "q", &target.x));
  must(ms_table_find_column(table, "omega", &target.y[0]));
  must(ms_table_find_column(table, "zeta", &target.y[1]));
  ms_parameter_place place[4];
  ms_free_parameter what[4];
  ms_fit_parameter bound[4];
  for (int i = 0; i < 4; i++) {
    place[i].joint = place[i].member = 0, place[i].param = parameter[i];
    what[i].name = parameter[i], what[i].n_place = 1, what[i].place = &place[i];
    bound[i].name = parameter[i], bound[i].lower = low[i], bound[i].upper = high[i];
    bound[i].logarithmic = low[i] > 0, bound[i].unit = 0;
  }
  must(ms_calibration_create(s, 4, what, 1, &target, &residuals));
  ms_fit_problem problem = ms_calibration_problem(residuals, bound);
  ms_fit_local end;
  ms_fit_judgement judgement;
  must(ms_fit_from(ctx, &problem, NULL, p, &end));
  must(ms_fit_judge(ctx, &problem, NULL, p, &judgement));
  const double *error = judgement.standard_error;
  for (int i = 0; i < 4; i++) printf("%-5s %.6g +- %.2g\n", parameter[i], p[i], error[i]);
  printf("%srms of the residuals %.2e\n", judgement.remarks, judgement.rms);
  ms_fit_judgement_destroy(ctx, &judgement);
  ms_calibration_destroy(&residuals), ms_table_destroy(&table);
  ms_structure_destroy(&s), ms_context_destroy(&ctx);
}
