/* Building a page: every block is checked and copied here, so that writing can fail only for want
   of memory or of room on the disk. */
#include "report/page.h"

#include <math.h>
#include <stdarg.h>

#include "core/internal.h"
#include "report/number.h"

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
  for (ptrdiff_t i = 0; i < block->n_fact; i++) {
    ms_free(ctx, &block->fact[i].text);
    ms_answer_free(ctx, &block->fact[i].number);
  }
  ms_free(ctx, &block->fact);
  ms_free(ctx, &block->text);
  ms_free(ctx, &block->name);
  ms_answer_free(ctx, &block->answer);
  ms_free(ctx, &block->choices);
  ms_free(ctx, &block->map);
  ms_block_free_table(ctx, block);
  ms_block_free_figure(ctx, block);
  ms_block_free_shape(ctx, block);
  ms_block_free_fields(ctx, block);
}

ms_status ms_page_set_points(ms_page *page, ptrdiff_t most) {
  if (most < MS_PAGE_MIN_POINTS || most > MS_PAGE_MAX_POINTS) {
    return ms_fail(page->ctx, MS_ERR_BOUNDS, "%td points of a series; there must be %d to %d", most,
                   MS_PAGE_MIN_POINTS, MS_PAGE_MAX_POINTS);
  }
  page->most = most;
  return MS_SUCCESS;
}

void ms_page_set_display(ms_page *page, const ms_display *display) {
  page->display = display;
}

void ms_page_destroy(ms_page **page) {
  if (!page || !*page) return;
  ms_page *p = *page;
  for (ptrdiff_t i = 0; i < p->n_block; i++) free_block(p->ctx, &p->block[i]);
  ms_free(p->ctx, &p->block);
  ms_page_free_terms(p);
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

static ms_status add_named(ms_page *page, ms_page_block block, const char *what, const char *text,
                           const char *name) {
  if (!page) return MS_ERR_ARGUMENT;
  if (!text)
    return ms_fail(page->ctx, MS_ERR_ARGUMENT, "page '%s': the %s is NULL", page->title, what);
  ms_status status = ms_text_copy(page->ctx, text, &block.text);
  if (status == MS_SUCCESS) status = ms_text_copy(page->ctx, name, &block.name);
  return take_block(page, &block, status);
}

static ms_status add_words(ms_page *page, ms_block_kind kind, const char *what, const char *text) {
  return add_named(page, (ms_page_block) { .kind = kind }, what, text, NULL);
}

ms_status ms_page_add_section(ms_page *page, const char *heading) {
  return ms_page_add_named_section(page, heading, NULL);
}

ms_status ms_page_add_named_section(ms_page *page, const char *heading, const char *name) {
  return add_named(page, (ms_page_block) { .kind = MS_BLOCK_SECTION }, "heading of a section",
                   heading, name);
}

ms_status ms_page_add_heading(ms_page *page, const char *heading) {
  return add_words(page, MS_BLOCK_HEADING, "heading", heading);
}

ms_status ms_page_add_text(ms_page *page, const char *text) {
  return add_words(page, MS_BLOCK_TEXT, "text", text);
}

ms_status ms_page_add_warning(ms_page *page, const char *text) {
  return add_words(page, MS_BLOCK_WARNING, "warning", text);
}

ms_status ms_page_raise_warning(ms_page *page, int severity, const char *label, const char *text) {
  const ms_page_block block = { .kind = MS_BLOCK_WARNING, .severity = severity };
  return add_named(page, block, "warning", text, label);
}

ms_status ms_page_add_code(ms_page *page, const char *text) {
  return add_words(page, MS_BLOCK_CODE, "code", text);
}

/* ---- facts ---- */

/* To the list; after a failure it is as it was. */
static ms_status add_fact(ms_context *ctx, const ms_answer *number, const char *text, int digits,
                          ms_page_block *list) {
  ms_fact fact = { .digits = digits };
  MS_TRY(ms_resize(ctx, list->n_fact + 1, sizeof *list->fact, &list->fact));
  MS_TRY(ms_text_copy(ctx, text, &fact.text));
  ms_status status = ms_answer_copy(ctx, number, &fact.number);
  if (status == MS_SUCCESS)
    list->fact[list->n_fact++] = fact;
  else
    ms_free(ctx, &fact.text);
  return status;
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
  ms_status status = MS_SUCCESS;
  for (ptrdiff_t i = 0; i < n && status == MS_SUCCESS; i++) {
    status = add_fact(page->ctx, &(ms_answer) { .label = names[i] }, values[i], 0, &block);
  }
  return take_block(page, &block, status);
}

/* To the list that ends the page, or to a new one. */
static ms_status add_to_last(ms_page *page, const ms_answer *number, const char *text, int digits) {
  ms_page_block *last = page->n_block > 0 ? &page->block[page->n_block - 1] : NULL;
  if (last && last->kind == MS_BLOCK_FACTS) return add_fact(page->ctx, number, text, digits, last);
  ms_page_block block = { .kind = MS_BLOCK_FACTS };
  return take_block(page, &block, add_fact(page->ctx, number, text, digits, &block));
}

ms_status ms_page_add_fact(ms_page *page, const char *name, const char *format, ...) {
  char value[400];
  va_list args;
  if (!page) return MS_ERR_ARGUMENT;
  if (!name)
    return ms_fail(page->ctx, MS_ERR_ARGUMENT, "page '%s': a fact has no name", page->title);
  va_start(args, format);
  vsnprintf(value, sizeof value, format, args);
  va_end(args);
  return add_to_last(page, &(ms_answer) { .label = name }, value, 0);
}

static ms_status check_answer(const ms_page *page, const ms_answer *answer) {
  if (!answer || !answer->label)
    return ms_fail(page->ctx, MS_ERR_ARGUMENT, "page '%s': an answer has no label", page->title);
  if (isfinite(answer->value) && isfinite(answer->error) && isfinite(answer->low) &&
      isfinite(answer->high)) {
    return MS_SUCCESS;
  }
  return ms_fail(page->ctx, MS_ERR_NUMERIC, "page '%s': answer '%s' is not finite", page->title,
                 answer->label);
}

ms_status ms_page_add_number(ms_page *page, const ms_answer *number, int digits) {
  if (!page) return MS_ERR_ARGUMENT;
  MS_TRY(check_answer(page, number));
  return add_to_last(page, number, NULL, digits);
}

ms_status ms_page_add_answer(ms_page *page, const ms_answer *answer) {
  if (!page) return MS_ERR_ARGUMENT;
  MS_TRY(check_answer(page, answer));
  ms_page_block block = { .kind = MS_BLOCK_ANSWER };
  return take_block(page, &block, ms_answer_copy(page->ctx, answer, &block.answer));
}

/* ---- tables, figures, shapes ---- */

/* Says of which block on which page the failure is. */
static ms_status place_failure(const ms_page *page, ms_status status, const char *what,
                               const char *caption) {
  if (status == MS_SUCCESS || status == MS_ERR_MEMORY) return status;
  return ms_fail_at(page->ctx, status, "page '%s', %s '%s'", page->title, what,
                    caption ? caption : "without caption");
}

/* The block, which has its contents, or why it has not. */
static ms_status add_captioned(ms_page *page, ms_page_block *block, ms_status status,
                               const char *what, const char *caption) {
  if (status == MS_SUCCESS) status = ms_text_copy(page->ctx, caption, &block->text);
  return place_failure(page, take_block(page, block, status), what, caption);
}

static ms_status add_table(ms_page *page, const char *caption, const ms_page_table *table,
                           int shaded) {
  if (!page) return MS_ERR_ARGUMENT;
  ms_page_block block = { .kind = MS_BLOCK_TABLE, .shaded = shaded };
  ms_status status = ms_block_copy_table(page->ctx, table, &block);
  return add_captioned(page, &block, status, "table", caption);
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
  return add_captioned(page, &block, status, "figure", caption);
}

ms_status ms_page_add_choices(ms_page *page, const char *caption, const ms_figure *figure,
                              const ms_choices *choices) {
  if (!page) return MS_ERR_ARGUMENT;
  ms_page_block block = { .kind = MS_BLOCK_FIGURE };
  ms_status status = ms_block_copy_figure(page->ctx, figure, page->most, &block);
  if (status == MS_SUCCESS) status = ms_block_copy_choices(page->ctx, choices, &block);
  return add_captioned(page, &block, status, "figure", caption);
}

ms_status ms_page_add_map(ms_page *page, const char *caption, const ms_hex_map *map) {
  if (!page) return MS_ERR_ARGUMENT;
  ms_page_block block = { .kind = MS_BLOCK_MAP };
  ms_status status = ms_block_copy_map(page->ctx, map, &block);
  return add_captioned(page, &block, status, "map", caption);
}

ms_status ms_page_add_shape(ms_page *page, const char *caption, const ms_shape *shape) {
  if (!page) return MS_ERR_ARGUMENT;
  ms_page_block block = { .kind = MS_BLOCK_SHAPE };
  ms_status status = ms_block_copy_shape(page->ctx, shape, &block);
  return add_captioned(page, &block, status, "shape", caption);
}

ms_status ms_page_add_field(ms_page *page, const char *caption, const ms_fields *fields) {
  if (!page) return MS_ERR_ARGUMENT;
  ms_page_block block = { .kind = MS_BLOCK_FIELD };
  ms_status status = ms_block_copy_fields(page->ctx, fields, &block);
  return add_captioned(page, &block, status, "field", caption);
}

ms_status ms_page_feature(ms_page *page, int weight) {
  if (!page) return MS_ERR_ARGUMENT;
  for (ptrdiff_t i = page->n_block - 1; i >= 0; i--) {
    ms_page_block *block = &page->block[i];
    if (block->kind < MS_BLOCK_FIGURE) continue;
    block->weight = weight;
    break;
  }
  return MS_SUCCESS;
}
