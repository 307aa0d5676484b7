/* Fields of contact points on the nodes of the mesh, as a series of VTU files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <microslip/fem_contact.h>
#include <microslip/io.h>

#include "core/internal.h"
#include "fem/impl.h"
#include "io/internal.h"

/* Values of points at the nodes of the first faces: the mean of a node's points, weighted by N^2
   and area. */
static void fill_nodes(const ms_fem_rest *rest, const double *from, ptrdiff_t n_node, double *out,
                       double *weight) {
  memset(weight, 0, (size_t)n_node * sizeof *weight);
  for (ptrdiff_t i = 0; i < rest->n_point; i++) {
    const ms_fem_contact_point *p = &rest->point[i];
    for (int a = 0; a < p->n[0] && isfinite(from[i]); a++) {
      const double w = p->N[0][a] * p->N[0][a] * p->area;
      out[p->node[0][a]] += w * from[i];
      weight[p->node[0][a]] += w;
    }
  }
  for (ptrdiff_t i = 0; i < n_node; i++) {
    if (weight[i] > 0.0) out[i] /= weight[i];
  }
}

/* In a sector the far plane has the values of the near one. */
static void fill_far(const ms_mesh *mesh, double *value) {
  for (int k = 0; k < mesh->n_block && mesh->sector > 0.0; k++) {
    const ms_element_block *b = &mesh->block[k];
    for (ptrdiff_t i = 0; i < 4 * b->n; i++) {
      const int32_t *node = b->node + 8 * (i / 4);
      value[node[ms_sector_pair[i % 4][1]]] = value[node[ms_sector_pair[i % 4][0]]];
    }
  }
}

static ms_status write_frame(ms_context *ctx, const ms_mesh *mesh, const ms_fem_rest *rest,
                             const ms_fem_frames *frames, ptrdiff_t frame, const char *path) {
  const ptrdiff_t n_node = ms_mesh_count_nodes(mesh), n_field = frames->n_field;
  ms_mesh_field *field;
  double *value = NULL;
  MS_TRY(ms_allocate(ctx, n_field, sizeof *field, &field));
  ms_status status = ms_allocate(ctx, (n_field + 1) * n_node, sizeof *value, &value);
  for (ptrdiff_t k = 0; k < n_field && !status; k++) {
    double *out = value + n_node * k;
    const double *from = frames->field[k].values + rest->n_point * frame;
    fill_nodes(rest, from, n_node, out, value + n_node * n_field);
    fill_far(mesh, out);
    field[k] = (ms_mesh_field) { frames->field[k].name, 1, out };
  }
  if (!status) status = ms_mesh_write_vtu(mesh, (int)n_field, field, path);
  ms_free(ctx, &value);
  ms_free(ctx, &field);
  return status;
}

/* ParaView's collection: which file belongs to which time. */
static ms_status write_series(ms_context *ctx, const ms_fem_frames *frames, const char *name,
                              const char *path) {
  ms_outfile *file;
  MS_TRY(ms_outfile_open(ctx, path, &file));
  FILE *out = ms_outfile_stream(file);
  fprintf(out,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n"
          "  <Collection>\n");
  for (ptrdiff_t k = 0; k < frames->n; k++) {
    fprintf(out, "    <DataSet timestep=\"%.9g\" part=\"0\" file=\"%s_%td.vtu\"/>\n",
            frames->time[k], name, k + 1);
  }
  fprintf(out, "  </Collection>\n</VTKFile>\n");
  return ms_outfile_commit(&file);
}

ms_status ms_fem_write_frames(ms_context *ctx, const ms_mesh *mesh, const ms_fem_rest *rest,
                              const char *folder, const char *name, const ms_fem_frames *frames) {
  char file[128], *path;
  for (ptrdiff_t k = 0; k <= frames->n; k++) {
    if (k == frames->n && !frames->time) break;
    if (k < frames->n)
      snprintf(file, sizeof file, "%.100s_%td.vtu", name, k + 1);
    else
      snprintf(file, sizeof file, "%.100s.pvd", name);
    MS_TRY(ms_folder_path(ctx, folder, file, &path));
    const ms_status status = k < frames->n ? write_frame(ctx, mesh, rest, frames, k, path)
                                           : write_series(ctx, frames, name, path);
    ms_free(ctx, &path);
    MS_TRY(status);
  }
  return MS_SUCCESS;
}
