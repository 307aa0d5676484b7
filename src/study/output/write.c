/* Everything a run leaves in its folder: the tables of an analysis when it ends; report, results.h5
   and summary once all has been computed; each file beside and then renamed. */
#include <stdio.h>

#include <microslip/backbone.h>
#include <microslip/io.h>

#include "core/internal.h"
#include "report/result/folder.h"
#include "study/model/fe/fe.h"

/* ---- tables ---- */

static ms_status is_read(const void *study, const struct stat *file, int *found) {
  return ms_yaml_names_file(&((const ms_study *)study)->yaml, file, found);
}

/* The folder; at first what an earlier run has left goes. */
static ms_status open_folder(ms_study *s, ms_result_folder *out) {
  *out = (ms_result_folder) { s->ctx, s->folder, is_read, s, NULL };
  if (s->display_words) out->display = s->display;
  if (s->prepared) return MS_SUCCESS;
  MS_TRY(ms_result_folder_prepare(out, &s->replaced));
  s->prepared = 1;
  return MS_SUCCESS;
}

ms_status ms_study_write_tables(ms_study *s, const ms_task *task) {
  ms_result_folder folder;
  MS_TRY(open_folder(s, &folder));
  return ms_result_folder_write_tables(&folder, task->result, task->status != MS_SUCCESS);
}

/* ---- report ---- */

static ms_status report_structure(const ms_study *s, ms_page *page) {
  MS_TRY(ms_page_add_heading(page, "Structure and joints"));
  MS_TRY(ms_page_add_fact(page, "degrees of freedom", "%td", ms_structure_get_size(s->structure)));
  MS_TRY(ms_page_add_fact(page, "joints", "%d", ms_structure_count_joints(s->structure)));
  MS_TRY(ms_page_add_fact(page, "units of the file", "%s", s->units.text));
  MS_TRY(ms_study_report_fe(s, page));
  return ms_study_report_joints(s, page);
}

static ms_status print_command(ms_context *ctx, const void *user, FILE *out) {
  const ms_study *s = user;
  (void)ctx;
  fprintf(out, "microslip %s\nmicroslip run", ms_version());
  for (int i = 0; i < s->n_set; i++) {
    fputs(" --set ", out);
    ms_text_print_word(out, s->set[i]);
  }
  fputs(*s->yaml.path == '-' ? " -- " : " ", out);
  ms_text_print_word(out, s->yaml.path);
  return MS_SUCCESS;
}

static ms_status report_repeat(const ms_study *s, ms_page *page) {
  char *line;
  size_t length;
  MS_TRY(ms_page_add_heading(page, "How to repeat it"));
  MS_TRY(ms_page_add_text(page,
                          "With the version and the study file below. Numbers are SI; tables "
                          "with all digits are in tables/ and in results.h5, the main numbers in "
                          "summary.json."));
  MS_TRY(ms_print_text(s->ctx, print_command, s, &line, &length));
  ms_status status = ms_page_add_code(page, line);
  ms_free(s->ctx, &line);
  return status == MS_SUCCESS ? ms_page_add_code(page, s->yaml.text) : status;
}

static int is_only_one(const ms_study *s, const ms_task *task) {
  for (int i = 0; i < s->n_task; i++)
    if (&s->task[i] != task && s->task[i].kind == task->kind) return 0;
  return 1;
}

/* Its title in words, "Fit modal" where it has none, and its name; "Fit modal: first try" where
   there are several of the kind. */
static ms_status report_analysis(const ms_study *s, const ms_task *task, ms_page *page) {
  const char *kind = task->kind->title ? task->kind->title : task->kind->name;
  char title[200];
  snprintf(title, sizeof title, "%s%s%.100s", kind, is_only_one(s, task) ? "" : ": ",
           is_only_one(s, task) ? "" : task->name);
  for (char *c = title; *c; c++) *c = *c == '_' ? ' ' : *c;
  if (title[0] >= 'a' && title[0] <= 'z') title[0] = (char)(title[0] - 'a' + 'A');
  MS_TRY(ms_page_add_named_section(page, title, task->name));
  MS_TRY(ms_page_add_text(page, task->kind->meaning));
  return ms_result_write_page(task->result, page);
}

static ms_status fill_report(ms_study *s, ms_page *page) {
  for (int i = 0; i < s->n_task; i++) MS_TRY(report_analysis(s, &s->task[i], page));
  MS_TRY(ms_page_add_section(page, "Method and inputs"));
  if (s->structure) MS_TRY(report_structure(s, page));
  return report_repeat(s, page);
}

static ms_status write_figures(const ms_study *s, const ms_page *page) {
  char *folder;
  MS_TRY(ms_folder_path(s->ctx, s->folder, "figures", &folder));
  ms_status status = ms_page_write_figures(page, folder, &s->figure_format);
  ms_free(s->ctx, &folder);
  return status;
}

static ms_status write_report(ms_study *s) {
  ms_page *page;
  const ms_backbone_method *method;
  char *path = NULL;
  MS_TRY(ms_page_create(s->ctx, s->title, "microslip study", &page));
  ms_page_set_display(page, s->display);
  ms_status status = MS_SUCCESS;
  for (int i = 0; status == MS_SUCCESS && (method = ms_backbone_get_method(i)); i++) {
    if (method->words) status = ms_page_explain(page, method->name, method->words);
  }
  if (status == MS_SUCCESS) status = fill_report(s, page);
  if (status == MS_SUCCESS) status = ms_folder_path(s->ctx, s->folder, "report.html", &path);
  if (status == MS_SUCCESS) status = ms_page_write(page, path);
  ms_free(s->ctx, &path);
  if (status == MS_SUCCESS && s->figures) status = write_figures(s, page);
  ms_page_destroy(&page);
  return status;
}

static ms_status write_model(const ms_study *s, const ms_reduced *reduced, const char *file) {
  char *path;
  MS_TRY(ms_folder_path(s->ctx, s->folder, file, &path));
  ms_status status = ms_reduced_write(reduced, path);
  ms_free(s->ctx, &path);
  return status;
}

/* For `reduced` in other studies, which then solve no finite elements. */
static ms_status write_reduced(const ms_study *s) {
  if (!s->fe) return MS_SUCCESS;
  for (const ms_fe *fe = s->fe; fe; fe = fe->next) {
    char file[96];
    snprintf(file, sizeof file, "reduced_%s.h5", fe->name ? fe->name : "");
    if (fe->name) MS_TRY(write_model(s, fe->reduced, file));
  }
  return write_model(s, s->reduced, "reduced.h5");
}

static const ms_result *get_result(const void *study, int i) {
  return ((const ms_study *)study)->task[i].result;
}

ms_status ms_study_write(ms_study *s) {
  const char *status = ms_outcome_text(ms_study_get_outcome(s, -1));
  const ms_result_run run = { s->title, status, s->units.text, s->n_task, get_result };
  ms_result_folder folder;
  MS_TRY(open_folder(s, &folder));
  MS_TRY(ms_result_folder_write_columns(&folder, &run));
  MS_TRY(ms_study_write_results(s)); /* before the report, which takes the figures */
  MS_TRY(write_report(s));
  MS_TRY(write_reduced(s));
  return ms_result_folder_write_summary(&folder, &run);
}
