/* What is worth knowing about the model itself: said by `check`, and with the first analysis of a
   run. */
#include <stdarg.h>
#include <stdio.h>

#include "core/internal.h"
#include "study/model/fe/fe.h"

ms_status ms_study_note(ms_study *s, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (s->outline) ms_log(s->ctx, MS_LOG_WARNING, "%s", text);
  MS_TRY(ms_resize(s->ctx, s->n_model_note + 1, sizeof *s->model_note, &s->model_note));
  s->model_note[s->n_model_note] = NULL;
  MS_TRY(ms_text_copy(s->ctx, text, &s->model_note[s->n_model_note]));
  s->n_model_note++;
  return MS_SUCCESS;
}

ms_status ms_study_tell_notes(ms_study *s) {
  for (int i = 0; s->n_task > 0 && i < s->n_model_note; i++) {
    MS_TRY(ms_task_note(s, &s->task[0], "%s", s->model_note[i]));
  }
  return MS_SUCCESS;
}

void ms_study_close_notes(ms_study *s) {
  for (int i = 0; i < s->n_model_note; i++) ms_free(s->ctx, &s->model_note[i]);
  ms_free(s->ctx, &s->model_note);
  s->n_model_note = 0;
}

static ms_status check_material(ms_study *s, const char *what, double E, double rho) {
  char text[400];
  return ms_structure_material_warning(what, E, rho, text, sizeof text)
             ? ms_study_note(s, "%s", text)
             : MS_SUCCESS;
}

ms_status ms_study_check_materials(ms_study *s) {
  struct fy_node *root = ms_yaml_root(&s->yaml);
  struct fy_node *beam = ms_yaml_get(ms_yaml_get(root, "structure"), "beam");
  double E, rho, l = s->units.length;
  if (beam) {
    MS_TRY(ms_yaml_number(&s->yaml, ms_yaml_get(beam, "E"), "E", &E));
    MS_TRY(ms_yaml_number(&s->yaml, ms_yaml_get(beam, "rho"), "rho", &rho));
    MS_TRY(
        check_material(s, "beam", E * s->units.force / (l * l), rho * s->units.mass / (l * l * l)));
  }
  for (const ms_fe *fe = s->fe; fe; fe = fe->next) {
    for (int p = 0; fe->mesh && p < fe->f->mesh_count_parts(fe->mesh); p++) {
      const ms_part *part = fe->f->mesh_get_part(fe->mesh, p);
      char what[160];
      snprintf(what, sizeof what, "part '%.60s%s%.60s'", fe->name ? fe->name : "",
               fe->name ? "." : "", part->name);
      MS_TRY(check_material(s, what, part->material.E[0], part->material.rho));
    }
  }
  return MS_SUCCESS;
}

ms_status ms_study_check_mechanisms(ms_study *s) {
  ptrdiff_t n;
  char moves[240];
  if (s->outline) return MS_SUCCESS; /* matrices are none of the model's */
  MS_TRY(ms_study_find_mechanisms(s, &n, moves, sizeof moves));
  if (n == 0) return MS_SUCCESS;
  return ms_study_note(s,
                       "%td mechanism%s: with all joints stuck, %s can move without strain, in "
                       "addition to rigid-body motion of the whole structure",
                       n, n == 1 ? "" : "s", moves);
}
