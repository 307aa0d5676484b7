/* Building a page: every block is checked and copied here, so that writing can fail only for want
   of memory or of room on the disk. */
#include "report/page.h"

#include <stdarg.h>

#include "core/internal.h"

/* ---- life ---- */

ms_status ms_page_create(ms_context *ctx, const char *title, const char *subtitle, ms_page **out) {
  MS_MAKE(ctx, out, title);
  ms_page *page;
  MS_TRY(ms_allocate(ctx, 1, sizeof *page, &page));
  page->ctx = ctx;
  page->most = MS_PAGE_MAX_POINTS;
  ms_status status = ms_text_copy(ctx, title, &page->title);
  if (status == MS_SUCCESS) status = ms_text_copy(ctx, subtitle, &page->subtitle);
  if (status != MS_SUCCESS) {
    ms_page_destroy(&page);
    return status;
  }
  *out = page;
  return MS_SUCCESS;
}

static void free_block(ms_context *ctx, ms_page_block *block) {
  for (ptrdiff_t i = 0; block->facts && i < 2 * block->n_facts; i++) ms_free(ctx, &block->facts[i]);
  ms_free(ctx, &block->facts);
  ms_free(ctx, &block->text);
  ms_free(ctx, &block->choices);
  ms_free(ctx, &block->map);
  ms_block_free_table(ctx, block);
  ms_block_free_figure(ctx, block);
  ms_block_free_shape(ctx, block);
}

ms_status ms_page_set_points(ms_page *page, ptrdiff_t most) {
  if (most < MS_PAGE_MIN_POINTS || most > MS_PAGE_MAX_POINTS) {
    return ms_fail(page->ctx, MS_ERR_BOUNDS, "%td points of a series; there must be %d to %d", most,
                   MS_PAGE_MIN_POINTS, MS_PAGE_MAX_POINTS);
  }
  page->most = most;
  return MS_SUCCESS;
}

void ms_page_destroy(ms_page **page) {
  if (!page || !*page) return;
  ms_page *p = *page;
  for (ptrdiff_t i = 0; i < p->n_block; i++) free_block(p->ctx, &p->block[i]);
  ms_free(p->ctx, &p->block);
  ms_free(p->ctx, &p->title);
  ms_free(p->ctx, &p->subtitle);
  ms_free(p->ctx, page);
}

/* ---- blocks ---- */

/* Takes over what the block owns: into the page if all went well so far, else it is freed. */
static ms_status take_block(ms_page *page, ms_page_block *block, ms_status status) {
  if (status == MS_SUCCESS)
    status = ms_resize(page->ctx, page->n_block + 1, sizeof *page->block, &page->block);
  if (status == MS_SUCCESS)
    page->block[page->n_block++] = *block;
  else
    free_block(page->ctx, block);
  return status;
}

ms_status ms_page_take(ms_page *page, ms_page *from) {
  MS_TRY(ms_resize(page->ctx, page->n_block + from->n_block, sizeof *page->block, &page->block));
  for (ptrdiff_t i = 0; i < from->n_block; i++) page->block[page->n_block++] = from->block[i];
  from->n_block = 0;
  return MS_SUCCESS;
}

static ms_status add_words(ms_page *page, ms_block_kind kind, const char *what, const char *text) {
  if (!page) return MS_ERR_ARGUMENT;
  if (!text)
    return ms_fail(page->ctx, MS_ERR_ARGUMENT, "page '%s': the %s is NULL", page->title, what);
  ms_page_block block = { .kind = kind };
  return take_block(page, &block, ms_text_copy(page->ctx, text, &block.text));
}

ms_status ms_page_add_section(ms_page *page, const char *heading) {
  return add_words(page, MS_BLOCK_SECTION, "heading of a section", heading);
}

ms_status ms_page_add_text(ms_page *page, const char *text) {
  return add_words(page, MS_BLOCK_TEXT, "text", text);
}

ms_status ms_page_add_warning(ms_page *page, const char *text) {
  return add_words(page, MS_BLOCK_WARNING, "warning", text);
}

ms_status ms_page_add_code(ms_page *page, const char *text) {
  return add_words(page, MS_BLOCK_CODE, "code", text);
}

/* ---- facts ---- */

static ms_status copy_facts(ms_context *ctx, ptrdiff_t n, const char *const *names,
                            const char *const *values, ms_page_block *block) {
  MS_TRY(ms_allocate(ctx, n, 2 * sizeof *block->facts, &block->facts));
  block->n_facts = n;
  for (ptrdiff_t i = 0; i < n; i++) {
    MS_TRY(ms_text_copy(ctx, names[i], &block->facts[2 * i]));
    MS_TRY(ms_text_copy(ctx, values[i], &block->facts[2 * i + 1]));
  }
  return MS_SUCCESS;
}

ms_status ms_page_add_facts(ms_page *page, ptrdiff_t n, const char *const *names,
                            const char *const *values) {
  if (!page) return MS_ERR_ARGUMENT;
  if (n < 0 || (n > 0 && (!names || !values)))
    return ms_fail(page->ctx, MS_ERR_ARGUMENT,
                   "page '%s': facts need names and values with n >= 0, n is %td", page->title, n);
  for (ptrdiff_t i = 0; i < n; i++) {
    if (names[i] && values[i]) continue;
    return ms_fail(page->ctx, MS_ERR_ARGUMENT, "page '%s': the %s of fact %td is NULL", page->title,
                   names[i] ? "value" : "name", i + 1);
  }
  ms_page_block block = { .kind = MS_BLOCK_FACTS };
  return take_block(page, &block, copy_facts(page->ctx, n, names, values, &block));
}

ms_status ms_page_add_fact(ms_page *page, const char *name, const char *format, ...) {
  char value[400];
  va_list args;
  if (!page) return MS_ERR_ARGUMENT;
  va_start(args, format);
  vsnprintf(value, sizeof value, format, args);
  va_end(args);
  ms_page_block *last = page->n_block > 0 ? &page->block[page->n_block - 1] : NULL;
  if (!name || !last || last->kind != MS_BLOCK_FACTS) {
    return ms_page_add_facts(page, 1, &name, (const char *const[]) { value });
  }
  MS_TRY(ms_resize(page->ctx, last->n_facts + 1, 2 * sizeof *last->facts, &last->facts));
  char **fact = last->facts + 2 * last->n_facts++;
  fact[0] = fact[1] = NULL;
  MS_TRY(ms_text_copy(page->ctx, name, &fact[0]));
  return ms_text_copy(page->ctx, value, &fact[1]);
}

/* ---- tables, figures, shapes ---- */

/* Says of which block on which page the failure is. */
static ms_status place_failure(const ms_page *page, ms_status status, const char *what,
                               const char *caption) {
  if (status == MS_SUCCESS || status == MS_ERR_MEMORY) return status;
  return ms_fail_at(page->ctx, status, "page '%s', %s '%s'", page->title, what,
                    caption ? caption : "without caption");
}

static ms_status add_table(ms_page *page, const char *caption, const ms_page_table *table,
                           int shaded) {
  if (!page) return MS_ERR_ARGUMENT;
  ms_page_block block = { .kind = MS_BLOCK_TABLE, .shaded = shaded };
  ms_status status = ms_block_copy_table(page->ctx, table, &block);
  if (status == MS_SUCCESS) status = ms_text_copy(page->ctx, caption, &block.text);
  return place_failure(page, take_block(page, &block, status), "table", caption);
}

ms_status ms_page_add_table(ms_page *page, const char *caption, const ms_page_table *table) {
  return add_table(page, caption, table, 0);
}

ms_status ms_page_add_shaded_table(ms_page *page, const char *caption, const ms_page_table *table) {
  return add_table(page, caption, table, 1);
}

ms_status ms_page_add_figure(ms_page *page, const char *caption, const ms_figure *figure) {
  if (!page) return MS_ERR_ARGUMENT;
  ms_page_block block = { .kind = MS_BLOCK_FIGURE };
  ms_status status = ms_block_copy_figure(page->ctx, figure, page->most, &block);
  if (status == MS_SUCCESS) status = ms_text_copy(page->ctx, caption, &block.text);
  return place_failure(page, take_block(page, &block, status), "figure", caption);
}

ms_status ms_page_add_choices(ms_page *page, const char *caption, const ms_figure *figure,
                              const ms_choices *choices) {
  if (!page) return MS_ERR_ARGUMENT;
  ms_page_block block = { .kind = MS_BLOCK_FIGURE };
  ms_status status = ms_block_copy_figure(page->ctx, figure, page->most, &block);
  if (status == MS_SUCCESS) status = ms_block_copy_choices(page->ctx, choices, &block);
  if (status == MS_SUCCESS) status = ms_text_copy(page->ctx, caption, &block.text);
  return place_failure(page, take_block(page, &block, status), "figure", caption);
}

ms_status ms_page_add_map(ms_page *page, const char *caption, const ms_hex_map *map) {
  if (!page) return MS_ERR_ARGUMENT;
  ms_page_block block = { .kind = MS_BLOCK_MAP };
  ms_status status = ms_block_copy_map(page->ctx, map, &block);
  if (status == MS_SUCCESS) status = ms_text_copy(page->ctx, caption, &block.text);
  return place_failure(page, take_block(page, &block, status), "map", caption);
}

ms_status ms_page_add_shape(ms_page *page, const char *caption, const ms_shape *shape) {
  if (!page) return MS_ERR_ARGUMENT;
  ms_page_block block = { .kind = MS_BLOCK_SHAPE };
  ms_status status = ms_block_copy_shape(page->ctx, shape, &block);
  if (status == MS_SUCCESS) status = ms_text_copy(page->ctx, caption, &block.text);
  return place_failure(page, take_block(page, &block, status), "shape", caption);
}
