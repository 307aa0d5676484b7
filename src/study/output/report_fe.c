/* The report's words on finite elements. */
#include <stdio.h>

#include "study/model/fe/fe.h"

static ms_status report_reduced(const ms_study *s, ms_page *page) {
  char size[96];
  const char *names[] = { "reduced model" }, *values[] = { size };
  snprintf(size, sizeof size, "%td coordinates kept and %td modes", s->reduced->n_boundary,
           s->reduced->n - s->reduced->n_boundary);
  return ms_page_add_facts(page, 1, names, values);
}

static ms_status report_parts(const ms_fe *fe, ms_page *page) {
  ms_status status = MS_SUCCESS;
  for (int p = 0; p < fe->f->mesh_count_parts(fe->mesh) && status == MS_SUCCESS; p++) {
    const ms_part *part = fe->f->mesh_get_part(fe->mesh, p);
    const char *element = "";
    ptrdiff_t n = 0;
    char text[192];
    for (int b = 0; b < fe->f->mesh_count_blocks(fe->mesh); b++) {
      ms_mesh_block block = fe->f->mesh_get_block(fe->mesh, b);
      if (block.part != p) continue;
      element = block.element->name;
      n += block.n;
    }
    snprintf(text, sizeof text, "%td %s, E %.6g Pa, nu %.6g, rho %.6g kg/m3", n, element,
             part->material.E[0], part->material.nu[0], part->material.rho);
    status = ms_page_add_facts(page, 1, &part->name, (const char *const[]) { text });
  }
  return status;
}

static ms_status report_remarks(const ms_fe *fe, ms_page *page) {
  const char *names[] = { "check of the mesh", "not read in the mesh file" };
  const char *values[] = { fe->remark, fe->ignored };
  for (int i = 0; i < 2; i++) {
    if (values[i][0]) MS_TRY(ms_page_add_facts(page, 1, &names[i], &values[i]));
  }
  return MS_SUCCESS;
}

static ms_status report_fe(const ms_fe *fe, ms_page *page) {
  char size[128], mass[32], title[96];
  snprintf(title, sizeof title, "Sub-structure %.60s:", fe->name ? fe->name : "");
  if (fe->name) MS_TRY(ms_page_add_text(page, title));
  snprintf(size, sizeof size, "%td elements, %td nodes, %td unknowns",
           fe->f->mesh_count_elements(fe->mesh), fe->f->mesh_count_nodes(fe->mesh), fe->n_unknown);
  snprintf(mass, sizeof mass, "%.6g kg", fe->mass);
  const char *names[] = { "finite elements", "mass", "engine", "fixed-interface modes" };
  const char *values[] = { size, mass, fe->engine, fe->line };
  MS_TRY(ms_page_add_facts(page, 4, names, values));
  MS_TRY(report_remarks(fe, page));
  return report_parts(fe, page);
}

ms_status ms_study_report_fe(const ms_study *s, ms_page *page) {
  if (!s->reduced) return MS_SUCCESS;
  MS_TRY(report_reduced(s, page));
  for (const ms_fe *fe = s->fe; fe; fe = fe->next) MS_TRY(report_fe(fe, page));
  return MS_SUCCESS;
}
