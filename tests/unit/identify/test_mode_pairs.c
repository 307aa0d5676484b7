/* A soft mass whose joint holds it above a stiff one: when it slips they change places. */
#include <math.h>
#include <microslip/update.h>

#include "support/check.h"

static ms_status make_structure(ms_context *ctx, ms_structure **out) {
  const ptrdiff_t from = MS_GROUND, to = 0;
  ms_joint *slider = NULL;
  MS_TRY(ms_structure_create(ctx, 2, NULL, out));
  MS_TRY(ms_structure_add_mass(*out, 0, 2.385));
  MS_TRY(ms_structure_add_mass(*out, 1, 2.1));
  MS_TRY(ms_structure_add_spring(*out, MS_GROUND, 0, 931.0));
  MS_TRY(ms_structure_add_spring(*out, MS_GROUND, 1, 9310.0));
  MS_TRY(ms_structure_add_spring(*out, 0, 1, 37.0));
  MS_TRY(ms_joint_create(ctx, "jenkins", &slider));
  ms_status status = ms_joint_set(slider, "F_S", 11.3);
  if (status == MS_SUCCESS) status = ms_joint_set(slider, "K_T", 22700.0);
  if (status == MS_SUCCESS) status = ms_joint_setup(slider);
  if (status == MS_SUCCESS) status = ms_structure_take_joint(*out, "lap", &slider, &from, &to);
  ms_joint_destroy(&slider);
  MS_TRY(status);
  return ms_structure_setup(*out);
}

static void test_places(void) {
  ms_structure *s = NULL;
  ms_mode_pairs pairs;
  CHECK_OK(make_structure(test_context(), &s));
  CHECK_OK(ms_mode_pairs_find(test_context(), s, &pairs));
  CHECK(pairs.slipped[0] == 1 && pairs.slipped[1] == 0);
  CHECK_BELOW(1.0 - pairs.mac[0], 1e-2);
  CHECK_CLOSE(pairs.mac[0], pairs.mac[1], 1e-9); /* of two modes each leaves the other the rest */
  ms_mac_matrix m;
  CHECK_OK(ms_mode_pairs_find_mac(test_context(), s, &pairs, &m));
  CHECK(m.n_row == 2 && m.n_column == 2 && m.row[1] == 1 && m.column[1] == 1);
  CHECK_CLOSE(m.mac[0 + 2 * 1], pairs.mac[0], 1e-9); /* the pair is beside the diagonal */
  CHECK_CLOSE(m.mac[0] + m.mac[2], 1.0, 1e-9);       /* shapes of two modes are a basis */
  CHECK_STATUS(ms_mode_pairs_find_mac(test_context(), s, NULL, &m), MS_ERR_ARGUMENT);
  ms_mode_pairs_free(test_context(), &pairs);
  CHECK(!pairs.slipped && !pairs.mac);
  CHECK_STATUS(ms_mode_pairs_find(test_context(), NULL, &pairs), MS_ERR_ARGUMENT);
  ms_structure_destroy(&s);
}

/* Modes are counted from 1; f = omega/(2 pi). */
static void test_warnings(void) {
  const double omega = 2.0 * acos(-1.0) * 41.37;
  char text[240];
  ms_mode_pair p = { .mode = 1, .mac = 0.97, .rival = 4, .rival_mac = 0.86 };
  CHECK_EQUAL(ms_mode_pair_warning(&p, 2, omega, text, sizeof text), 0);
  p.rival_mac = 0.88;
  CHECK_EQUAL(ms_mode_pair_warning(&p, 2, omega, text, sizeof text), 1);
  CHECK_TEXT(text,
             "measured mode 3 (41.37 Hz) could be mode 2 of the model (MAC 0.97) or mode 5 "
             "(MAC 0.88): the sensors hardly distinguish them");
  p.rival = -1;
  CHECK_EQUAL(ms_mode_pair_warning(&p, 2, omega, text, sizeof text), 0);
  p.mac = 0.89;
  CHECK_EQUAL(ms_mode_pair_warning(&p, 2, omega, text, sizeof text), 1);
  CHECK_TEXT(text, "the MAC of measured mode 3 (41.37 Hz) and mode 2 of the model is only 0.89");
  p.mac = 0.9;
  CHECK_EQUAL(ms_mode_pair_warning(&p, 2, omega, text, sizeof text), 0);
}

static ms_status find(ms_context *ctx, void *user) {
  ms_structure *s = NULL;
  ms_mode_pairs pairs = { 0 };
  (void)user;
  ms_status status = make_structure(ctx, &s);
  if (status == MS_SUCCESS) status = ms_mode_pairs_find(ctx, s, &pairs);
  ms_mode_pairs_free(ctx, &pairs);
  ms_structure_destroy(&s);
  return status;
}

static void test_out_of_memory(void) {
  CHECK(test_allocations(find, NULL) > 5);
}

int main(void) {
  TEST(test_places);
  TEST(test_warnings);
  TEST(test_out_of_memory);
  return test_finish();
}
