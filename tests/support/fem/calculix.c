/* Lengths are written in mm, stresses in MPa, as the contact of CalculiX has absolute tolerances.
 */
#include "support/fem/calculix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <microslip/context.h>

static void write_mesh(FILE *f, const calculix_job *job) {
  const double *x = ms_mesh_get_nodes(job->mesh);
  fputs("*NODE, NSET=ALL\n", f);
  for (ptrdiff_t i = 0; i < ms_mesh_count_nodes(job->mesh); i++) {
    fprintf(f, "%td, %.9g, %.9g, %.9g\n", i + 1, 1e3 * x[3 * i], 1e3 * x[3 * i + 1],
            1e3 * x[3 * i + 2]);
  }
  fputs("*ELEMENT, TYPE=C3D8I, ELSET=SOLID\n", f);
  for (int b = 0; b < ms_mesh_count_blocks(job->mesh); b++) {
    const ms_mesh_block block = ms_mesh_get_block(job->mesh, b);
    for (ptrdiff_t e = 0; e < block.n; e++) {
      fprintf(f, "%td", block.first + e + 1);
      for (int k = 0; k < 8; k++) fprintf(f, ", %d", block.node[8 * e + k] + 1);
      fputs("\n", f);
    }
  }
  fprintf(f, "*MATERIAL, NAME=S\n*ELASTIC\n%.9g, %.9g\n", 1e-6 * job->E, job->nu);
  fputs("*SOLID SECTION, ELSET=SOLID, MATERIAL=S\n", f);
}

/* Faces of the set by the numbers of CalculiX. */
static int write_surface(FILE *f, const calculix_job *job, int side) {
  static const int face[6][4] = { { 0, 1, 2, 3 }, { 4, 5, 6, 7 }, { 0, 1, 4, 5 },
                                  { 1, 2, 5, 6 }, { 2, 3, 6, 7 }, { 3, 0, 7, 4 } };
  ms_mesh_set faces, nodes;
  char *in = calloc((size_t)ms_mesh_count_nodes(job->mesh), 1);
  if (!in || ms_mesh_find_set(job->mesh, MS_SET_FACES, job->contact[side], &faces) ||
      ms_mesh_find_set(job->mesh, MS_SET_NODES, job->contact[side], &nodes)) {
    free(in);
    return 0;
  }
  for (ptrdiff_t i = 0; i < nodes.n; i++) in[nodes.index[i]] = 1;
  fprintf(f, "*SURFACE, NAME=%s\n", side ? "SECOND" : "FIRST");
  for (ptrdiff_t i = 0; i < faces.n; i++) {
    const ptrdiff_t e = faces.index[i];
    const ms_mesh_block block = ms_mesh_get_block(job->mesh, ms_mesh_find_block(job->mesh, e));
    const int32_t *node = block.node + 8 * (e - block.first);
    for (int k = 0; k < 6; k++) {
      int all = 1;
      for (int m = 0; m < 4; m++) all &= in[node[face[k][m]]];
      if (all) fprintf(f, "%td, S%d\n", e + 1, k + 1);
    }
  }
  free(in);
  return 1;
}

static int write_supports(FILE *f, const calculix_job *job) {
  fputs("*BOUNDARY\n", f);
  for (int s = 0; s < job->n_fixed; s++) {
    ms_mesh_set set;
    if (ms_mesh_find_set(job->mesh, MS_SET_NODES, job->fixed[s], &set)) return 0;
    for (ptrdiff_t i = 0; i < set.n; i++) {
      for (int a = 0; a < 3; a++) {
        if (job->component[s] & 1 << a) fprintf(f, "%d, %d\n", set.index[i] + 1, a + 1);
      }
    }
  }
  return 1;
}

static void write_steps(FILE *f, const calculix_job *job) {
  const ptrdiff_t n = 3 * ms_mesh_count_nodes(job->mesh);
  for (ptrdiff_t t = 0; t < job->n_turn; t++) {
    fprintf(f, "*STEP, INC=1000, NLGEOM=NO\n*STATIC, DIRECT\n%.12g, 1.\n*CLOAD, OP=NEW\n",
            1.0 / job->steps[t]);
    for (ptrdiff_t i = 0; i < n; i++) {
      double force = 0.0;
      int any = 0; /* one that is zero now may have been otherwise */
      for (ptrdiff_t k = 0; k < job->n_load; k++) {
        any |= job->load[i + n * k] != 0.0;
        force += job->turn[k + job->n_load * t] * job->load[i + n * k];
      }
      if (any) fprintf(f, "%td, %td, %.12e\n", i / 3 + 1, i % 3 + 1, force);
    }
    fputs("*NODE PRINT, NSET=ALL, FREQUENCY=1\nU\n*END STEP\n", f);
  }
}

static int write_input(FILE *f, const calculix_job *job) {
  write_mesh(f, job);
  if (!write_surface(f, job, 0) || !write_surface(f, job, 1)) return 0;
  fprintf(f,
          "*SURFACE INTERACTION, NAME=C\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n"
          "%.9g, 1.e-6, 1.e-3\n*FRICTION\n%.9g, %.9g\n"
          "*CONTACT PAIR, INTERACTION=C, TYPE=SURFACE TO SURFACE\nFIRST, SECOND\n",
          1e-9 * job->K_n, job->mu, 1e-9 * job->K_t);
  if (!write_supports(f, job)) return 0;
  write_steps(f, job);
  return 1;
}

/* One table of all nodes after each load step. */
static int read_output(FILE *f, const calculix_job *job, double *v) {
  const ptrdiff_t nodes = ms_mesh_count_nodes(job->mesh);
  char line[256];
  ptrdiff_t n = 0, step = 0;
  for (ptrdiff_t t = 0; t < job->n_turn; t++) n += job->steps[t];
  memset(v, 0, (size_t)(n * job->n_load) * sizeof *v);
  while (step < n && fgets(line, sizeof line, f)) {
    if (!strstr(line, "displacements")) continue;
    for (ptrdiff_t i = 0; i < nodes; i++) {
      double u[3];
      long node;
      if (fscanf(f, "%ld %lf %lf %lf", &node, &u[0], &u[1], &u[2]) != 4) return 0;
      for (ptrdiff_t k = 0; k < job->n_load; k++) {
        const double *load = job->load + 3 * (nodes * k + node - 1);
        v[k + job->n_load * step] += 1e-3 * (load[0] * u[0] + load[1] * u[1] + load[2] * u[2]);
      }
    }
    step++;
  }
  return step == n;
}

static double children_seconds(void) {
  struct rusage u;
  getrusage(RUSAGE_CHILDREN, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

int calculix_run(const calculix_job *job, const char *folder, double *v, double *seconds) {
  char text[1024];
  mkdir(folder, 0777);
  snprintf(text, sizeof text, "%s/job.inp", folder);
  FILE *f = fopen(text, "w");
  if (!f) return 0;
  int fine = write_input(f, job);
  fine &= fclose(f) == 0;
  const double before = children_seconds();
  snprintf(text, sizeof text, "cd '%s' && OMP_NUM_THREADS=1 ccx -i job >ccx.log 2>&1", folder);
  if (!fine || system(text) != 0) return 0;
  *seconds = children_seconds() - before;
  snprintf(text, sizeof text, "%s/job.dat", folder);
  f = fopen(text, "r");
  if (!f) return 0;
  fine = read_output(f, job, v);
  fclose(f);
  return fine;
}
