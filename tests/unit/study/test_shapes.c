/* Mode shapes of chains and beams in the report: against closed forms. */
#include <stdio.h>

#include <microslip/study.h>

#include "support/check.h"
#include "support/files.h"
#include "support/packed.h"

enum { MOST = 4000 };
static const double pi = 3.141592653589793;

static ms_status run(ms_context *ctx, void *text) {
  ms_study *study = NULL;
  ms_study_setting setting = { .folder = test_path("out"), .threads = 1, .resume = 1 };
  test_put(test_path("study.yaml"), text);
  ms_status status = ms_study_open(ctx, test_path("study.yaml"), 0, NULL, &study);
  if (status == MS_SUCCESS) status = ms_study_run(study, &setting);
  ms_study_close(&study);
  return status;
}

static char *page; /* of the last figure */

/* The figure of the shapes in the report; NULL: there is none. *all is to be freed. */
static char *figure_of(const char *text, char **all) {
  char copy[2000];
  snprintf(copy, sizeof copy, "%s", text);
  CHECK_OK(run(test_context(), copy));
  free(page);
  *all = test_get(test_path("out/report.html"), &(size_t) { 0 });
  page = test_get(test_path("out/report.html"), &(size_t) { 0 });
  char *at = strstr(page, "<figure class=\"ms-shape\"");
  if (at) *strstr(at, "</figure>") = '\0';
  return at;
}

/* ---- chains ---- */

/* Two equal masses and springs: shapes (1, g) and (g, -1), g the golden section. */
static void test_chain(void) {
  int u[MOST];
  char *all, *figure = figure_of(
                 "microslip: 1\ntitle: Two\n"
                 "structure: {chain: {masses: {low: 1.7, top: 1.7}, springs: [[ground, low, 31], "
                 "[low, top, 31]]}}\n"
                 "analyses: [modes]\n",
                 &all);
  if (!CHECK(figure != NULL)) return;
  CHECK_HAS(figure, ">low</text>");
  CHECK_HAS(figure, "displacements drawn upwards");
  CHECK(!strstr(figure, "\"sides\"")); /* no joint slips */
  char *first = strstr(figure, "\"modes\":"), *second = strstr(first, "Mode 2");
  const double g = 0.5 * (1.0 + sqrt(5.0));
  CHECK_CLOSE(number_after(first, "omega"), sqrt(31 / 1.7) / g, 1e-9);
  CHECK(decode(first, "u", 3, u, MOST) >= 9);
  CHECK_BELOW(fabs((double)u[2] / u[5] - 1.0 / g), 1e-3); /* low and top, upwards */
  CHECK(u[0] == 0 && u[1] == 0 && u[8] == 0);             /* the third node is the ground */
  decode(second, "u", 3, u, MOST);
  CHECK_BELOW(fabs((double)u[2] / u[5] + g), 1e-3);
  free(all);
}

/* Free, with a joint: rigid-body modes are folded, the pair is in phase. */
static void test_free_chain(void) {
  int u[MOST], v[MOST];
  char *all,
      *figure = figure_of(
          "microslip: 1\ntitle: Free\n"
          "structure: {chain: {masses: {a: 1.1, b: 2.3, c: 1.7}, springs: [[a, b, 31], [a, c, "
          "7]]}}\n"
          "joints: {lap: {law: jenkins, between: [b, c], F_S: 3, K_T: 11}}\nanalyses: [modes]\n",
          &all);
  if (!CHECK(figure != NULL)) return;
  CHECK_HAS(all, " data-folded=\"1 rigid-body mode\""); /* of the table */
  CHECK_HAS(all, "<tr class=\"fold\">");
  char *data = strstr(figure, "\"modes\":"), *beside = strstr(data, "\"beside\"");
  CHECK(strstr(data, "\"folded\"") < strstr(data, "Mode 2"));
  CHECK_HAS(figure, ">lap</text>");
  CHECK_HAS(figure, "class=\"joint\"");
  CHECK_HAS(figure, "class=\"thin\""); /* a to c passes by b */
  CHECK_HAS(beside, "MAC 0.");
  const int n = decode(strstr(data, "Mode 2"), "u", 3, u, MOST);
  CHECK_EQUAL(decode(beside, "u", 3, v, MOST), n);
  double product = 0.0;
  for (int i = 0; i < 9; i++) product += (double)u[i] * v[i];
  CHECK(product > 0.0);
  free(all);
}

/* Two equal masses on springs a < b, coupled by c while the joint sticks: the stuck shapes are
   turned from the slipped ones by half of atan(2 c/(b - a)). */
static void test_mac(void) {
  const double a = 20, b = 31, c = 11, same = 0.5 + 0.5 * (b - a) / hypot(b - a, 2 * c);
  const double want[] = { same, 1 - same, 1 - same, same };
  char *all;
  figure_of(
      "microslip: 1\ntitle: Two\nstructure: {chain: {masses: {u: 1.7, v: 1.7}, "
      "springs: [[ground, u, 20], [ground, v, 31]]}}\n"
      "joints: {lap: {law: jenkins, between: [u, v], F_S: 3, K_T: 11}}\nanalyses: [modes]\n",
      &all);
  const char *at = strstr(all, "<figure class=\"ms-table ms-shaded\"");
  if (!CHECK(at != NULL)) return;
  CHECK_HAS(at, "MAC of stuck modes (rows) and slipped modes (columns)");
  CHECK_HAS(at, ">2</th>"); /* without a power of ten */
  for (int i = 0; i < 4; i++) {
    at = strstr(at, "data-v=\"") + 8;
    CHECK_CLOSE(strtod(at, NULL), want[i], 1e-12);
  }
  free(all);
}

/* Rows and springs without marks, of which there would be too many. */
static void test_long_chain(void) {
  char text[6000], *all;
  int at =
      snprintf(text, sizeof text, "microslip: 1\ntitle: Long\nstructure:\n  chain:\n    masses: {");
  for (int i = 0; i < 60; i++)
    at += snprintf(text + at, 40, "m%d: 1.3%s", i, i < 59 ? ", " : "}\n");
  at += snprintf(text + at, 60, "    springs: [[ground, m0, 3.1]");
  for (int i = 0; i < 59; i++) at += snprintf(text + at, 40, ", [m%d, m%d, 3.1]", i, i + 1);
  snprintf(text + at, 40, "]\nanalyses: [modes]\n");
  CHECK_OK(run(test_context(), text));
  all = test_get(test_path("out/report.html"), &(size_t) { 0 });
  char *figure = strstr(all, "<figure class=\"ms-shape\"");
  CHECK(figure && !strstr(figure, "class=\"mass") && strstr(figure, "class=\"beam b"));
  CHECK_HAS(figure, "20 modes in all");
  free(all);
}

/* ---- beams ---- */

static const char beam[] =
    "microslip: 1\ntitle: Beam\nstructure:\n  beam: {length: 0.731, width: 0.03, height: 0.007, E: "
    "2.1e11, "
    "rho: 7850, elements: 4, start: pinned, end: pinned, points: {shaker: 0.31}}\n"
    "joints: {pad: {law: jenkins, between: [ground, shaker.uy], F_S: 3, K_T: 1e-3}}\nanalyses: "
    "[modes]\n";

/* sin(pi x/L), between the nodes too. */
static void test_beam(void) {
  int u[MOST], x[MOST];
  char *all, *figure = figure_of(beam, &all);
  if (!CHECK(figure != NULL)) return;
  char *data = strstr(figure, "application/json"), *mode = strstr(data, "\"modes\":");
  const int n = decode(data, "x", 3, x, MOST) / 3;
  CHECK_EQUAL(decode(mode, "u", 3, u, MOST), 3 * n);
  CHECK(n > 50);
  double worst = 0.0, largest = 0.0;
  for (int i = 0; i < n; i++)
    if (abs(u[3 * i + 2]) > fabs(largest)) largest = u[3 * i + 2];
  for (int i = 0; i < n - 2; i++) { /* the last are the joint's ground and its middle */
    const double at = (x[3 * i] + 32767.0) / 65534.0;
    worst = fmax(worst, fabs(u[3 * i + 2] / largest - sin(pi * at)));
  }
  CHECK_BELOW(worst, 2e-3);
  CHECK_EQUAL(strstr(figure, "class=\"ground\"") != NULL, 1);
  CHECK_HAS(figure, ">pad</text>");
  free(all);
}

/* ---- none, and memory ---- */

static void test_matrices(void) {
  char *all;
  CHECK(figure_of("microslip: 1\ntitle: M\nstructure: {matrices: {mass: [1, 2], stiffness: [[3, "
                  "-1], [-1, 2]]}}\n"
                  "analyses: [modes]\n",
                  &all) == NULL);
  CHECK_HAS(all, "Mode shapes are not drawn: the structure has no positions.");
  free(all);
}

static const char placed[] =
    "microslip: 1\ntitle: Placed\nunits: {length: mm}\nstructure:\n  matrices:\n"
    "    coordinates: [tip.ux, tip.uz, arm.x, flap]\n    mass: [1.1, 1.1, 2.3, 0.7]\n"
    "    stiffness: [3, 5, 7, 11]\n"
    "    positions: {base: [0, 0, 0], arm: [0, 100, 0], tip: [200, 100, 50], flap: [200, 0, 0]}\n"
    "    lines: [[base, arm], [arm, tip]]\n"
    "analyses: [modes]\n";

/* Each mode is one degree of freedom, and moves its point alone, along its axis. */
static void test_positions(void) {
  static const int moving[] = { 3 * 2 + 0, 3 * 1 + 0, 3 * 2 + 2, 3 * 3 + 2 }; /* by frequency */
  int x[MOST], u[MOST];
  char *all, *figure = figure_of(placed, &all);
  if (!CHECK(figure != NULL)) return;
  CHECK_HAS(figure, "No degree of freedom moves base.");
  CHECK_HAS(all, "positions: no degree of freedom moves base in the pictures of modes");
  CHECK_HAS(figure, ">tip</text>");
  CHECK_EQUAL(decode(figure, "x", 3, x, MOST), 12);
  CHECK(x[3 * 2] - x[0] == 65534 && abs(x[3 * 1 + 1] - x[1] - 32767) <= 1); /* 200 by 100 */
  const char *at = strstr(figure, "\"modes\":");
  for (int m = 0; m < 4 && CHECK(at != NULL); m++) {
    char name[16];
    snprintf(name, sizeof name, "Mode %d", m + 1);
    at = strstr(at, name);
    CHECK_EQUAL(decode(at, "u", 3, u, MOST), 12);
    for (int i = 0; i < 12; i++) CHECK((u[i] != 0) == (i == moving[m]));
  }
  free(all);
}

static void test_refused_positions(void) {
  static const struct {
    const char *positions, *message;
  } wrong[] = {
    { "positions: [1, 2]", "positions must be a mapping" },
    { "positions: {tip: [1, 2]}", "tip" },
    { "positions: {Tip: [1, 2, 3]}", "no point has a degree of freedom" },
    { "positions: {tip: [1, 2, 3], tip.ux: [4, 5, 6]}",
      "the point 'tip.ux' has the name of a degree of freedom of point 'tip'" },
    { "positions: {tip.uz: [1, 2, 3], tip: [4, 5, 6]}",
      "the point 'tip.uz' has the name of a degree of freedom of point 'tip'" },
    { "positions: {tip: [1, 2, 3]}\n    lines: [[tip, nose]]", "positions has no point 'nose'" },
    { "positions: {tip: [1, 2, 3]}\n    lines: [[tip]]", "a line is [point, point]" },
    { "positions: {tip: [1, 2, 3]}\n    lines: tip", "lines must be a list" },
    { "lines: [[tip, nose]]", "lines need positions" },
    { "positions: nowhere.csv", "nowhere.csv" },
    { "positions: points.csv", "the columns name (words or numbers), x, y, z (numbers)" },
  };
  test_put(test_path("points.csv"), "name,x,y\ntip,1,2\n");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             "microslip: 1\ntitle: W\nstructure:\n  matrices:\n    coordinates: [tip.ux, tip.uz]\n"
             "    mass: [1.1, 1.1]\n    stiffness: [3, 5]\n    %s\nanalyses: [modes]\n",
             wrong[i].positions);
    CHECK(run(test_context(), text) != MS_SUCCESS);
    CHECK_HAS(ms_context_message(test_context()), wrong[i].message);
  }
}

/* The same from a table, in its order. */
static void test_table_of_positions(void) {
  char *all, *figure;
  test_put(test_path("points.csv"), "name,x,y,z\ntip,2,1,0.5\nbase,0,0,0\n");
  figure = figure_of(
      "microslip: 1\ntitle: T\nstructure:\n  matrices:\n    coordinates: [tip.ux, "
      "tip.uz]\n    mass: [1.1, 1.1]\n    stiffness: [3, 5]\n"
      "    positions: points.csv\n    lines: [[base, tip]]\nanalyses: [modes]\n",
      &all);
  if (!CHECK(figure != NULL)) return;
  int x[MOST];
  CHECK_EQUAL(decode(figure, "x", 3, x, MOST), 6);
  CHECK_EQUAL(x[0] - x[3], 65534);
  free(all);
}

static void test_memory_fails(void) {
  char text[1000];
  snprintf(text, sizeof text, "%s", beam);
  CHECK(test_allocations(run, text) > 100);
  snprintf(text, sizeof text, "%s", placed);
  CHECK(test_allocations(run, text) > 100);
}

int main(void) {
  test_folder_open();
  TEST(test_chain);
  TEST(test_free_chain);
  TEST(test_mac);
  TEST(test_long_chain);
  TEST(test_beam);
  TEST(test_matrices);
  TEST(test_positions);
  TEST(test_refused_positions);
  TEST(test_table_of_positions);
  TEST(test_memory_fails);
  free(page);
  test_folder_close();
  return test_finish();
}
