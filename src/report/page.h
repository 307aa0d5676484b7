/* What the files of the page share: its blocks, and the style and scripts from page.css and
   the .js files, which the build turns into C (cmake/Embed.cmake). */
#ifndef MS_REPORT_PAGE_H
#define MS_REPORT_PAGE_H

#include <microslip/io.h>

#include "report/internal.h"

typedef enum ms_block_kind {
  MS_BLOCK_SECTION,
  MS_BLOCK_HEADING,
  MS_BLOCK_ANSWER,
  MS_BLOCK_TEXT,
  MS_BLOCK_WARNING,
  MS_BLOCK_CODE,
  MS_BLOCK_FACTS,
  MS_BLOCK_TABLE,
  MS_BLOCK_FIGURE,
  MS_BLOCK_SHAPE,
  MS_BLOCK_MAP,
  MS_BLOCK_FIELD,
  MS_N_BLOCK_KIND
} ms_block_kind;

/* Where the cells of a column are. */
typedef enum ms_cells_place {
  MS_CELLS_SHOWN,
  MS_CELLS_ONCE,  /* above the table: the same in every row */
  MS_CELLS_ERROR, /* behind the numbers of another column: their standard errors */
  MS_CELLS_TWIN,  /* nowhere: in Hz what another column has in rad/s */
  MS_CELLS_REMARK /* below the table */
} ms_cells_place;

/* A column; everything is owned by the block. */
typedef struct ms_cells {
  char *heading, *unit, *meaning;
  double *numbers;
  char **texts;
  int digits, flag, named, in_unit;
  int zero_is_none; /* its meaning ends in "; 0: none" */
  ms_display_quantity quantity;
  ms_cells_place place;
  ptrdiff_t error; /* the column of its standard errors; -1: none */
} ms_cells;

typedef struct ms_fact {
  char *text;       /* NULL: a number */
  ms_answer number; /* its label is the name of the fact; texts are owned */
  int digits;
} ms_fact;

typedef struct ms_page_block {
  ms_block_kind kind;
  char *text;   /* heading, text, code or caption */
  char *name;   /* of a section or a table; of a warning: what its severity means */
  int severity; /* of a warning */
  ms_answer answer;
  ms_fact *fact;
  ptrdiff_t n_fact;
  ms_cells *column;
  ptrdiff_t n_column, n_row, n_folded;
  char *folded; /* what the first n_folded rows are */
  int shaded;
  ms_figure *figure;
  ptrdiff_t *n_given; /* points of each series as it came, panel after panel */
  char *choices;      /* of a figure: as JSON; NULL: there is nothing to choose */
  char *map;          /* as markup */
  int weight;         /* of a figure: see ms_page_feature */
  ms_shape *shape;    /* the public struct again, its pointers owned by the block */
  ms_fields *fields;  /* the same */
} ms_page_block;

typedef struct ms_term {
  char *name, *words;
} ms_term;

struct ms_page {
  ms_context *ctx;
  char *title, *subtitle;
  const ms_display *display; /* NULL: numbers are shown as they are */
  ptrdiff_t most;            /* points of a series */
  ms_page_block *block;
  ptrdiff_t n_block;
  ms_term *term; /* short names that are explained */
  int n_term;
};

/* page_terms.c: below the title of a section, what the short names in it mean. */
void ms_page_write_terms(FILE *out, const ms_page *page, const ms_page_block *section);
void ms_page_free_terms(ms_page *page);

/* page_head.c: answers, warnings and the featured figure; nothing if there are none. `number` is
   that of the figure. */
ms_status ms_page_write_answer(FILE *out, const ms_page *page, int *number);
/* A label with its symbol and value; section: to link it to, 0: none; name: of its analysis, behind
   the label; NULL: not there. */
void ms_page_write_key(FILE *out, const ms_page *page, const ms_answer *answer, int section,
                       const char *name);
/* The block of the featured figure; NULL for none. */
const ms_page_block *ms_page_find_featured(const ms_page *page);

/* page_html.c: a figure, shape or map. */
ms_status ms_block_write_drawing(FILE *out, ms_context *ctx, const ms_display *display,
                                 const ms_page_block *block, int number);

/* page.c: the blocks of `from` to the end of the page; `from` has none then. */
ms_status ms_page_take(ms_page *page, ms_page *from);

/* page_table.c; `number` counts the tables of the page from 1. copy leaves what it has allocated in
   the block when it fails. */
ms_status ms_block_copy_table(ms_context *ctx, const ms_page_table *table, ms_page_block *block);
void ms_block_free_table(ms_context *ctx, ms_page_block *block);
/* Whether the cell of a row is a number, not a text in its place. */
int ms_cells_are_numbers(const ms_cells *cells, ptrdiff_t row);
/* page_table_html.c */
ms_status ms_block_write_table(FILE *out, ms_context *ctx, const ms_display *display,
                               const ms_page_block *block, int number);

/* page_value.c: "60.013 ± 0.030 N" in the units of the page, with the SI numbers as attributes for
   the script. `digits` are those of a number without error or interval; 0: MS_PAGE_DIGITS. */
void ms_page_write_value(FILE *out, const ms_display *display, ms_display_quantity quantity,
                         const ms_answer *value, int digits);
/* Its symbol, as " <i>f</i>"; nothing for none. */
void ms_page_write_symbol(FILE *out, const ms_display *display, const ms_answer *answer);
/* The symbol `name` as view number 0, 1, ... of its quantity has it: a frequency as f or omega,
   damping as zeta or Q, a modal amplitude as q or as displacement, velocity or acceleration. 0
   where there is none. */
int ms_page_name_view(ms_display_quantity quantity, const char *name, int number, char *text,
                      size_t size);
/* Which of these a view is. */
int ms_page_find_view(ms_display_quantity quantity, const ms_display_view *view);
/* All of them, as an attribute for the script. */
void ms_page_write_labels(FILE *out, ms_display_quantity quantity, const char *name);

/* page_figure.c; the same. */
ms_status ms_block_copy_figure(ms_context *ctx, const ms_figure *figure, ptrdiff_t most,
                               ms_page_block *block);
void ms_block_free_figure(ms_context *ctx, ms_page_block *block);
ms_status ms_block_write_figure(FILE *out, ms_context *ctx, const ms_display *display,
                                const ms_page_block *block, int number);

/* page_files.c: every figure of the page as data, in group/1, group/2 and so on; page may be NULL.
 */
ms_status ms_page_write_results(const ms_page *page, ms_results *results, const char *group);

/* page_choices.c: block->choices, for block->figure. */
ms_status ms_block_copy_choices(ms_context *ctx, const ms_choices *choices, ms_page_block *block);

/* page_map.c; the same. */
ms_status ms_block_copy_map(ms_context *ctx, const ms_hex_map *map, ms_page_block *block);
void ms_block_write_map(FILE *out, const ms_page_block *block, int number);

/* page_shape.c; the same. */
ms_status ms_block_copy_shape(ms_context *ctx, const ms_shape *shape, ms_page_block *block);
void ms_block_free_shape(ms_context *ctx, ms_page_block *block);
ms_status ms_block_write_shape(FILE *out, ms_context *ctx, const ms_page_block *block, int number);
/* A body that is valid, its modes apart; `to` is zero at first and owns what it has, after a
   failure too. */
ms_status ms_shape_copy_body(ms_context *ctx, const ms_shape *from, ms_shape *to);
void ms_shape_free(ms_context *ctx, ms_shape *shape);
/* Memory behind a pointer of a public struct, which is const there. */
void ms_page_free(ms_context *ctx, const void *owned);
/* "<span class="caption"> ... </span>" and the like; nothing for a NULL or empty text. */
void ms_page_write_text(FILE *out, const char *open, const char *text, const char *close);

/* page_field.c; the same. */
ms_status ms_block_copy_fields(ms_context *ctx, const ms_fields *fields, ms_page_block *block);
void ms_block_free_fields(ms_context *ctx, ms_page_block *block);
ms_status ms_block_write_fields(FILE *out, ms_context *ctx, const ms_page_block *block, int number);
/* Values of a field in all frames; the lowest and the highest, of their logarithms where it is
   coloured by these, NAN if there is none; and where one lies between these, 0 to 1, NAN if it is
   none. */
ptrdiff_t ms_fields_count(const ms_fields *fields, const ms_face_field *field);
void ms_field_range(const ms_fields *fields, const ms_face_field *field, double range[2]);
double ms_field_part(const ms_face_field *field, ptrdiff_t i, const double range[2]);

/* shape_data.c: everything about a shape, or fields, as JSON. */
ms_status ms_shape_write_data(FILE *out, ms_context *ctx, const ms_shape *shape);
ms_status ms_fields_write_data(FILE *out, ms_context *ctx, const ms_fields *fields);
/* The middle of the box around a shape; returns half its longest side. */
double ms_shape_box(const ms_shape *shape, double *middle);
/* The largest component of a mode's displacements. */
double ms_shape_largest(const ms_shape_mode *mode, ptrdiff_t n_node);
/* The mode of the still picture. */
const ms_shape_mode *ms_shape_first(const ms_shape *shape);
/* shape_still.c: an svg element with the first mode; with the first field in the last frame. */
ms_status ms_shape_write_still(FILE *out, ms_context *ctx, const ms_shape *shape);
ms_status ms_fields_write_still(FILE *out, ms_context *ctx, const ms_fields *fields);

/* Lines, ended by NULL. */
extern const char *const ms_page_style[];
extern const char *const ms_display_script[];
extern const char *const ms_number_script[];
extern const char *const ms_plot_script[];
extern const char *const ms_shape_script[];
extern const char *const ms_choice_script[];
extern const char *const ms_figure_script[];
extern const char *const ms_page_script[];

#endif
