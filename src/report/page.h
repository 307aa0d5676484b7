/* What the files of the page share: its blocks, and the style and scripts from page.css and
   the .js files, which the build turns into C (cmake/Embed.cmake). */
#ifndef MS_REPORT_PAGE_H
#define MS_REPORT_PAGE_H

#include "report/internal.h"

typedef enum ms_block_kind {
  MS_BLOCK_SECTION,
  MS_BLOCK_TEXT,
  MS_BLOCK_WARNING,
  MS_BLOCK_CODE,
  MS_BLOCK_FACTS,
  MS_BLOCK_TABLE,
  MS_BLOCK_FIGURE,
  MS_BLOCK_SHAPE,
  MS_BLOCK_MAP,
  MS_N_BLOCK_KIND
} ms_block_kind;

enum {
  MS_DECIMALS_OWN = -1,  /* as many as give the number its significant digits */
  MS_DECIMALS_POWER = -2 /* significant digits and a power of ten */
};

/* A column; everything is owned by the block. */
typedef struct ms_cells {
  char *heading, *unit;
  double *numbers;
  char **texts;
  int digits;
  int decimals; /* that its numbers share, or one of the above */
} ms_cells;

typedef struct ms_page_block {
  ms_block_kind kind;
  char *text;   /* heading, text, code or caption */
  char **facts; /* name, value, name, value, ... */
  ptrdiff_t n_facts;
  ms_cells *column;
  ptrdiff_t n_column, n_row;
  int shaded;
  ms_figure *figure;
  ptrdiff_t *n_given; /* points of each series as it came, panel after panel */
  char *choices;      /* of a figure: as JSON; NULL: there is nothing to choose */
  char *map;          /* as markup */
  ms_shape *shape;    /* the public struct again, its pointers owned by the block */
} ms_page_block;

struct ms_page {
  ms_context *ctx;
  char *title, *subtitle;
  ptrdiff_t most; /* points of a series */
  ms_page_block *block;
  ptrdiff_t n_block;
};

/* page.c: the blocks of `from` to the end of the page; `from` has none then. */
ms_status ms_page_take(ms_page *page, ms_page *from);

/* page_table.c; `number` counts the tables of the page from 1. copy leaves what it has allocated in
   the block when it fails. */
ms_status ms_block_copy_table(ms_context *ctx, const ms_page_table *table, ms_page_block *block);
void ms_block_free_table(ms_context *ctx, ms_page_block *block);
void ms_block_write_table(FILE *out, const ms_page_block *block, int number);
/* A number for a table's cell, in HTML: with so many decimals (up to 1e7), or one of the above. */
void ms_page_number(FILE *out, double value, int digits, int decimals);

/* page_figure.c; the same. */
ms_status ms_block_copy_figure(ms_context *ctx, const ms_figure *figure, ptrdiff_t most,
                               ms_page_block *block);
void ms_block_free_figure(ms_context *ctx, ms_page_block *block);
ms_status ms_block_write_figure(FILE *out, ms_context *ctx, const ms_page_block *block, int number);

/* page_choices.c: block->choices, for block->figure. */
ms_status ms_block_copy_choices(ms_context *ctx, const ms_choices *choices, ms_page_block *block);

/* page_map.c; the same. */
ms_status ms_block_copy_map(ms_context *ctx, const ms_hex_map *map, ms_page_block *block);
void ms_block_write_map(FILE *out, const ms_page_block *block, int number);

/* page_shape.c; the same. */
ms_status ms_block_copy_shape(ms_context *ctx, const ms_shape *shape, ms_page_block *block);
void ms_block_free_shape(ms_context *ctx, ms_page_block *block);
ms_status ms_block_write_shape(FILE *out, ms_context *ctx, const ms_page_block *block, int number);
/* "<span class="caption"> ... </span>" and the like; nothing for a NULL or empty text. */
void ms_page_write_text(FILE *out, const char *open, const char *text, const char *close);

/* shape_data.c: everything about a shape as JSON. */
ms_status ms_shape_write_data(FILE *out, ms_context *ctx, const ms_shape *shape);
/* The middle of the box around a shape; returns half its longest side. */
double ms_shape_box(const ms_shape *shape, double *middle);
/* The largest component of a mode's displacements. */
double ms_shape_largest(const ms_shape_mode *mode, ptrdiff_t n_node);
/* shape_still.c: an svg element with the first mode. */
ms_status ms_shape_write_still(FILE *out, ms_context *ctx, const ms_shape *shape);

/* Lines, ended by NULL. */
extern const char *const ms_page_style[];
extern const char *const ms_plot_script[];
extern const char *const ms_shape_script[];
extern const char *const ms_choice_script[];
extern const char *const ms_page_script[];

#endif
