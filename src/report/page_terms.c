/* Short names that a page explains: in every section that uses them, under its title. */
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "report/page.h"

ms_status ms_page_explain(ms_page *page, const char *name, const char *words) {
  MS_NEED(page ? page->ctx : NULL, page && name && words);
  MS_TRY(ms_resize(page->ctx, page->n_term + 1, sizeof *page->term, &page->term));
  ms_term *term = &page->term[page->n_term];
  *term = (ms_term) { NULL, NULL };
  page->n_term++;
  MS_TRY(ms_text_copy(page->ctx, name, &term->name));
  return ms_text_copy(page->ctx, words, &term->words);
}

void ms_page_free_terms(ms_page *page) {
  for (int i = 0; i < page->n_term; i++) {
    ms_free(page->ctx, &page->term[i].name);
    ms_free(page->ctx, &page->term[i].words);
  }
  ms_free(page->ctx, &page->term);
}

/* ---- where they are used ---- */

static int is_part(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* As a word of its own. */
static int is_in(const char *text, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = text; at && (at = strstr(at, name)); at += n) {
    if ((at == text || !is_part(at[-1])) && !is_part(at[n])) return 1;
  }
  return 0;
}

static int figure_has(const ms_figure *figure, const char *name) {
  for (ptrdiff_t p = 0; figure && p < figure->n_panel; p++) {
    const ms_figure_panel *panel = &figure->panel[p];
    if (is_in(panel->spec.title, name)) return 1;
    for (ptrdiff_t k = 0; k < panel->n_series; k++) {
      if (is_in(panel->series[k].label, name)) return 1;
    }
  }
  return 0;
}

static int block_has(const ms_page_block *b, const char *name) {
  if (b->kind == MS_BLOCK_CODE) return 0;
  int found = is_in(b->text, name) || is_in(b->answer.label, name) || figure_has(b->figure, name);
  for (ptrdiff_t i = 0; i < b->n_fact && !found; i++) found = is_in(b->fact[i].text, name);
  for (ptrdiff_t c = 0; c < b->n_column && !found; c++) {
    for (ptrdiff_t i = 0; b->column[c].texts && i < b->n_row && !found; i++)
      found = is_in(b->column[c].texts[i], name);
  }
  return found;
}

void ms_page_write_terms(FILE *out, const ms_page *page, const ms_page_block *section) {
  const ms_page_block *end = section + 1, *last = page->block + page->n_block;
  int n = 0;
  while (end < last && end->kind != MS_BLOCK_SECTION) end++;
  for (const ms_term *t = page->term; t < page->term + page->n_term; t++) {
    const ms_page_block *b = section + 1;
    while (b < end && !block_has(b, t->name)) b++;
    if (b == end) continue;
    fputs(n++ ? "; <b>" : "<p class=\"ms-terms\"><b>", out);
    ms_text_escape(out, t->name);
    fputs("</b>: ", out);
    ms_text_escape(out, t->words);
  }
  if (n > 0) fputs("</p>\n", out);
}
