/* The records of examples/hammer-to-joint:

     hammer_files FOLDER

   writes six impacts as universal files (58b) and a seventh as a table with decimal commas. Three
   masses on springs, between the second and the third a joint: sliders that have the density of a
   four-parameter Iwan element. The page and its test compare with what stands here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/hammer_simulator.h"
#include "support/uff.h"

enum { MASSES = 3, SAMPLES = 10240, FINER = 16, CELLS = 120 };
#define RATE 12800.0
#define G    9.80665

static const double mass[MASSES] = { 1.8, 1.2, 0.9 };          /* kg */
static const double spring[MASSES] = { 3.16e6, 2.1e6, 1.1e6 }; /* N/m, to the one before */
static const double F_S = 25.0, K_T = 6e5, chi = -0.4, beta = 1.2;
static const double of_mass = 5.0, of_stiffness = 3e-6; /* 1/s, s: C = a M + b K, stuck joint */
static const double gain[MASSES + 1] = { 1.0, 1.0, 1.03, 1.0 };
static const double range[MASSES + 1] = { 1300.0, 40.0 * G, 80.0 * G, 80.0 * G };

static const struct impact {
  const char *name, *text;
  unsigned long long seed;
  sim_blow blow;
} impact[] = {
  { "top_soft.uff", "top, soft", 11, { .at = 2, .peak = 40.0, .width = 2.2e-3 } },
  { "top_middle.uff", "top, middle", 12, { .at = 2, .peak = 150.0, .width = 2.0e-3 } },
  { "top_hard.uff", "top, hard", 13, { .at = 2, .peak = 480.0, .width = 1.8e-3 } },
  { "top_again.uff",
    "top, again",
    14,
    { .at = 2, .peak = 170.0, .width = 2.0e-3, .second = 0.3, .second_start = 0.041 } },
  { "base_middle.uff", "base, middle", 15, { .at = 0, .peak = 260.0, .width = 1.9e-3 } },
  { "base_hard.uff", "base, hard", 16, { .at = 0, .peak = 1150.0, .width = 1.7e-3 } },
  { "held_out.csv", "middle, held out", 17, { .at = 1, .peak = 300.0, .width = 1.9e-3 } },
};

static sim_plant make_plant(void) {
  sim_plant p = { .n = MASSES, .n_sensor = MASSES, .sensor = { 0, 1, 2 }, .from = 1, .to = 2 };
  const double c1 = chi + 1.0, c2 = chi + 2.0;
  const double most = F_S * (1.0 + beta) / (K_T * (beta + c1 / c2)); /* m, where all slip */
  const double R = K_T * c1 / (pow(most, c1) * (1.0 + beta)), S = K_T * beta / (1.0 + beta);
  p.stiffness = K_T, p.slip = F_S, p.rate = RATE, p.finer = FINER, p.n_slider = CELLS + 1;
  for (int i = 0; i < MASSES; i++) p.M[i][i] = mass[i], sim_spring(&p, i - 1, i, spring[i]);
  memcpy(p.C, p.K, sizeof p.C);
  p.C[1][1] += K_T, p.C[2][2] += K_T, p.C[1][2] -= K_T, p.C[2][1] -= K_T;
  for (int i = 0; i < MASSES; i++) {
    for (int j = 0; j < MASSES; j++) p.C[i][j] = of_mass * p.M[i][j] + of_stiffness * p.C[i][j];
  }
  for (int i = 0; i < CELLS; i++) { /* a slider for each cell of the density, and one for its end */
    const double low = i ? most * pow(10.0, 4.0 * i / CELLS - 4.0) : 0.0;
    const double high = most * pow(10.0, 4.0 * (i + 1) / CELLS - 4.0);
    p.k[i] = R * (pow(high, c1) - pow(low, c1)) / c1;
    p.slips[i] = R * (pow(high, c2) - pow(low, c2)) / c2;
  }
  p.k[CELLS] = S, p.slips[CELLS] = S * most;
  return p;
}

static void print_uff(FILE *out, const struct impact *hit, const double *x) {
  for (int c = 0; c <= MASSES; c++) {
    const double unit = c ? G : 1.0;
    double y[SAMPLES];
    ms_uff58_function f = { .id = { "", "NONE", "19-Nov-26 10:15:00", "NONE", "NONE" },
                            .type = 1,
                            .reference_name = "NONE",
                            .response_node = c ? c : hit->blow.at + 1,
                            .response_direction = 3,
                            .is_even = 1,
                            .n = SAMPLES,
                            .x_step = 1.0 / RATE,
                            .y = y };
    for (int k = 0; k < SAMPLES; k++) y[k] = x[k + SAMPLES * c] / unit;
    snprintf(f.id[0], sizeof f.id[0], "Bracket, simulated; hammer at the %s", hit->text);
    snprintf(f.response_name, sizeof f.response_name, c ? "acc%.0d" : "hammer%.0d", c);
    f.abscissa = (ms_uff58_axis) { .kind = 17, .label = "Time", .unit = "s" };
    f.ordinate = (ms_uff58_axis) { .kind = c ? 12 : 13, .label = "", .unit = "" };
    snprintf(f.ordinate.label, sizeof f.ordinate.label, c ? "Acceleration" : "Force");
    snprintf(f.ordinate.unit, sizeof f.ordinate.unit, c ? "g" : "N");
    test_uff_print(out, &f, UFF_LITTLE, 0);
  }
}

/* With a decimal comma. */
static void print_number(FILE *out, int decimals, double value) {
  char text[40];
  snprintf(text, sizeof text, "%.*f", decimals, value);
  *strchr(text, '.') = ',';
  fputs(text, out);
}

static void print_csv(FILE *out, const double *x) {
  fprintf(out, "Time (s);hammer (N)");
  for (int c = 1; c <= MASSES; c++) fprintf(out, ";acc%d (g)", c);
  for (int k = 0; k < SAMPLES; k++) {
    fputc('\n', out);
    print_number(out, 7, k / RATE);
    for (int c = 0; c <= MASSES; c++) {
      fputc(';', out);
      print_number(out, c ? 4 : 3, x[k + SAMPLES * c] / (c ? G : 1.0));
    }
  }
  fputc('\n', out);
}

static int write_file(const sim_plant *p, const char *folder, const struct impact *hit) {
  enum { FINE = SAMPLES * FINER };
  static double fine[FINE * (MASSES + 1)], x[SAMPLES * (MASSES + 1)];
  char path[1000];
  sim_blow b = hit->blow;
  sim_seed(hit->seed);
  b.start = sim_uniform(0.019, 0.021);
  if (b.second > 0.0) b.second_start += sim_uniform(-1e-3, 1e-3);
  sim_run(p, &b, FINE, fine, fine + FINE);
  for (int c = 0; c <= MASSES; c++) {
    sim_filter(SAMPLES, FINER, fine + FINE * c, x + SAMPLES * c);
    sim_convert(SAMPLES, RATE, gain[c], range[c], x + SAMPLES * c);
  }
  snprintf(path, sizeof path, "%s/%s", folder, hit->name);
  FILE *out = fopen(path, "wb");
  if (!out) return perror(path), 1;
  if (strstr(hit->name, ".csv"))
    print_csv(out, x);
  else
    print_uff(out, hit, x);
  return fclose(out) != 0;
}

int main(int argc, char **argv) {
  const sim_plant p = make_plant();
  int failed = argc != 2;
  for (size_t i = 0; !failed && i < sizeof impact / sizeof *impact; i++)
    failed = write_file(&p, argv[1], &impact[i]);
  return failed;
}
