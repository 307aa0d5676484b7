/* [report] Results of an analysis. Values, columns of tables, figures and texts are in
   one place, with unit and meaning; CSV, JSON, HDF5 and the report are views of it. */
#ifndef MICROSLIP_RESULT_H
#define MICROSLIP_RESULT_H

#include <microslip/io.h>
#include <microslip/report.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_result ms_result;
typedef struct ms_result_table ms_result_table;

/* name and kind are of the analysis, and borrowed. What its values and the columns of its tables
   mean is known by kind and name; "" where it is not. */
MS_API ms_status ms_result_create(ms_context *ctx, const char *name, const char *kind,
                                  ms_result **out);
MS_API void ms_result_destroy(ms_result **result);
/* Without tables, values, texts and figures again; remarks stay. */
MS_API void ms_result_clear(ms_result *result);

/* Calls that return nothing remember the first failure, and do nothing after it: what failed with
   values, and what failed with texts and figures, which make the report only. The message of the
   first is in the context again. */
MS_API ms_status ms_result_get_status(const ms_result *result);
MS_API ms_status ms_result_get_page_status(const ms_result *result);

/* ---- values ------------------------------------------------------------------------------ */

/* Under their names in summary.json. Those outside of begin and end also stand at the head of the
   analysis in the report and, if they are numbers, in results.h5. unit may be NULL. */
MS_API void ms_result_set_number(ms_result *result, const char *name, const char *unit,
                                 double value);
MS_API void ms_result_set_integer(ms_result *result, const char *name, long long value);
MS_API void ms_result_set_flag(ms_result *result, const char *name, int value);
MS_API void ms_result_set_text(ms_result *result, const char *name, const char *text);
MS_API void ms_result_set_numbers(ms_result *result, const char *name, const char *unit,
                                  const double *values, ptrdiff_t n);
/* Several of them: "mode:count,residual [N],complete:flag,method:word", and for each a double or,
   for a word, a const char *. */
MS_API void ms_result_set_values(ms_result *result, const char *names, ...);
/* A value that there is none of: null. */
MS_API void ms_result_set_none(ms_result *result, const char *name);
/* A group of values, and a list of values or groups, which have no names (NULL) in it. */
MS_API void ms_result_begin(ms_result *result, const char *name);
MS_API void ms_result_begin_list(ms_result *result, const char *name);
MS_API void ms_result_end(ms_result *result);
/* A list of the rows of a table, each a group of these columns ("mode,f,mac"; NULL: all;
   "name=parameter": column parameter under another name; "zeta?points": zeta in rows only where
   column points is not 0 or empty). The table is one of the result, and is read when the summary is
   written. */
MS_API void ms_result_list_rows(ms_result *result, const char *name, const ms_result_table *table,
                                const char *columns);

/* To read them again, those outside of groups: how many; one, with number for MS_RESULT_NUMBER (a
   flag is 0 or 1) and text for MS_RESULT_TEXT; and the one of a name, 0 if there is none. */
typedef enum ms_result_kind { MS_RESULT_NUMBER, MS_RESULT_FLAG, MS_RESULT_TEXT } ms_result_kind;
typedef struct ms_result_value {
  const char *name, *unit, *meaning; /* unit may be NULL */
  ms_result_kind kind;
  double number;
  const char *text;
} ms_result_value;
MS_API ptrdiff_t ms_result_count_values(const ms_result *result);
MS_API int ms_result_get_value(const ms_result *result, ptrdiff_t index, ms_result_value *out);
MS_API int ms_result_find_value(const ms_result *result, const char *name, ms_result_value *out);

/* ---- answers ------------------------------------------------------------------------------- */

/* A number that readers of the report came for: up to six of all analyses stand at its head, the
   largest weights first. They are in summary.json, too (`answers`), and on the terminal after a
   run. Numbers must be finite. */
MS_API void ms_result_add_answer(ms_result *result, const ms_answer *answer);
MS_API int ms_result_count_answers(const ms_result *result);
/* NULL outside [0, count). */
MS_API const ms_answer *ms_result_get_answer(const ms_result *result, int index);

/* ---- remarks ------------------------------------------------------------------------------ */

/* How an analysis ended, better before worse. */
typedef enum ms_outcome {
  MS_OUTCOME_NONE,     /* it has not run */
  MS_OUTCOME_COMPLETE, /* all checks passed; notes say what is worth knowing */
  MS_OUTCOME_SUSPECT,  /* it has all its numbers, and a check of them failed */
  MS_OUTCOME_PARTIAL,  /* a part of its numbers could not be had */
  MS_OUTCOME_SKIPPED,  /* another one that it needs failed */
  MS_OUTCOME_FAILED    /* it has no numbers */
} ms_outcome;
MS_API const char *ms_outcome_text(ms_outcome outcome);

/* A sentence about the result, as printf: one that is worth knowing; a check that failed, which
   makes the result suspect; a part that could not be had, which makes it partial; and one of any
   severity, which is the outcome that it alone would make. A sentence said twice counts once, with
   the worse severity; one of 600 bytes and more is cut. */
MS_PRINTF(2, 3) MS_API ms_status ms_result_note(ms_result *result, const char *format, ...);
MS_PRINTF(2, 3) MS_API ms_status ms_result_doubt(ms_result *result, const char *format, ...);
MS_PRINTF(2, 3) MS_API ms_status ms_result_give_up(ms_result *result, const char *format, ...);
MS_PRINTF(3, 4)
MS_API ms_status ms_result_remark(ms_result *result, ms_outcome severity, const char *format, ...);
MS_API void ms_result_clear_remarks(ms_result *result);
MS_API int ms_result_count_remarks(const ms_result *result);
/* *severity (may be NULL) is MS_OUTCOME_COMPLETE for a note. NULL outside [0, count). */
MS_API const char *ms_result_get_remark(const ms_result *result, int index, ms_outcome *severity);

/* Whether the analysis has come to an end, well or badly: 0 at first. */
MS_API void ms_result_set_ended(ms_result *result, int ended);
/* The worst severity of its remarks; without any MS_OUTCOME_COMPLETE if it has ended,
   MS_OUTCOME_NONE if not. */
MS_API ms_outcome ms_result_get_outcome(const ms_result *result);
/* The first remark that makes the outcome; NULL where that is complete or none. */
MS_API const char *ms_result_get_reason(const ms_result *result);

/* ---- tables ------------------------------------------------------------------------------ */

/* A table <name of the analysis><ending> of the result, which owns it, grown row by row. columns:
   "mode,time [s],source:word,converged:flag", numbers unless they say otherwise. A flag is 0 or 1
   in tables, false or true in summary.json. */
MS_API ms_status ms_result_add_table(ms_result *result, const char *ending, const char *columns,
                                     ms_result_table **out);
MS_API ms_result_table *ms_result_find_table(const ms_result *result, const char *ending);
MS_API int ms_result_count_tables(const ms_result *result);
MS_API ms_result_table *ms_result_get_table(const ms_result *result, int index);

/* Further columns, before the first row: one of numbers (unit may be NULL) that the user has named,
   with its meaning, which stays valid; and some as above. Names may be as long as they are. */
MS_API ms_status ms_result_table_add_column(ms_context *ctx, ms_result_table *table,
                                            const char *name, const char *unit,
                                            const char *meaning);
MS_API ms_status ms_result_table_add_columns(ms_context *ctx, ms_result_table *table,
                                             const char *columns);
/* Values in the order of the columns: a double for a number or a flag, a const char * for a word.
   Numbers must be finite. */
MS_API ms_status ms_result_table_add_row(ms_context *ctx, ms_result_table *table, ...);
/* The same for a table without words, from an array. */
MS_API ms_status ms_result_table_add_numbers(ms_context *ctx, ms_result_table *table,
                                             const double *values);
/* Any table from two arrays: numbers and words, each in the order of their columns. */
MS_API ms_status ms_result_table_add_cells(ms_context *ctx, ms_result_table *table,
                                           const double *numbers, const char *const *words);
/* The same in calls whose first failure the result remembers, as it does that of values: the table
   is NULL after one, has no rows and columns, and whatever is put into it goes nowhere. */
MS_API ms_result_table *ms_result_new_table(ms_result *result, const char *ending,
                                            const char *columns);
MS_API void ms_result_put_column(ms_result_table *table, const char *name, const char *unit,
                                 const char *meaning);
MS_API void ms_result_put_columns(ms_result_table *table, const char *columns);
MS_API void ms_result_put_row(ms_result_table *table, ...);
MS_API void ms_result_put_numbers(ms_result_table *table, const double *values);
MS_API void ms_result_put_cells(ms_result_table *table, const double *numbers,
                                const char *const *words);
/* Memory for so many rows at once: a table that long is then never moved or larger than it must
   be. */
MS_API ms_status ms_result_table_reserve(ms_context *ctx, ms_result_table *table, ptrdiff_t rows);
/* No rows again; for a table without words. */
MS_API void ms_result_table_clear(ms_result_table *table);

MS_API const char *ms_result_table_name(const ms_result_table *table);
MS_API ptrdiff_t ms_result_table_rows(const ms_result_table *table);
MS_API int ms_result_table_columns(const ms_result_table *table);
/* -1 for none. */
MS_API int ms_result_table_find_column(const ms_result_table *table, const char *name);
/* The numbers of the column of that name; NULL for words, and where there is none. */
MS_API const double *ms_result_table_find_numbers(const ms_result_table *table, const char *name);
/* The numbers of a column; NULL for words. Valid until the next row. */
MS_API const double *ms_result_table_column(const ms_result_table *table, int column);
/* A word of a column of words; NULL for numbers. */
MS_API const char *ms_result_table_word(const ms_result_table *table, int column, ptrdiff_t row);
typedef struct ms_result_column {
  const char *name, *unit, *meaning; /* unit may be NULL */
} ms_result_column;
MS_API ms_result_column ms_result_table_describe(const ms_result_table *table, int column);

/* ---- texts and figures of the report, in their order -------------------------------------- */

/* A paragraph, and one that must not be overlooked. */
MS_PRINTF(2, 3) MS_API void ms_result_say(ms_result *result, const char *format, ...);
MS_PRINTF(2, 3) MS_API void ms_result_warn(ms_result *result, const char *format, ...);
/* A paragraph that must not be overlooked for each line of a text. */
MS_API void ms_result_warn_lines(ms_result *result, const char *lines);
/* Both: the text under `remarks` in summary.json, and a paragraph for each of its lines here. */
MS_API void ms_result_set_remarks(ms_result *result, const char *lines);
MS_API void ms_result_show_code(ms_result *result, const char *text);
/* In the report the first n rows are shown on request only; nothing is folded where that is all.
   `what` is one of them, "rigid-body mode". */
MS_API void ms_result_table_fold(ms_result_table *table, ptrdiff_t n, const char *what);
/* Nothing where it is NULL or has no rows. */
MS_API void ms_result_show_table(ms_result *result, const ms_result_table *table,
                                 const char *caption);

enum { MS_LOG_IF_POSITIVE = 2 };

/* A panel of a figure, whose curves are columns of a table. Zero and NULL are the usual choices. */
typedef struct ms_plot {
  const char *title;
  const char *x, *y;             /* columns */
  const char *y_to;              /* a column: the area between y and it, instead of a line */
  const char *spread;            /* a column: error bars from y less it to y more it */
  const char *x_label, *y_label; /* NULL: the columns' names */
  const char *x_unit, *y_unit;   /* NULL: the columns' units; "" none */
  double x_scale, y_scale;       /* 0: 1; of the values, such as 100 for "%" */
  int x_log, y_log;              /* then rows with values up to 0 are left out; of y also
                                    MS_LOG_IF_POSITIVE: where there are none */
  /* Columns ("mode,method") whose values part the rows into curves, in the order in which they come
     up. The first gives each its colour, the second its dashes and markers; NULL: one curve. */
  const char *by;
  ptrdiff_t points; /* of a curve: about so many are drawn, evenly along it; 0: all */
  int most;         /* of curves: no more are drawn, evenly from the first to the last; 0: all */
  /* Of a curve, with a %s for each of these values ("mode %s"); NULL: the values; "": none. Without
     `by`, the text itself, and NULL for none. */
  const char *label;
  const char *where;       /* "method=qsma" or "method=qsma,mode=2", up to three: these rows only */
  const char *only;        /* "quality<0.1,zeta>0", up to three: rows whose numbers are so */
  const char *residual_of; /* label of a curve of this panel: ms_figure_add_residuals, with the line
                              drawn last as the model, below the row of panels */
  ms_series_style style;
  int colour;                   /* index into the palette, without `by`; -1 neutral, for all */
  int over;                     /* 1: into the panel before, whose title, labels and axes it has */
  double height;                /* of the panel, in that of others; 0: 1 */
  int columns;                  /* of the figure, in its first panel; 0: as many as fit */
  int history;                  /* 1, in the first panel: ms_figure_add_first_cycles */
  const ms_result_table *table; /* NULL: the one of the call */
} ms_plot;

/* MS_PANEL("Damping", "q", "zeta", .x_log = 1, .by = "mode"), and a curve over the panel before. */
#define MS_PANEL(name, column_x, column_y, ...) \
  { .title = name, .x = column_x, .y = column_y, __VA_ARGS__ }
#define MS_OVER(column_x, column_y, ...) \
  { .over = 1, .x = column_x, .y = column_y, __VA_ARGS__ }

/* A figure of such panels. Nothing where no panel has a curve, nor after a failure with values.
   Where no line goes back in x, panels with the same x axis share it. */
MS_API void ms_result_plot(ms_result *result, const char *title, const char *caption,
                           const ms_result_table *table, int n, const ms_plot *panel);
/* These panels with curves of each of n variants: rows whose column `variant` has its number, from
   1, parted by the words of column `by`. A colour for each variant (label: its name), lines for the
   first of the words, dashes for others. As many variants as there are colours are drawn; where
   there are more, a sentence says so. */
typedef void ms_variant_label_fn(const void *user, ptrdiff_t variant, char *text, size_t size);
MS_API void ms_result_plot_variants(ms_result *result, const char *title, const char *caption,
                                    const ms_result_table *table, ptrdiff_t n,
                                    ms_variant_label_fn *label, const void *user, const char *by,
                                    int n_panel, const ms_plot *panel);
/* The panel's points coloured by `column` in dB of `largest`; those below -60 dB are not drawn. */
MS_API void ms_result_plot_decibels(ms_result *result, const char *title, const char *caption,
                                    const ms_result_table *table, const ms_plot *panel,
                                    const char *column, double largest);
/* Panels over the modal amplitude (columns mode and q of the table), the same for each of these
   modes (from 0), two modes to a figure; the first is featured. Panels without y are curves of
   frequency and of damping (omega, zeta), one panel each. At most four for a mode. */
typedef struct ms_modes_view {
  const char *title, *caption;
  const ms_result_table *table;
  int weight; /* of ms_result_feature_figure */
} ms_modes_view;
MS_API void ms_result_plot_modes(ms_result *result, const ms_modes_view *view, const int *mode,
                                 int n_mode, int n, const ms_plot *panel);
/* Of each joint and axis of a table with columns level, joint, axis, displacement, force and
   force_balance the loops of its levels, in this unit; the balance's are dashed. */
MS_API void ms_result_plot_loops(ms_result *result, const ms_result_table *loops, const char *unit);
/* Of a table with columns mode, method, omega_median, omega_max, zeta_median and zeta_max the rows
   with the largest medians, as answers: differences of the method from the reference. */
MS_API void ms_result_answer_differences(ms_result *result, const ms_result_table *table,
                                         const char *reference, int weight);
/* ms_result_show_table, or where it has more rows than `most`, where they are; NULL: nothing. */
MS_API void ms_result_show_short_table(ms_result *result, const ms_result_table *table,
                                       const char *caption, ptrdiff_t most);
/* Answers of such a table, which also has columns omega and zeta, in rows of these modes (of
   `method`, a word in the column of that name; NULL: all): frequency at the smallest amplitude,
   damping at the largest (of a single mode at both), a maximum of the damping in between, and the
   largest shift of frequency. Points with a poor local fit (column quality, above 0.1) do not
   count unless all are such; then the label says so. */
MS_API void ms_result_answer_modes(ms_result *result, const ms_result_table *table,
                                   const char *method, const int *mode, int n_mode, int weight);
/* Whether a point decays and its local fit is not poor; how many rows of these modes are not so, 0
   where a mode has no others. ms_plot.only for those that are. */
MS_API int ms_result_is_valid_point(double residual, double zeta);
MS_API ptrdiff_t ms_result_count_invalid(const ms_result_table *table, const int *mode, int n_mode,
                                         char *only, size_t size);
/* The panels alone, into a figure that has more. */
MS_API ms_status ms_result_draw(ms_context *ctx, ms_figure *figure, const ms_result_table *table,
                                int n, const ms_plot *panel);
/* Any other figure, which is destroyed; *figure becomes NULL. */
MS_API void ms_result_take_figure(ms_result *result, const char *caption, ms_figure **figure);
/* The same with a drawing, where what made it succeeded; else its failure is kept. */
MS_API void ms_result_take_drawing(ms_result *result, ms_status status, ms_drawing **drawing);
/* The figure, shape or map that was added last may stand at the head of the report: of all analyses
   the one of the largest weight (above 0) does, the later one where two are equal. Calibrations and
   updating have 50, propagation of uncertainty and predictions 45, backbones 40, frequency
   responses and stepped sine 35, tests and ring-downs 30, other responses 20, modes 10. */
MS_API void ms_result_feature_figure(ms_result *result, int weight);
/* The page of this result alone, for all else that pages have. Its failures are to be told by
   ms_result_fail_page. */
MS_API ms_page *ms_result_get_page(ms_result *result);
MS_API void ms_result_fail_page(ms_result *result, ms_status status);
/* Without texts and figures again. */
MS_API void ms_result_drop_page(ms_result *result);

/* ---- views --------------------------------------------------------------------------------- */

/* Name, kind, status, reasons, notes and the values, into the object that is open. */
MS_API void ms_result_write_json(const ms_result *result, ms_json *json);
/* Remarks, values and what follows, to the end of the page; the result has no texts and figures
   then. */
MS_API ms_status ms_result_write_page(ms_result *result, ms_page *page);
/* Into results.h5: analyses/<name>/<table>/<column>, analyses/<name>/values/<name>,
   analyses/<name>/answers/label, unit, value and so on, and analyses/<name>/figures/<number from 1>
   as ms_figure_write_results has them. Attributes of analyses/<name> are status and reason;
   `place`, of analyses and of columns, is their number, from 1 on, in the study and in the table.
   Nothing where there are no tables. To be called before ms_result_write_page, which takes the
   figures. */
MS_API ms_status ms_result_write_results(const ms_result *result, ms_results *results);
/* A figure as data, into a group of its own: panels/, curves/ and points/, notes/ and rows/, which
   have a dataset for each column; title, subtitle, caption and columns are attributes. caption may
   be NULL. */
MS_API ms_status ms_figure_write_results(const ms_figure *figure, const char *caption,
                                         ms_results *results, const char *group);
/* The same figure again; *caption, to be freed by ms_free, is NULL where there is none. */
MS_API ms_status ms_figure_read_results(ms_context *ctx, ms_results *results, const char *group,
                                        char **caption, ms_figure **out);
/* The sensors and units among which a display chooses, not its choice, into a group; and a display
   that has them again, with the choice that it begins with. Without such a group it has none. */
MS_API ms_status ms_display_write_results(const ms_display *display, ms_results *results,
                                          const char *group);
MS_API ms_status ms_display_read_results(ms_context *ctx, ms_results *results, const char *group,
                                         ms_display **out);
/* A line for each column and each value: table, column, unit, meaning. Units of columns are those
   that the display shows; it may be NULL. */
MS_API void ms_result_print_columns(const ms_result *result, const ms_display *display, FILE *out);
/* In the units of the display, which its headings have; NULL: SI. A number that these have none
   for, such as Q without damping, is an empty cell. */
MS_API ms_status ms_result_table_write_shown(ms_context *ctx, const ms_result_table *table,
                                             const ms_display *display, const char *path);
MS_API ms_status ms_result_table_write_csv(ms_context *ctx, const ms_result_table *table,
                                           const char *path);
/* For pages that are not the result's. */
MS_API ms_status ms_result_table_add_to_page(ms_context *ctx, const ms_result_table *table,
                                             const char *caption, ms_page *page);

#ifdef __cplusplus
}
#endif
#endif
