/* The head of a page: the numbers that readers came for, what is doubtful about them, and the
   figure that shows them. */
#include <string.h>

#include "report/number.h"
#include "report/page.h"

enum {
  BRIEF = 170, /* letters of a warning at the head; the whole text is in its section */
  COLUMN = 4   /* so many numbers fill a column beside the figure; fewer are a row above it */
};

/* ---- numbers ---- */

/* The answer with `rank` larger or earlier ones before it, and the number of its section; NULL for
   none. */
static const ms_page_block *find_answer(const ms_page *page, int rank, int *section) {
  *section = 0;
  for (ptrdiff_t i = 0; i < page->n_block; i++) {
    const ms_page_block *block = &page->block[i];
    int before = 0;
    *section += block->kind == MS_BLOCK_SECTION;
    if (block->kind != MS_BLOCK_ANSWER) continue;
    for (ptrdiff_t j = 0; j < page->n_block; j++) {
      if (page->block[j].kind != MS_BLOCK_ANSWER) continue;
      const int more = page->block[j].answer.weight - block->answer.weight;
      before += more > 0 || (more == 0 && j < i);
    }
    if (before == rank) return block;
  }
  return NULL;
}

/* The name of the analysis whose answer this is, where others at the head have the same label. */
static const char *find_name(const ms_page *page, const ms_page_block *answer) {
  const ms_page_block *other;
  int section, same = 0;
  for (int k = 0; k < MS_PAGE_ANSWERS && (other = find_answer(page, k, &section)); k++)
    same += strcmp(other->answer.label, answer->answer.label) == 0;
  while (same > 1 && answer > page->block && answer->kind != MS_BLOCK_SECTION) answer--;
  return same > 1 ? answer->name : NULL;
}

void ms_page_write_key(FILE *out, const ms_page *page, const ms_answer *answer, int section,
                       const char *name) {
  const char *at = strstr(answer->label, ", |q| = "); /* where it was read: behind the symbol */
  char what[400];
  snprintf(what, sizeof what, "%.*s", at ? (int)(at - answer->label) : (int)sizeof what - 1,
           answer->label);
  fputs("<div class=\"ms-key\"><dt>", out);
  if (section) fprintf(out, "<a href=\"#section-%d\">", section);
  ms_text_html(out, what);
  if (section) fputs("</a>", out);
  ms_page_write_symbol(out, page->display, answer);
  if (at) ms_text_html(out, at);
  ms_page_write_text(out, " <small>", name, "</small>");
  fputs("</dt><dd class=\"ms-key-value\">", out);
  ms_page_write_value(out, page->display, ms_answer_find_quantity(answer), answer,
                      MS_ANSWER_DIGITS);
  fputs("</dd></div>\n", out);
}

static void write_answers(FILE *out, const ms_page *page) {
  const ms_page_block *block;
  int section;
  for (int k = 0; k < MS_PAGE_ANSWERS && (block = find_answer(page, k, &section)); k++) {
    if (k == 0) fputs("<dl class=\"ms-keys\">\n", out);
    ms_page_write_key(out, page, &block->answer, section, find_name(page, block));
  }
  if (find_answer(page, 0, &section)) fputs("</dl>\n", out);
}

/* ---- warnings ---- */

/* Said before, or elsewhere with a worse severity. */
static int is_repeated(const ms_page *page, ptrdiff_t at) {
  for (ptrdiff_t j = 0; j < page->n_block; j++) {
    const ms_page_block *a = &page->block[at], *b = &page->block[j];
    if (b->kind != MS_BLOCK_WARNING || j == at || strcmp(a->text, b->text) != 0) continue;
    if (b->severity > a->severity || (b->severity == a->severity && j < at)) return 1;
  }
  return 0;
}

/* As much of a text as is brief, to the end of a sentence, clause or word. */
static size_t brief_length(const char *text) {
  static const char *const end[] = { ". ", "; ", ": ", ", ", " " };
  if (strlen(text) <= BRIEF) return strlen(text);
  for (size_t k = 0; k < sizeof end / sizeof *end; k++) {
    for (size_t n = BRIEF; n > BRIEF / 4; n--) {
      if (strncmp(text + n, end[k], strlen(end[k])) == 0) return n;
    }
  }
  size_t n = BRIEF;
  while (n > 0 && (text[n] & 0xC0) == 0x80) n--; /* not inside a character */
  return n;
}

static void write_warning(FILE *out, const ms_page_block *block, const ms_page_block *section,
                          int number) {
  char text[BRIEF + 8];
  const size_t n = brief_length(block->text), all = strlen(block->text);
  snprintf(text, sizeof text, "%.*s%s", (int)n, block->text, n < all ? " \u2026" : "");
  fprintf(out, "<li class=\"ms-warning\" data-severity=\"%d\">", block->severity);
  ms_page_write_text(out, "<b>", block->name ? block->name : "warning", "</b> ");
  fprintf(out, "<a href=\"#warning-%d\">", number);
  ms_text_html(out, section ? section->text : "see below");
  fputs("</a>: ", out);
  ms_text_html(out, text);
  fputs("</li>\n", out);
}

/* The worst first; those after it behind a button. */
static void write_warnings(FILE *out, const ms_page *page) {
  int worst = 0, n = 0, written = 0;
  for (ptrdiff_t i = 0; i < page->n_block; i++) {
    if (page->block[i].kind != MS_BLOCK_WARNING || is_repeated(page, i)) continue;
    if (page->block[i].severity > worst) worst = page->block[i].severity;
    n++;
  }
  if (n == 0) return;
  fputs("<div class=\"ms-warnings\">\n<ul>\n", out);
  for (int severity = worst; severity >= 0; severity--) {
    const ms_page_block *section = NULL;
    for (ptrdiff_t i = 0, number = 0; i < page->n_block; i++) {
      const ms_page_block *block = &page->block[i];
      if (block->kind == MS_BLOCK_SECTION) section = block;
      if (block->kind != MS_BLOCK_WARNING) continue;
      number++;
      if (block->severity != severity || is_repeated(page, i)) continue;
      if (written++ == 1) fprintf(out, "</ul>\n<details><summary>%d more</summary>\n<ul>\n", n - 1);
      write_warning(out, block, section, (int)number);
    }
  }
  fputs(n > 1 ? "</ul>\n</details>\n</div>\n" : "</ul>\n</div>\n", out);
}

/* ---- all ---- */

const ms_page_block *ms_page_find_featured(const ms_page *page) {
  const ms_page_block *best = NULL;
  for (const ms_page_block *b = page->block; b < page->block + page->n_block; b++) {
    if (b->weight > 0 && (!best || b->weight >= best->weight)) best = b;
  }
  return best;
}

ms_status ms_page_write_answer(FILE *out, const ms_page *page, int *number) {
  const ms_page_block *featured = ms_page_find_featured(page);
  int section, any = featured || find_answer(page, 0, &section);
  for (ptrdiff_t i = 0; i < page->n_block; i++) any |= page->block[i].kind == MS_BLOCK_WARNING;
  if (!any) return MS_SUCCESS;
  fprintf(out, "<section id=\"answer\"%s>\n<h2>In brief</h2>\n",
          featured && find_answer(page, COLUMN - 1, &section) ? " class=\"ms-beside\"" : "");
  write_answers(out, page);
  write_warnings(out, page);
  if (featured) {
    fputs("<div id=\"featured\">\n", out);
    MS_TRY(ms_block_write_drawing(out, page->ctx, page->display, featured, ++*number));
    fputs("</div>\n", out);
  }
  fputs("</section>\n", out);
  return MS_SUCCESS;
}
