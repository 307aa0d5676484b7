/* The state of a long run at a checkpoint, in the folder of the interrupted run:

     run-<name>.0, .1, ...   streams: the rows of its tables
     run-<name>.state        checkpoint (of job 3 of several: run-<name>.job3): `head`, {identity
   of the input, rows of each table}, and the blocks of the run itself

   Tables stay in memory as they are; what they have gained goes to the streams when a checkpoint is
   due, and reaches the disk before the checkpoint that counts it. The last checkpoint of a run that
   has ended is all that a later start needs of it. */
#include "report/result/checkpointed_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/internal.h"
#include "report/tolerance.h"

enum { PIECE = 512 }; /* rows on their way between a table and its stream */
struct ms_checkpointed_run {
  ms_context *ctx;
  ms_checkpointed_run_setting set;
  ms_stream *stream[MS_CHECKPOINTED_RUN_TABLES]; /* open from the first checkpoint on */
  ms_checkpoint *found;                          /* of an earlier start */
  double *piece;
  double shown, written, cost; /* s */
  int kept;
};

/* Of table i; -1: of the state. */
static ms_status path_of(const ms_checkpointed_run *c, int i, char **out) {
  char ending[32] = "state", file[128];
  if (i >= 0 || c->set.job >= 0) {
    snprintf(ending, sizeof ending, i >= 0 ? "%td" : "job%td", i >= 0 ? (ptrdiff_t)i : c->set.job);
  }
  snprintf(file, sizeof file, MS_CHECKPOINTED_RUN_PREFIX "%.80s.%.20s", c->set.name, ending);
  return ms_folder_path(c->ctx, c->set.folder, file, out);
}

/* ---- what an earlier start has left ---- */

static ms_status fail_damaged(const ms_checkpointed_run *c) {
  return ms_fail(c->ctx, MS_ERR_FORMAT, "%s: its checkpoint is damaged", c->set.name);
}

/* Rows that the checkpoint counts; -1 where it cannot be of this run. */
static ptrdiff_t rows_found(const ms_checkpointed_run *c, int i) {
  ms_block own;
  if (ms_checkpoint_find(c->found, "head", &own) != MS_SUCCESS) return -1;
  if (own.n != 2 + c->set.n_table ||
      memcmp(own.values, c->set.identity, sizeof c->set.identity) != 0)
    return -1;
  double rows = own.values[2 + i];
  return rows >= 0.0 && rows < 1e15 ? (ptrdiff_t)rows : -1;
}

static ms_status fill_table(const ms_checkpointed_run *c, int i, ms_stream *stream) {
  ptrdiff_t rows = rows_found(c, i), columns = ms_result_table_columns(c->set.table[i]);
  if (rows < 0 || ms_stream_get_columns(stream) != columns || ms_stream_get_rows(stream) < rows) {
    return fail_damaged(c);
  }
  for (ptrdiff_t at = 0, n; at < rows; at += n) {
    n = rows - at < PIECE ? rows - at : PIECE;
    MS_TRY(ms_stream_read_rows(stream, at, n, c->piece));
    for (ptrdiff_t k = 0; k < n; k++) {
      MS_TRY(ms_result_table_add_numbers(c->ctx, c->set.table[i], c->piece + columns * k));
    }
  }
  return MS_SUCCESS;
}

static ms_status read_rows(const ms_checkpointed_run *c, int i) {
  char *path;
  ms_stream *stream = NULL;
  MS_TRY(path_of(c, i, &path));
  ms_status status = access(path, F_OK) != 0 ? fail_damaged(c) : MS_SUCCESS;
  if (status == MS_SUCCESS) status = ms_stream_open(c->ctx, path, &stream);
  if (status == MS_SUCCESS) status = fill_table(c, i, stream);
  ms_stream_discard(&stream);
  ms_free(c->ctx, &path);
  return status;
}

static ms_status read_state(ms_checkpointed_run *c) {
  char *path;
  ms_status status = MS_SUCCESS;
  MS_TRY(path_of(c, -1, &path));
  if (access(path, F_OK) == 0) status = ms_checkpoint_read(c->ctx, path, &c->found);
  ms_free(c->ctx, &path);
  for (int i = 0; status == MS_SUCCESS && c->found && i < c->set.n_table; i++)
    status = read_rows(c, i);
  c->kept = c->found != NULL;
  return status;
}

ms_status ms_checkpointed_run_begin(ms_checkpointed_run *c) {
  char *path;
  ms_log(c->ctx, MS_LOG_INFO, "%s: its checkpoint cannot be used (%s); it starts again",
         c->set.name, ms_context_message(c->ctx));
  ms_context_clear_message(c->ctx);
  ms_checkpoint_destroy(&c->found);
  c->kept = 0;
  for (int i = 0; i < c->set.n_table; i++) ms_result_table_clear(c->set.table[i]);
  MS_TRY(path_of(c, -1, &path)); /* it goes before the rows that it counts */
  ms_status status = MS_SUCCESS;
  if (unlink(path) != 0 && errno != ENOENT) {
    status = ms_fail(c->ctx, MS_ERR_DISK, "%s: %s", path, strerror(errno));
  }
  ms_free(c->ctx, &path);
  return status;
}

/* ---- life ---- */

static ms_status open_checkpointed(ms_checkpointed_run *c) {
  int columns = 1;
  for (int i = 0; i < c->set.n_table; i++) {
    if (columns < ms_result_table_columns(c->set.table[i]))
      columns = ms_result_table_columns(c->set.table[i]);
  }
  MS_TRY(ms_allocate(c->ctx, (ptrdiff_t)PIECE * columns, sizeof *c->piece, &c->piece));
  ms_status status = read_state(c);
  return status == MS_ERR_FORMAT || status == MS_ERR_NUMERIC ? ms_checkpointed_run_begin(c)
                                                             : status;
}

ms_status ms_checkpointed_run_create(ms_context *ctx, const ms_checkpointed_run_setting *setting,
                                     ms_checkpointed_run **out) {
  ms_checkpointed_run *c;
  *out = NULL;
  MS_TRY(ms_allocate(ctx, 1, sizeof *c, &c));
  *c = (ms_checkpointed_run) { .ctx = ctx, .set = *setting };
  ms_status status = open_checkpointed(c);
  if (status != MS_SUCCESS) ms_checkpointed_run_close(&c);
  if (status == MS_SUCCESS) c->written = c->shown = ms_clock();
  *out = c;
  return status;
}

void ms_checkpointed_run_close(ms_checkpointed_run **checkpoint) {
  ms_checkpointed_run *c = *checkpoint;
  if (!c) return;
  for (int i = 0; i < c->set.n_table; i++) ms_stream_discard(&c->stream[i]);
  ms_checkpoint_destroy(&c->found);
  ms_free(c->ctx, &c->piece);
  ms_free(c->ctx, checkpoint);
}

int ms_checkpointed_run_goes_on(const ms_checkpointed_run *c) {
  return c->found != NULL;
}

ms_status ms_checkpointed_run_find(const ms_checkpointed_run *c, const char *block, ms_block *out) {
  return ms_checkpoint_find(c->found, block, out);
}

int ms_checkpointed_run_is_kept(const ms_checkpointed_run *c) {
  return c->kept;
}

/* ---- checkpoints ---- */

static ms_status open_stream(ms_checkpointed_run *c, int i) {
  enum { MOST = 64 };
  char name[MOST][4], *path;
  const char *names[MOST];
  int columns = ms_result_table_columns(c->set.table[i]);
  for (int k = 0; k < columns && k < MOST; k++) {
    snprintf(name[k], sizeof name[k], "%d", k % 100);
    names[k] = name[k];
  }
  MS_TRY(path_of(c, i, &path));
  ms_status status = c->found ? ms_stream_reopen(c->ctx, path, rows_found(c, i), &c->stream[i])
                              : ms_stream_create(c->ctx, path, columns, names, &c->stream[i]);
  ms_free(c->ctx, &path);
  return status;
}

static void collect(const ms_result_table *table, ptrdiff_t at, ptrdiff_t n, double *rows) {
  int columns = ms_result_table_columns(table);
  for (int k = 0; k < columns; k++) {
    const double *column = ms_result_table_column(table, k) + at;
    for (ptrdiff_t i = 0; i < n; i++) rows[k + columns * i] = column[i];
  }
}

static ms_status keep_rows(ms_checkpointed_run *c, int i) {
  if (!c->stream[i]) MS_TRY(open_stream(c, i));
  ptrdiff_t rows = ms_result_table_rows(c->set.table[i]);
  for (ptrdiff_t at; (at = ms_stream_get_rows(c->stream[i])) < rows;) {
    ptrdiff_t n = rows - at < PIECE ? rows - at : PIECE;
    collect(c->set.table[i], at, n, c->piece);
    MS_TRY(ms_stream_append(c->stream[i], c->piece, n));
  }
  return ms_stream_flush(c->stream[i]);
}

static ms_status keep_state(const ms_checkpointed_run *c, const ms_block *block, int n) {
  double own[2 + MS_CHECKPOINTED_RUN_TABLES];
  ms_block all[1 + MS_CHECKPOINTED_RUN_BLOCKS] = { { "head", 2 + c->set.n_table, own } };
  char *path;
  memcpy(own, c->set.identity, sizeof c->set.identity);
  for (int i = 0; i < c->set.n_table; i++)
    own[2 + i] = (double)ms_result_table_rows(c->set.table[i]);
  for (int i = 0; i < n; i++) all[1 + i] = block[i];
  MS_TRY(path_of(c, -1, &path));
  ms_status status = ms_checkpoint_write(c->ctx, path, all, 1 + n);
  ms_free(c->ctx, &path);
  return status;
}

ms_status ms_checkpointed_run_keep(ms_checkpointed_run *c, const ms_block *block, int n) {
  double begun = ms_clock();
  for (int i = 0; i < c->set.n_table; i++) MS_TRY(keep_rows(c, i));
  MS_TRY(keep_state(c, block, n));
  c->kept = 1;
  c->written = ms_clock();
  c->cost = c->written - begun;
  return MS_SUCCESS;
}

int ms_checkpointed_run_is_due(const ms_checkpointed_run *c) {
  return ms_clock() - c->written >= fmin(fmax(c->set.interval, ms_report_tol.checkpoint * c->cost),
                                         ms_report_tol.slow_disk * c->set.interval);
}

ms_status ms_checkpointed_run_look(ms_checkpointed_run *c, double fraction, int *keep) {
  double t = ms_clock();
  *keep = ms_checkpointed_run_is_due(c);
  if (t - c->shown < fmin(ms_report_tol.shown, c->set.interval)) return MS_SUCCESS;
  c->shown = t;
  ms_status status = ms_progress(c->ctx, c->set.name, fraction);
  if (status != MS_SUCCESS) *keep = 1;
  return status;
}
