/* A study: opened and checked, run, closed. */
#include <cblas.h>
#include <string.h>

#include <microslip/io.h>

#include "core/internal.h"
#include "io/yaml/units.h"
#include "structure/impl.h"
#include "study/model/loads.h"
#include "study/file/model_keys.h"

#define MS_ANALYSIS(name) extern const ms_analysis ms_analysis_##name;
#include "study/analyses.def"
#undef MS_ANALYSIS

#define MS_ANALYSIS(name) &ms_analysis_##name,
static const ms_analysis *const analyses[] = {
#include "study/analyses.def"
};
#undef MS_ANALYSIS

enum { N_ANALYSES = sizeof analyses / sizeof *analyses };

int ms_study_count_kinds(void) {
  return N_ANALYSES;
}

int ms_study_get_kind(int index, ms_analysis_info *out) {
  if (index < 0 || index >= N_ANALYSES) return 0;
  const ms_analysis *a = analyses[index];
  *out = (ms_analysis_info) { a->name, a->meaning, { a->keys, a->n_keys } };
  return 1;
}

/* ---- the keys of the file ---- */

typedef struct top {
  ptrdiff_t microslip;
  const char *title;
  double memory;
  struct fy_node *units, *structure, *joints, *loads, *analyses;
} top;

/* 4 GB hold structures of 7900 degrees of freedom, 800 000 elements. */
static const ms_param top_keys[] = {
  { MS_AT(top, microslip), .kind = MS_PARAM_COUNT, MS_WITHIN(1, 1), MS_REQUIRED,
    .why = "this program reads format 1", .meaning = "version of the format" },
  MS_WORD(top, title, MS_ELSE("none"), "title of the report"),
  MS_FORMS_WITH(top, units, "SI or mapping", ms_units_keys, MS_ELSE("SI"),
                "units of every number in the file"),
  MS_NUMBER(top, memory, "GB", MS_POSITIVE, MS_DEFAULT(4.0),
            "memory that the structure may take, estimated before it is built as 8 dense matrices "
            "of its degrees of freedom and 5 kB for each generated element; a larger one is "
            "refused"),
  MS_FORMS_WITH(top, structure, "mapping", ms_structure_keys, MS_OPTIONAL,
                "masses and springs, matrices, a beam or finite elements, and damping; only a "
                "study of rod alone has none"),
  MS_MAPPING(top, joints, ms_joints_keys, MS_ELSE("none"), "joints by name"),
  MS_MAPPING(top, loads, ms_loads_keys, MS_ELSE("none"),
             "loads by name: function of time, and where it acts; for transient and frf"),
  MS_FORMS(top, analyses, "list", MS_REQUIRED, "what to compute, in this order; at least one"),
};

const ms_param_list ms_study_keys = MS_LIST_OF(top_keys);

const ms_param_list *ms_study_get_keys(void) {
  return &ms_study_keys;
}

/* ---- the list of analyses ---- */

static const char *analysis_name(const void *list, int i) {
  (void)list;
  return analyses[i]->name;
}

static ms_status find_kind(const ms_yaml *y, struct fy_node *node, const ms_analysis **out) {
  const char *name;
  MS_TRY(ms_yaml_text(y, node, "an analysis", &name));
  for (int i = 0; i < N_ANALYSES; i++) {
    if (strcmp(analyses[i]->name, name) != 0) continue;
    *out = analyses[i];
    return MS_SUCCESS;
  }
  const char *near = ms_text_nearest(name, analysis_name, NULL, N_ANALYSES);
  return ms_yaml_fail(y, node, MS_ERR_NAME, "there is no analysis '%s'%s%s%s", name,
                      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Names become names of files. */
static ms_status read_name(ms_study *s, struct fy_node *node, const char **out) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  if (!node) return MS_SUCCESS;
  MS_TRY(ms_yaml_text(&s->yaml, node, "name", out));
  size_t length = strlen(*out);
  if (length > 0 && length <= 64 && **out != '.' && strspn(*out, allowed) == length) {
    return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME,
                      "name '%.80s' must be 1 to 64 letters, digits, '_', '-' and '.', not '.' "
                      "first",
                      *out);
}

/* "modes", or {modes: {...}}. */
static ms_status read_task(ms_study *s, struct fy_node *item, ms_task *task) {
  const ms_yaml *y = &s->yaml;
  struct fy_node *key = item;
  void *at = NULL;
  *task = (ms_task) { .node = NULL };
  if (ms_yaml_is_mapping(item)) {
    if (ms_yaml_count(item) != 1) {
      return ms_yaml_fail(y, item, MS_ERR_FORMAT, "an analysis is a name, or {name: {options}}");
    }
    task->node = ms_yaml_next_pair(item, &at, &key);
  }
  MS_TRY(find_kind(y, key, &task->kind));
  if (!s->structure && !task->kind->alone) {
    return ms_yaml_fail(y, key, MS_ERR_NAME, "%s needs a structure, and the study has none",
                        task->kind->name);
  }
  if (s->has_contacts && !task->kind->knows_contact) {
    return ms_yaml_fail(y, key, MS_ERR_NAME,
                        "%s knows no contact between solids; docs/guide/contact.md says what does",
                        task->kind->name);
  }
  if (task->node && ms_yaml_is_scalar(task->node)) task->node = NULL; /* "modes:" with nothing */
  task->name = task->kind->name;
  task->key = key;
  MS_TRY(read_name(s, ms_yaml_get(task->node, "name"), &task->name));
  for (const ms_task *t = s->task; t < task; t++) {
    if (strcmp(t->name, task->name) != 0) continue;
    return ms_yaml_fail(y, key, MS_ERR_NAME,
                        "two analyses are called '%s'; give one of them another name", t->name);
  }
  if (!task->node) return MS_SUCCESS;
  return ms_yaml_check_keys(y, task->node, task->kind->name, task->kind->keys, task->kind->n_keys);
}

/* What an analysis has before it runs, beside its empty result. */
static ms_status open_task(ms_study *s, ms_task *task) {
  MS_TRY(ms_options_read_task(s, task));
  if (task->kind->product_size > 0) {
    MS_TRY(ms_allocate(s->ctx, (ptrdiff_t)task->kind->product_size, 1, &task->product));
  }
  return task->kind->check ? task->kind->check(s, task) : MS_SUCCESS;
}

static void close_task(ms_study *s, ms_task *task) {
  if (task->kind->close && task->product) task->kind->close(s, task);
  ms_free(s->ctx, &task->product);
  ms_options_free_task(s->ctx, task);
}

static ms_status read_tasks(ms_study *s, struct fy_node *list) {
  void *at = NULL;
  if (!ms_yaml_is_sequence(list) || ms_yaml_count(list) == 0) {
    return ms_yaml_fail(&s->yaml, list, MS_ERR_FORMAT,
                        "analyses must be a list of at least one, e.g. [modes]");
  }
  MS_TRY(ms_allocate(s->ctx, ms_yaml_count(list), sizeof *s->task, &s->task));
  for (struct fy_node *item; (item = ms_yaml_next_item(list, &at));) {
    ms_task *task = &s->task[s->n_task];
    MS_TRY(read_task(s, item, task));
    s->n_task++;
    MS_TRY(ms_result_create(s->ctx, task->name, task->kind->name, &task->result));
    MS_TRY(open_task(s, task));
  }
  return MS_SUCCESS;
}

ms_status ms_study_find_task(const ms_study *s, const ms_task *task, struct fy_node *node,
                             const char *kind, const ms_task **out) {
  const char *name = NULL;
  if (node) MS_TRY(ms_yaml_text(&s->yaml, node, "the name of an analysis", &name));
  for (const ms_task *t = task - 1; t >= s->task; t--) {
    int fits = !kind || strcmp(t->kind->name, kind) == 0;
    if (!fits || (name && strcmp(t->name, name) != 0)) continue;
    *out = t;
    return MS_SUCCESS;
  }
  return ms_yaml_fail(&s->yaml, node ? node : task->key, MS_ERR_NAME,
                      "%s needs an analysis%s%s%s%s%s before it", task->name,
                      kind ? " of kind " : "", kind ? kind : "", name ? " called '" : "",
                      name ? name : "", name ? "'" : "");
}

static const char *joint_name(const void *structure, int i) {
  return ms_structure_get_joint_name(structure, i);
}

ms_status ms_study_find_joint(const ms_study *s, struct fy_node *node, int *out) {
  const int n = s->structure ? ms_structure_count_joints(s->structure) : 0;
  const char *name;
  MS_TRY(ms_yaml_text(&s->yaml, node, "joint", &name));
  for (*out = 0; *out < n; ++*out) {
    if (strcmp(ms_structure_get_joint_name(s->structure, *out), name) == 0) return MS_SUCCESS;
  }
  const char *near = ms_text_nearest(name, joint_name, s->structure, n);
  return ms_yaml_fail(&s->yaml, node, MS_ERR_NAME, "there is no joint '%.60s'%s%.60s%s", name,
                      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* ---- life ---- */

/* A study whose analyses bring their own model has none, nor what belongs to one. Threads of
   OpenBLAS change the last digits of modes, and so of everything: behind finite elements there is
   one, whatever the machine; studies have threads of their own. */
static ms_status read_structure(ms_study *s, const top *o) {
  if (o->structure) {
    MS_TRY(ms_study_check_structure(s));
    MS_TRY(ms_study_reduce(s));
    openblas_set_num_threads(1);
    MS_TRY(ms_study_build(s, s->ctx, &s->structure));
    MS_TRY(ms_matrices_load_modes(s));
    MS_TRY(ms_study_check_materials(s));
    MS_TRY(ms_study_check_points(s));
    MS_TRY(ms_study_check_mechanisms(s));
    MS_TRY(ms_study_check_attached(s));
    return ms_check_loads(s);
  }
  if (!o->joints && !o->loads) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, o->joints ? o->joints : o->loads, MS_ERR_NAME,
                      "%s without a structure", o->joints ? "joints" : "loads");
}

static ms_status read_study(ms_study *s) {
  top o = { 0 };
  MS_TRY(ms_options_read_mapping(s, &s->units, ms_yaml_root(&s->yaml), "the study", &ms_study_keys,
                                 &o));
  s->title = o.title ? o.title : "A study without a title";
  s->memory = o.memory * 1e9;
  MS_TRY(ms_yaml_read_units(&s->yaml, o.units, &s->units));
  MS_TRY(read_structure(s, &o));
  return read_tasks(s, o.analyses);
}

static ms_status apply_sets(ms_study *s, int n, const char *const *set) {
  if (n > 0) MS_TRY(ms_allocate(s->ctx, n, sizeof *s->set, &s->set));
  for (; s->n_set < n; s->n_set++) {
    MS_TRY(ms_yaml_override(&s->yaml, set[s->n_set]));
    MS_TRY(ms_text_copy(s->ctx, set[s->n_set], &s->set[s->n_set]));
  }
  return MS_SUCCESS;
}

/* Finite elements may take hours: whatever `check` finds is said before they are solved. Not where
   standard input is the study, which can be read only once, nor with several processes. */
static ms_status check_first(const ms_study *s, const char *path, int n_set,
                             const char *const *set) {
  struct fy_node *structure = ms_yaml_get(ms_yaml_root(&s->yaml), "structure");
  ms_study *outline = NULL;
  const ms_communicator *all = ms_context_get_communicator(s->ctx);
  if (s->outline || strcmp(path, "-") == 0 || (all && all->size > 1)) return MS_SUCCESS;
  if (!ms_yaml_get(structure, "fe") && !ms_yaml_get(structure, "substructures")) return MS_SUCCESS;
  ms_status status = ms_study_read(s->ctx, path, n_set, set, 1, &outline);
  ms_study_close(&outline);
  return status;
}

ms_status ms_study_read(ms_context *ctx, const char *path, int n_set, const char *const *set,
                        int outline, ms_study **out) {
  ms_study *s;
  MS_MAKE(ctx, out, path && (set || n_set == 0));
  MS_TRY(ms_allocate(ctx, 1, sizeof *s, &s));
  s->ctx = ctx;
  s->outline = outline;
  s->blas_threads = openblas_get_num_threads();
  ms_context_join(ctx);
  ms_status status = ms_yaml_open(ctx, path, &s->yaml);
  if (status == MS_SUCCESS) status = apply_sets(s, n_set, set);
  if (status == MS_SUCCESS) status = check_first(s, path, n_set, set);
  if (status == MS_SUCCESS) status = read_study(s);
  status = ms_context_agree(ctx, status);
  if (status != MS_SUCCESS) {
    ms_study_close(&s);
    return status;
  }
  *out = s;
  return MS_SUCCESS;
}

ms_status ms_study_open(ms_context *ctx, const char *path, int n_set, const char *const *set,
                        ms_study **out) {
  return ms_study_read(ctx, path, n_set, set, 0, out);
}

void ms_study_close(ms_study **study) {
  if (!study || !*study) return;
  ms_study *s = *study;
  for (int i = 0; i < s->n_task; i++) {
    close_task(s, &s->task[i]);
    ms_result_destroy(&s->task[i].result);
  }
  ms_study_close_notes(s);
  ms_display_destroy(&s->display);
  ms_free(s->ctx, &s->task);
  for (int i = 0; i < s->n_set; i++) ms_free(s->ctx, &s->set[i]);
  ms_free(s->ctx, &s->set);
  ms_structure_destroy(&s->structure);
  ms_study_close_fe(s);
  openblas_set_num_threads(s->blas_threads);
  ms_yaml_close(&s->yaml);
  ms_free(s->ctx, study);
}

const char *ms_study_get_title(const ms_study *s) {
  return s->title;
}

const ms_structure *ms_study_get_structure(const ms_study *s) {
  return s->structure;
}

ms_status ms_study_refuse_curved(const ms_study *s, struct fy_node *node, const char *what) {
  ms_status status = ms_structure_refuse_curved(s->structure, what);
  return ms_yaml_fail_here(&s->yaml, node, status);
}

int ms_study_count_analyses(const ms_study *s) {
  return s->n_task;
}

const char *ms_study_get_analysis(const ms_study *s, int index) {
  return index >= 0 && index < s->n_task ? s->task[index].name : NULL;
}

const char *ms_study_get_note(const ms_study *s, int index) {
  return index >= 0 && index < s->n_task ? s->task[index].note : "";
}

const ms_result *ms_study_get_result(const ms_study *s, int index) {
  return index >= 0 && index < s->n_task && s->task[index].begun ? s->task[index].result : NULL;
}

/* A part of the report that cannot be made costs its analysis that part, and nobody else anything.
 */
static ms_status check_page(ms_study *s, ms_task *task, ms_status status) {
  if (status == MS_SUCCESS || ms_task_ends_study(status)) return status;
  ms_result_drop_page(task->result);
  return ms_task_give_up(s, task, "its section of the report could not be made: %s",
                         ms_context_message(s->ctx));
}

/* What the analysis ends in. */
static ms_status fill_record(ms_study *s, ms_task *task) {
  MS_TRY(task->kind->result(s, task));
  MS_TRY(ms_result_get_status(task->result));
  MS_TRY(ms_task_check_tables(s, task));
  return check_page(s, task, ms_result_get_page_status(task->result));
}

static ms_status run_task(ms_study *s, ms_task *task) {
  MS_TRY(ms_task_skip_if_blocked(s, task));
  if (ms_result_get_outcome(task->result) == MS_OUTCOME_SKIPPED) return MS_SUCCESS;
  MS_TRY(ms_progress(s->ctx, task->name, 0.0));
  task->begun = 1;
  ms_status status = ms_study_run_on_processes(s, task);
  const int cut_short = status != MS_SUCCESS;
  if (status == MS_SUCCESS) status = fill_record(s, task);
  if (status == MS_SUCCESS && task->kind->judge) status = task->kind->judge(s, task);
  if (status == MS_SUCCESS && task->kind != &ms_analysis_contact)
    status = ms_task_doubt_rest(s, task, MS_PRELOAD_CHANGE, 0);
  if (status == MS_SUCCESS) status = ms_task_doubt_sources(s, task);
  if (status == MS_SUCCESS) status = ms_task_judge_empty(s, task);
  if (ms_task_ends_study(status) || ms_context_is_alone(s->ctx)) return status;
  ms_result_set_ended(task->result, 1);
  if (status != MS_SUCCESS) MS_TRY(ms_task_blame(s, task, status));
  if (cut_short && ms_task_has_results(task)) MS_TRY(fill_record(s, task));
  MS_TRY(ms_study_write_tables(s, task));
  return status == MS_SUCCESS ? ms_progress(s->ctx, task->name, 1.0) : MS_SUCCESS;
}

static ms_status run_all(ms_study *s) {
  MS_TRY(ms_study_tell_notes(s));
  ms_status status = MS_SUCCESS;
  for (int i = 0; i < s->n_task && status == MS_SUCCESS; i++) {
    s->running = &s->task[i];
    status = run_task(s, &s->task[i]);
  }
  if (status == MS_SUCCESS) status = ms_study_write(s);
  if (status == MS_ERR_FILE) return MS_ERR_DISK; /* the folder was fit for use when it began */
  return status == MS_SUCCESS ? ms_study_fail_partial(s) : status;
}

static ms_status run_here(ms_study *s, const ms_study_setting *setting) {
  s->figures = setting->figures;
  s->figure_format = setting->figure_format;
  s->checkpoint = setting->checkpoint > 0.0 ? setting->checkpoint : MS_STUDY_CHECKPOINT;
  s->folder = setting->folder;
  s->resumable = 0;
  s->prepared = s->replaced = 0;
  s->display_words = setting->display;
  ms_display_destroy(&s->display);
  MS_TRY(ms_study_make_display(s, &s->display));
  MS_TRY(ms_folder_prepare(s->ctx, s->folder));
  MS_TRY(ms_resume_open(s, setting->resume, &s->resume));
  ms_status status = ms_fe_keep_flexibility(s);
  if (status == MS_SUCCESS) status = run_all(s);
  s->running = NULL;
  s->resumable = ms_task_ends_study(status);
  ms_status removed = ms_resume_folder_close(&s->resume, !s->resumable);
  return status == MS_SUCCESS ? removed : status;
}

/* Of an earlier run, whole or not, analyses keep nothing: they would add to it, and say again what
   was said of it. */
static ms_status open_again(ms_study *s) {
  ms_status status = MS_SUCCESS;
  for (ms_task *task = s->task; task < s->task + s->n_task; task++) {
    close_task(s, task);
    ms_result_clear(task->result);
    ms_result_clear_remarks(task->result);
    ms_result_set_ended(task->result, 0);
    task->begun = 0;
    task->status = MS_SUCCESS;
    *task->note = '\0';
  }
  for (int i = 0; i < s->n_task && status == MS_SUCCESS; i++) status = open_task(s, &s->task[i]);
  return ms_context_agree(s->ctx, status);
}

ms_status ms_study_run(ms_study *s, const ms_study_setting *setting) {
  if (s->was_run) MS_TRY(open_again(s));
  s->was_run = 1;
  s->threads = setting->threads;
  if (!ms_study_is_first(s)) return ms_study_help(s);
  ms_status status = run_here(s, setting);
  ms_study_dismiss(s);
  return status;
}

const ms_display *ms_study_get_display(const ms_study *s) {
  return s->display;
}

int ms_study_has_replaced(const ms_study *s) {
  return s->replaced;
}

int ms_study_is_resumable(const ms_study *s) {
  return s->resumable;
}
