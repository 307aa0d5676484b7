/* Writing a page: the head with its style, the contents, the blocks in order, the script. */
#include "report/number.h"
#include "report/page.h"

#include <string.h>

#include <microslip/io.h>

typedef struct writer {
  FILE *out;
  const ms_page *page;
  int n_section, n_table, n_figure, n_warning; /* written so far */
  const ms_page_block *featured;               /* at the head, as figure 1 */
} writer;

static void put_lines(FILE *out, const char *const *lines) {
  for (; *lines; lines++) fputs(*lines, out);
}

/* ---- colours: those of the figures, as variables ---- */

static void write_variables(FILE *out, const char *selector, const ms_colours *c) {
  const struct {
    const char *name;
    uint32_t colour;
  } plain[] = {
    { "background", c->background },
    { "text", c->text },
    { "muted", c->muted },
    { "axis", c->axis },
    { "zero", c->zero },
    { "grid", c->grid },
  };
  fprintf(out, "%s{", selector);
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    fprintf(out, "--%s:#%06x;", plain[i].name, (unsigned)plain[i].colour);
  for (int i = 0; i < MS_PALETTE_SIZE; i++) fprintf(out, "--c%d:#%06x;", i, (unsigned)c->series[i]);
  fprintf(out, "--cn:#%06x}\n", (unsigned)c->text);
}

/* ---- before and after the blocks ---- */

/* The policy lets nothing be fetched, so that nothing can be by mistake. */
static void write_head(FILE *out, const ms_page *page) {
  fputs(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n",
      out);
  fprintf(out, "<meta name=\"generator\" content=\"microslip %s\">\n", ms_version());
  fputs("<link rel=\"icon\" href=\"data:,\">\n<title>", out);
  ms_text_escape(out, page->title);
  fputs("</title>\n<style>\n", out);
  /* The reader's setting decides, unless the button on the page has been used. Paper is light. */
  const ms_colours *light = ms_colours_get(0), *dark = ms_colours_get(1);
  write_variables(out, ":root", light);
  fputs("@media (prefers-color-scheme:dark){\n", out);
  write_variables(out, ":root:not([data-theme=light])", dark);
  fputs("}\n", out);
  write_variables(out, ":root[data-theme=dark]", dark);
  fputs("@media print{\n", out);
  write_variables(out, ":root,:root[data-theme],:root:not([data-theme=light])", light);
  fputs("}\n", out);
  for (const char *s = "01234567n"; *s; s++)
    fprintf(out, ".l%c{stroke:var(--c%c)}.p%c{fill:var(--c%c)}\n", *s, *s, *s, *s);
  ms_svg_write_shapes(out, ".ms-figure");
  put_lines(out, ms_page_style);
  fputs("</style>\n</head>\n<body>\n", out);
}

static void write_contents(FILE *out, const ms_page *page) {
  int n = 0;
  for (ptrdiff_t i = 0; i < page->n_block; i++) {
    if (page->block[i].kind != MS_BLOCK_SECTION) continue;
    if (n++ == 0) fputs("<nav aria-label=\"Contents\">\n<ol>\n", out);
    fprintf(out, "<li><a href=\"#section-%d\">", n);
    ms_text_html(out, page->block[i].text);
    ms_page_write_text(out, " <small>", page->block[i].name, "</small>");
    fputs("</a></li>\n", out);
  }
  if (n > 0) fputs("</ol>\n</nav>\n", out);
}

/* ---- blocks ---- */

static ms_status write_section(writer *w, const ms_page_block *block) {
  if (w->n_section++ > 0) fputs("</section>\n", w->out);
  fprintf(w->out, "<section id=\"section-%d\">\n<h2><a href=\"#section-%d\">", w->n_section,
          w->n_section);
  ms_text_html(w->out, block->text);
  fputs("</a>", w->out);
  ms_page_write_text(w->out, " <small>", block->name, "</small>");
  fputs("</h2>\n", w->out);
  ms_page_write_terms(w->out, w->page, block);
  return MS_SUCCESS;
}

static ms_status write_heading(writer *w, const ms_page_block *block) {
  ms_page_write_text(w->out, "<h3>", block->text, "</h3>\n");
  return MS_SUCCESS;
}

/* Answers that follow each other are one list. */
static ms_status write_own_answer(writer *w, const ms_page_block *block) {
  const ms_page_block *first = w->page->block, *last = first + w->page->n_block - 1;
  if (block == first || block[-1].kind != MS_BLOCK_ANSWER)
    fputs("<dl class=\"ms-keys ms-own\">\n", w->out);
  ms_page_write_key(w->out, w->page, &block->answer, 0, NULL);
  if (block == last || block[1].kind != MS_BLOCK_ANSWER) fputs("</dl>\n", w->out);
  return MS_SUCCESS;
}

static int is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* The end of the paragraph at text: an empty line, or the end. */
static const char *paragraph_end(const char *text) {
  for (; *text; text++) {
    if (*text != '\n') continue;
    const char *next = text + 1;
    while (is_blank(*next)) next++;
    if (*next == '\n') return text;
  }
  return text;
}

static ms_status write_words(writer *w, const ms_page_block *block) {
  const char *text = ms_text_skip(block->text);
  while (*text) {
    const char *end = paragraph_end(text);
    char *copy;
    MS_TRY(ms_allocate(w->page->ctx, end - text + 1, 1, &copy));
    memcpy(copy, text, (size_t)(end - text));
    fputs("<p>", w->out);
    ms_text_html(w->out, copy);
    fputs("</p>\n", w->out);
    ms_free(w->page->ctx, &copy);
    text = ms_text_skip(end);
  }
  return MS_SUCCESS;
}

static ms_status write_warning(writer *w, const ms_page_block *block) {
  fprintf(w->out, "<p class=\"ms-warning\" role=\"note\" id=\"warning-%d\" data-severity=\"%d\">",
          ++w->n_warning, block->severity);
  ms_page_write_text(w->out, "<b>", block->name, "</b> ");
  ms_text_html(w->out, block->text);
  fputs("</p>\n", w->out);
  return MS_SUCCESS;
}

static ms_status write_code(writer *w, const ms_page_block *block) {
  fputs("<pre tabindex=\"0\"><code>", w->out);
  ms_text_escape(w->out, block->text);
  fputs("</code></pre>\n", w->out);
  return MS_SUCCESS;
}

static void write_fact(writer *w, const ms_fact *fact) {
  const ms_answer *a = &fact->number;
  char name[200];
  const int symbol = a->symbol && strcmp(a->symbol, a->label) == 0;
  ms_text_symbol(symbol ? a->symbol : "", name, sizeof name);
  fputs("<dt>", w->out);
  ms_text_html(w->out, symbol ? name : a->label);
  fputs("</dt><dd>", w->out);
  if (fact->text)
    ms_text_escape(w->out, fact->text);
  else
    ms_page_write_value(w->out, w->page->display, ms_answer_find_quantity(a), a, fact->digits);
  fputs("</dd>\n", w->out);
}

static ms_status write_facts(writer *w, const ms_page_block *block) {
  fputs("<dl>\n", w->out);
  for (ptrdiff_t i = 0; i < block->n_fact; i++) write_fact(w, &block->fact[i]);
  fputs("</dl>\n", w->out);
  return MS_SUCCESS;
}

static ms_status write_table(writer *w, const ms_page_block *block) {
  return ms_block_write_table(w->out, w->page->ctx, w->page->display, block, ++w->n_table);
}

ms_status ms_block_write_drawing(FILE *out, ms_context *ctx, const ms_display *display,
                                 const ms_page_block *block, int number) {
  if (block->kind == MS_BLOCK_FIGURE)
    return ms_block_write_figure(out, ctx, display, block, number);
  if (block->kind == MS_BLOCK_SHAPE) return ms_block_write_shape(out, ctx, block, number);
  if (block->kind == MS_BLOCK_FIELD) return ms_block_write_fields(out, ctx, block, number);
  ms_block_write_map(out, block, number);
  return MS_SUCCESS;
}

/* The one at the head is not drawn again. */
static ms_status write_drawing(writer *w, const ms_page_block *block) {
  if (block != w->featured)
    return ms_block_write_drawing(w->out, w->page->ctx, w->page->display, block, ++w->n_figure);
  fputs("<p class=\"ms-moved\"><a href=\"#featured\">Figure 1</a>, at the head of the report",
        w->out);
  if (block->figure) ms_page_write_text(w->out, ": ", block->figure->title, "");
  fputs(".</p>\n", w->out);
  return MS_SUCCESS;
}

static ms_status write_blocks(writer *w) {
  static ms_status (*const write[MS_N_BLOCK_KIND])(writer *, const ms_page_block *) = {
    [MS_BLOCK_SECTION] = write_section,   [MS_BLOCK_TEXT] = write_words,
    [MS_BLOCK_CODE] = write_code,         [MS_BLOCK_FACTS] = write_facts,
    [MS_BLOCK_TABLE] = write_table,       [MS_BLOCK_FIGURE] = write_drawing,
    [MS_BLOCK_SHAPE] = write_drawing,     [MS_BLOCK_WARNING] = write_warning,
    [MS_BLOCK_MAP] = write_drawing,       [MS_BLOCK_HEADING] = write_heading,
    [MS_BLOCK_ANSWER] = write_own_answer, [MS_BLOCK_FIELD] = write_drawing,
  };
  fputs("<main>\n", w->out);
  MS_TRY(ms_page_write_answer(w->out, w->page, &w->n_figure));
  write_contents(w->out, w->page);
  for (ptrdiff_t i = 0; i < w->page->n_block; i++) {
    const ms_page_block *block = &w->page->block[i];
    MS_TRY(write[block->kind](w, block));
  }
  fputs(w->n_section > 0 ? "</section>\n</main>\n" : "</main>\n", w->out);
  return MS_SUCCESS;
}

static ms_status write_page(FILE *out, const ms_page *page) {
  writer w = { .out = out, .page = page, .featured = ms_page_find_featured(page) };
  write_head(out, page);
  fputs("<header>\n<h1>", out);
  ms_text_escape(out, page->title);
  fputs("</h1>\n", out);
  if (page->subtitle) fputs("<p>", out), ms_text_html(out, page->subtitle), fputs("</p>\n", out);
  fputs("</header>\n", out);
  MS_TRY(write_blocks(&w));
  if (page->display) {
    fputs("<script type=\"application/json\" id=\"ms-display\">\n", out);
    MS_TRY(ms_display_print(page->display, out));
    fputs("</script>\n", out);
  }
  fputs("<script>\n", out);
  put_lines(out, ms_display_script);
  put_lines(out, ms_number_script);
  put_lines(out, ms_plot_script);
  put_lines(out, ms_shape_script);
  put_lines(out, ms_choice_script);
  put_lines(out, ms_figure_script);
  put_lines(out, ms_page_script);
  fputs("</script>\n</body>\n</html>\n", out);
  return MS_SUCCESS;
}

ms_status ms_page_write(const ms_page *page, const char *path) {
  if (!page) return MS_ERR_ARGUMENT;
  if (!path) return ms_fail(page->ctx, MS_ERR_ARGUMENT, "page '%s': the path is NULL", page->title);
  ms_outfile *file;
  MS_TRY(ms_outfile_open(page->ctx, path, &file));
  ms_status status = write_page(ms_outfile_stream(file), page);
  if (status == MS_SUCCESS) return ms_outfile_commit(&file);
  ms_outfile_discard(&file);
  return status;
}
