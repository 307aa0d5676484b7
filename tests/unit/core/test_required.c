/* What makes an object refuses a context, a place for it or anything else that it needs and that is
   NULL, without a crash, and leaves NULL behind. Finite elements: tests/verify/fem/test_required.c.
 */
#include <math.h>
#include <microslip/microslip.h>

#include "support/check.h"
#include "support/required.h"
#include "support/structures.h"

static ms_structure *make_structure(void) {
  ms_structure *s = NULL;
  CHECK_OK(ms_structure_create(test_context(), 1, NULL, &s));
  CHECK_OK(ms_structure_add_mass(s, 0, 2.385));
  CHECK_OK(ms_structure_add_spring(s, MS_GROUND, 0, 7.13));
  CHECK_OK(ms_structure_setup(s));
  return s;
}

static void test_context_missing(void) {
  void *memory = NULL;
  CHECK_STATUS(ms_context_create(NULL, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_fail(NULL, MS_ERR_FORMAT, "nobody hears %d", 3), MS_ERR_FORMAT);
  CHECK_STATUS(ms_fail_at(NULL, MS_ERR_FORMAT, "nowhere"), MS_ERR_FORMAT);
  CHECK_STATUS(ms_allocate(NULL, 3, 8, &memory), MS_ERR_ARGUMENT);
  CHECK(!memory);
}

static void test_joints(void) {
  REFUSES(ms_joint, ms_joint_create(NULL, "iwan4", out));
  REFUSES(ms_joint, ms_joint_create(test_context(), NULL, out));
  REFUSES_NOWHERE(ms_joint_create(test_context(), "iwan4", NULL));
  REFUSES(ms_joint, ms_joint_create_parallel(NULL, 1, out));
  REFUSES_NOWHERE(ms_joint_create_parallel(test_context(), 1, NULL));
  REFUSES(ms_joint, ms_joint_create_loaded(NULL, NULL, NULL, out));
  REFUSES(ms_joint, ms_joint_create_loaded(test_context(), NULL, NULL, out));
  ms_joint *j = NULL;
  CHECK_OK(ms_joint_create(test_context(), "linear", &j));
  REFUSES(ms_tangent, ms_tangent_create(NULL, 1, out));
  REFUSES_NOWHERE(ms_tangent_create(j, 1, NULL));
  ms_joint_destroy(&j);
}

static void test_structures(void) {
  const char *const name[] = { "u" };
  REFUSES(ms_structure, ms_structure_create(NULL, 1, NULL, out));
  REFUSES_NOWHERE(ms_structure_create(test_context(), 1, NULL, NULL));
  const ms_beam none = { .n_point = 1 };
  REFUSES(ms_structure, ms_beam_make_structure(NULL, &none, out));
  REFUSES(ms_structure, ms_beam_make_structure(test_context(), NULL, out));
  REFUSES(ms_structure, ms_beam_make_structure(test_context(), &none, out));
  REFUSES_NOWHERE(ms_beam_make_structure(test_context(), &none, NULL));
  REFUSES(ms_reduced, ms_reduced_create(NULL, 1, 1, name, 0, out));
  REFUSES(ms_reduced, ms_reduced_create(test_context(), 1, 1, NULL, 0, out));
  REFUSES_NOWHERE(ms_reduced_create(test_context(), 1, 1, name, 0, NULL));
}

static void test_responses(void) {
  ms_structure *s = make_structure();
  const ms_transient_setting transient = MS_TRANSIENT_DEFAULT;
  const ms_quasistatic_setting slow = MS_QUASISTATIC_DEFAULT;
  const ms_harmonic_setting harmonic = MS_HARMONIC_DEFAULT;
  REFUSES(ms_transient, ms_transient_create(NULL, &transient, out));
  REFUSES(ms_transient, ms_transient_create(s, NULL, out));
  REFUSES_NOWHERE(ms_transient_create(s, &transient, NULL));
  REFUSES(ms_quasistatic, ms_quasistatic_create(NULL, &slow, out));
  REFUSES(ms_quasistatic, ms_quasistatic_create(s, NULL, out));
  REFUSES_NOWHERE(ms_quasistatic_create(s, &slow, NULL));
  REFUSES(ms_harmonic, ms_harmonic_create(NULL, &harmonic, out));
  REFUSES(ms_harmonic, ms_harmonic_create(s, NULL, out));
  REFUSES_NOWHERE(ms_harmonic_create(s, &harmonic, NULL));
  const ms_contact_point point = { .mu = 0.3 };
  const double one[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  const ms_contact_problem whole = { 1, 1, &point, one, NULL, one, one },
                           part = { 1, 1, &point, NULL, NULL, one, one };
  REFUSES(ms_contact, ms_contact_create(NULL, &whole, NULL, out));
  REFUSES(ms_contact, ms_contact_create(test_context(), NULL, NULL, out));
  REFUSES(ms_contact, ms_contact_create(test_context(), &part, NULL, out));
  REFUSES_NOWHERE(ms_contact_create(test_context(), &whole, NULL, NULL));
  const ms_contact_site site = { .mu = 0.3 };
  const ms_contact_bodies bodies = { s, 1, &site, one }, rows_missing = { s, 1, &site, NULL };
  const ms_contact_rest rest = { .n_point = 1 };
  REFUSES(ms_contact, ms_contact_press_on(NULL, &rest, 1.0, out));
  REFUSES(ms_contact, ms_contact_press_on(test_context(), &rest, 1.0, out));
  REFUSES_NOWHERE(ms_contact_press_on(test_context(), &rest, 1.0, NULL));
  REFUSES(ms_structure, ms_contact_stick(NULL, &bodies, NULL, NULL, out));
  REFUSES(ms_structure, ms_contact_stick(test_context(), &rows_missing, NULL, NULL, out));
  REFUSES_NOWHERE(ms_contact_stick(test_context(), &bodies, NULL, NULL, NULL));
  REFUSES(ms_contact, ms_contact_load_modes(NULL, &bodies, &rest, s, 1, NULL, out));
  REFUSES(ms_contact, ms_contact_load_modes(test_context(), &bodies, NULL, s, 1, NULL, out));
  REFUSES_NOWHERE(ms_contact_load_modes(test_context(), &bodies, &rest, s, 1, NULL, NULL));
  REFUSES(ms_load, ms_load_create(NULL, "sine", out));
  REFUSES(ms_load, ms_load_create(test_context(), NULL, out));
  REFUSES_NOWHERE(ms_load_create(test_context(), "sine", NULL));
  ms_structure_destroy(&s);
}

static void test_drawings(void) {
  const ms_records records = { .n_impact = 0 };
  REFUSES(ms_drawing, ms_drawing_create(NULL, "title", 1, out));
  REFUSES(ms_drawing, ms_drawing_create(test_context(), NULL, 1, out));
  REFUSES_NOWHERE(ms_drawing_create(test_context(), "title", 1, NULL));
  REFUSES(ms_drawing, ms_records_draw(NULL, &records, MS_RECORDS_PULSES, out));
  REFUSES(ms_drawing, ms_records_draw(test_context(), NULL, MS_RECORDS_PULSES, out));
  REFUSES_NOWHERE(ms_records_draw(test_context(), &records, MS_RECORDS_PULSES, NULL));
  REFUSES(ms_figure, ms_figure_from_drawing(NULL, NULL, out));
  REFUSES(ms_figure, ms_figure_from_drawing(test_context(), NULL, out));
}

static void test_surveys(void) {
  const ms_survey_record record = { .n = 300, .dt = 1e-3 };
  REFUSES(ms_survey, ms_survey_create(NULL, 1, MS_SIGNAL_VELOCITY, 1, &record, NULL, out));
  REFUSES(ms_survey, ms_survey_create(test_context(), 1, MS_SIGNAL_VELOCITY, 1, NULL, NULL, out));
  REFUSES(ms_survey,
          ms_survey_create(test_context(), 1, MS_SIGNAL_VELOCITY, 1, &record, NULL, out));
  REFUSES_NOWHERE(ms_survey_create(test_context(), 1, MS_SIGNAL_VELOCITY, 1, &record, NULL, NULL));
}

static ms_status build_nothing(void *user, const double *p, ms_structure **out) {
  (void)user, (void)p, (void)out;
  return MS_ERR_STATE;
}

static void test_updating(void) {
  const ms_fit_parameter parameter = { "k", 1.3, 7.1, 0, 0.0 };
  const ms_update_model model = { 1, &parameter, build_nothing, NULL };
  const ms_update_model empty = { 1, &parameter, NULL, NULL };
  const ms_measured_modes measured = { .n = 0 };
  const double p = 2.3;
  REFUSES(ms_updating, ms_updating_create(NULL, &model, &measured, &p, out));
  REFUSES(ms_updating, ms_updating_create(test_context(), NULL, &measured, &p, out));
  REFUSES(ms_updating, ms_updating_create(test_context(), &empty, &measured, &p, out));
  REFUSES(ms_updating, ms_updating_create(test_context(), &model, NULL, &p, out));
  REFUSES(ms_updating, ms_updating_create(test_context(), &model, &measured, NULL, out));
  REFUSES_NOWHERE(ms_updating_create(test_context(), &model, &measured, &p, NULL));
}

static void test_scatters(void) {
  const ms_scatter_parameter q = { "K_T", "K_T", MS_SCATTER_BOTH, MS_FAMILY_GAMMA, 0.0, HUGE_VAL,
                                   0.3,   4.1 };
  ms_structure *s = test_three_mass(1.3e-3);
  ms_joint *j = ms_structure_get_joint(s, 0);
  REFUSES(ms_scatter, ms_scatter_create(NULL, NULL, 0.0, 1, &q, out));
  REFUSES(ms_scatter, ms_scatter_create(j, NULL, 0.0, 1, NULL, out));
  REFUSES_NOWHERE(ms_scatter_create(j, NULL, 0.0, 1, &q, NULL));
  REFUSES(ms_scatter, ms_scatter_create_copy(test_context(), NULL, 0.0, 1, &q, out));
  REFUSES(ms_scatter, ms_scatter_create_copy(test_context(), j, 0.0, 1, NULL, out));
  REFUSES_NOWHERE(ms_scatter_create_copy(test_context(), j, 0.0, 1, &q, NULL));
  ms_structure_destroy(&s);
}

static void test_calibrations(void) {
  const ms_parameter_place place = { 0, 0, "K_T" };
  const ms_free_parameter one = { "K_T", 1, &place };
  const double q = 0.31;
  const ms_curve_request curve = { 0, 1, &q };
  const ms_target target = { .n = 0 };
  const ms_target loop = { .kind = MS_TARGET_LOOP };
  ms_structure *s = test_three_mass(1.3e-3);
  REFUSES(ms_backbone_model, ms_backbone_model_create(NULL, 1, &one, 1, &curve, out));
  REFUSES(ms_backbone_model, ms_backbone_model_create(s, 1, NULL, 1, &curve, out));
  REFUSES(ms_backbone_model, ms_backbone_model_create(s, 1, &one, 1, NULL, out));
  REFUSES_NOWHERE(ms_backbone_model_create(s, 1, &one, 1, &curve, NULL));
  REFUSES(ms_calibration, ms_calibration_create(NULL, 1, &one, 1, &target, out));
  REFUSES(ms_calibration, ms_calibration_create(s, 1, NULL, 1, &target, out));
  REFUSES(ms_calibration, ms_calibration_create(s, 1, &one, 1, NULL, out));
  REFUSES_NOWHERE(ms_calibration_create(s, 1, &one, 1, &target, NULL));
  REFUSES(ms_calibration, ms_calibration_create(NULL, 1, &one, 1, &loop, out));
  REFUSES_NOWHERE(ms_calibration_create(s, 1, &one, 1, &loop, NULL));
  REFUSES(ms_structure, ms_calibrated_copy(NULL, s, 1, &one, NULL, 0, out));
  REFUSES(ms_structure, ms_calibrated_copy(test_context(), NULL, 1, &one, NULL, 0, out));
  REFUSES_NOWHERE(ms_calibrated_copy(test_context(), s, 1, &one, NULL, 0, NULL));
  REFUSES(ms_som, ms_som_create(NULL, 1, 1, &q, NULL, out));
  REFUSES(ms_som, ms_som_create(test_context(), 1, 1, NULL, NULL, out));
  REFUSES_NOWHERE(ms_som_create(test_context(), 1, 1, &q, NULL, NULL));
  ms_structure_destroy(&s);
}

static void test_signals(void) {
  const ms_decimator_settings settings = MS_DECIMATOR_DEFAULT;
  REFUSES(ms_decimator, ms_decimator_create(NULL, &settings, 1, out));
  REFUSES(ms_decimator, ms_decimator_create(test_context(), NULL, 1, out));
  REFUSES_NOWHERE(ms_decimator_create(test_context(), &settings, 1, NULL));
}

static void test_pages(void) {
  REFUSES(ms_figure, ms_figure_create(NULL, "title", NULL, out));
  REFUSES(ms_figure, ms_figure_create(test_context(), NULL, NULL, out));
  REFUSES_NOWHERE(ms_figure_create(test_context(), "title", NULL, NULL));
  REFUSES(ms_page, ms_page_create(NULL, "title", NULL, out));
  REFUSES(ms_page, ms_page_create(test_context(), NULL, NULL, out));
  REFUSES_NOWHERE(ms_page_create(test_context(), "title", NULL, NULL));
  REFUSES(ms_json, ms_json_create(NULL, stdout, out));
  REFUSES(ms_json, ms_json_create(test_context(), NULL, out));
  REFUSES_NOWHERE(ms_json_create(test_context(), stdout, NULL));
}

static void test_files(void) {
  ms_record record;
  ms_record_set set;
  ms_record_request request = { 0 };
  ms_dofs dofs;
  REFUSES(ms_table, ms_table_create(NULL, out));
  REFUSES_NOWHERE(ms_table_create(test_context(), NULL));
  REFUSES(ms_table, ms_table_read(test_context(), NULL, out));
  REFUSES_NOWHERE(ms_table_read(test_context(), "none.csv", NULL));
  REFUSES(ms_measurement, ms_measurement_read(NULL, "none.csv", NULL, out));
  REFUSES(ms_measurement, ms_measurement_read(test_context(), NULL, NULL, out));
  REFUSES_NOWHERE(ms_measurement_read(test_context(), "none.csv", NULL, NULL));
  REFUSES(ms_uff58, ms_uff58_read(test_context(), NULL, out));
  REFUSES_NOWHERE(ms_uff58_read(test_context(), "none.uff", NULL));
  REFUSES(ms_outfile, ms_outfile_open(NULL, "none.csv", out));
  REFUSES(ms_outfile, ms_outfile_open(test_context(), NULL, out));
  REFUSES_NOWHERE(ms_outfile_open(test_context(), "none.csv", NULL));
  REFUSES(ms_checkpoint, ms_checkpoint_read(test_context(), NULL, out));
  REFUSES_NOWHERE(ms_checkpoint_read(test_context(), "none", NULL));
  REFUSES(ms_stream, ms_stream_open(test_context(), NULL, out));
  REFUSES_NOWHERE(ms_stream_open(test_context(), "none", NULL));
  REFUSES(ms_results, ms_results_create(test_context(), NULL, out));
  REFUSES_NOWHERE(ms_results_create(test_context(), "none.h5", NULL));
  REFUSES(ms_results, ms_results_open(NULL, "none.h5", out));
  REFUSES(ms_results, ms_results_open(test_context(), NULL, out));
  REFUSES_NOWHERE(ms_results_open(test_context(), "none.h5", NULL));
  REFUSES(ms_reduced, ms_reduced_read(NULL, "none.h5", out));
  REFUSES(ms_reduced, ms_reduced_read(test_context(), NULL, out));
  REFUSES_NOWHERE(ms_reduced_read(test_context(), "none.h5", NULL));
  REFUSES_NOWHERE(ms_record_read(test_context(), NULL, &request, &record));
  REFUSES_NOWHERE(ms_record_read(test_context(), "none.csv", NULL, &record));
  REFUSES_NOWHERE(ms_record_read(test_context(), "none.csv", &request, NULL));
  REFUSES_NOWHERE(ms_record_read_set(test_context(), NULL, 1, &request, &set, NULL));
  REFUSES_NOWHERE(ms_record_read_set(test_context(), "none.csv", 1, NULL, &set, NULL));
  REFUSES_NOWHERE(ms_record_read_set(test_context(), "none.csv", 1, &request, NULL, NULL));
  REFUSES_NOWHERE(ms_dofs_read(test_context(), NULL, &dofs));
  REFUSES_NOWHERE(ms_dofs_read(test_context(), "none.csv", NULL));
}

static void test_studies(void) {
  REFUSES(ms_study, ms_study_open(NULL, "none.yaml", 0, NULL, out));
  REFUSES(ms_study, ms_study_open(test_context(), NULL, 0, NULL, out));
  REFUSES(ms_study, ms_study_open(test_context(), "none.yaml", 1, NULL, out));
  REFUSES_NOWHERE(ms_study_open(test_context(), "none.yaml", 0, NULL, NULL));
}

int main(void) {
  TEST(test_context_missing);
  TEST(test_joints);
  TEST(test_structures);
  TEST(test_responses);
  TEST(test_calibrations);
  TEST(test_drawings);
  TEST(test_surveys);
  TEST(test_updating);
  TEST(test_scatters);
  TEST(test_signals);
  TEST(test_pages);
  TEST(test_files);
  TEST(test_studies);
  return test_finish();
}
