/* The report's words on finite elements. */
#include <stdio.h>

#include "study/model/fe/fe.h"

static ms_status report_part(const ms_fe *fe, int p, ms_page *page) {
  const ms_part *part = fe->f->mesh_get_part(fe->mesh, p);
  const char *element = "";
  ptrdiff_t n = 0;
  for (int b = 0; b < fe->f->mesh_count_blocks(fe->mesh); b++) {
    ms_mesh_block block = fe->f->mesh_get_block(fe->mesh, b);
    if (block.part != p) continue;
    element = block.element->name;
    n += block.n;
  }
  return ms_page_add_fact(page, part->name, "%td %s, E %.6g Pa, nu %.6g, rho %.6g kg/m3", n,
                          element, part->material.E[0], part->material.nu[0], part->material.rho);
}

static ms_status report_fe(const ms_fe *fe, ms_page *page) {
  char title[96];
  snprintf(title, sizeof title, "Sub-structure %.60s:", fe->name ? fe->name : "");
  if (fe->name) MS_TRY(ms_page_add_text(page, title));
  MS_TRY(ms_page_add_fact(page, "finite elements", "%td elements, %td nodes, %td unknowns",
                          fe->f->mesh_count_elements(fe->mesh), fe->f->mesh_count_nodes(fe->mesh),
                          fe->n_unknown));
  MS_TRY(ms_page_add_fact(page, "mass", "%.6g kg", fe->mass));
  MS_TRY(ms_page_add_fact(page, "engine", "%s", fe->engine));
  MS_TRY(ms_page_add_fact(page, "fixed-interface modes", "%s", fe->line));
  if (fe->remark[0]) MS_TRY(ms_page_add_fact(page, "check of the mesh", "%s", fe->remark));
  if (fe->ignored[0])
    MS_TRY(ms_page_add_fact(page, "not read in the mesh file", "%s", fe->ignored));
  for (int p = 0; p < fe->f->mesh_count_parts(fe->mesh); p++) MS_TRY(report_part(fe, p, page));
  return MS_SUCCESS;
}

ms_status ms_study_report_fe(const ms_study *s, ms_page *page) {
  if (!s->reduced) return MS_SUCCESS;
  MS_TRY(ms_page_add_fact(page, "reduced model", "%td degrees of freedom kept and %td modes",
                          s->reduced->n_boundary, s->reduced->n - s->reduced->n_boundary));
  for (const ms_fe *fe = s->fe; fe; fe = fe->next) MS_TRY(report_fe(fe, page));
  return MS_SUCCESS;
}
