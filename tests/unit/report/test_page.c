/* Pages: blocks, escaping, refusing, thinning, numbers. How they behave is tested in a browser. */
#include "report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/internal.h"
#include "support/check.h"

/* ---- helpers ---- */

static const double some_x[] = { 0.31, 1.73, 2.385, 4.07 };
static const double some_y[] = { 12.7, 31.3, 18.9, 77.1 };
static const ms_panel some_panel = { "Loops", "u", "m", "F", "N", 0, 0 };

/* Everything that could end an element, an attribute or a script, or begin one. */
#define NASTY "a<b>&\"'</script><!--<script>]]>\xFF\x01"

static const char *page_path(void) {
  static char path[64];
  snprintf(path, sizeof path, "/tmp/ms_test_page_%ld.html", (long)getpid());
  return path;
}

static ms_page *new_page(void) {
  ms_page *page = NULL;
  CHECK_OK(ms_page_create(test_context(), "A title", NULL, &page));
  return page;
}

static ms_figure *new_figure(const char *text) {
  ms_figure *figure = NULL;
  CHECK_OK(ms_figure_create(test_context(), text, text, &figure));
  CHECK_OK(ms_figure_add_panel(figure, &(ms_panel) { text, text, text, text, text, 0, 0 }));
  ms_series series = { text, some_x, some_y, 4, MS_SERIES_LINE_POINTS, 2 };
  CHECK_OK(ms_figure_add_series(figure, &series));
  CHECK_OK(ms_figure_add_note(figure, 1.37, 20.9, text));
  return figure;
}

static char *read_all(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = calloc((size_t)size + 1, 1);
  if (text && fread(text, 1, (size_t)size, file) != (size_t)size) text[0] = '\0';
  fclose(file);
  return text;
}

/* What the page is as HTML, to be freed. */
static char *html_of(const ms_page *page) {
  CHECK_OK(ms_page_write(page, page_path()));
  char *text = read_all(page_path());
  CHECK(text != NULL);
  remove(page_path());
  return text ? text : calloc(1, 1);
}

/* The part between the head, which has style and script rules, and the script at the end. */
static char *body_of(const ms_page *page) {
  char *all = html_of(page);
  char *body = strstr(all, "<body>"), *end = strstr(all, "<script>\n/*");
  CHECK(body && end);
  if (end) *end = '\0';
  if (body) memmove(all, body, strlen(body) + 1);
  return all;
}

static int count(const char *text, const char *part) {
  int n = 0;
  for (; (text = strstr(text, part)); text += strlen(part)) n++;
  return n;
}

/* ---- building ---- */

static void test_arguments(void) {
  ms_context *ctx = test_context();
  ms_page *page = NULL;
  CHECK_STATUS(ms_page_create(NULL, "t", NULL, &page), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_page_create(ctx, "t", NULL, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_page_create(ctx, NULL, NULL, &page), MS_ERR_ARGUMENT);
  CHECK(page == NULL);
  page = new_page();
  CHECK_STATUS(ms_page_add_section(page, NULL), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "page 'A title': the heading of a section is NULL");
  CHECK_STATUS(ms_page_add_text(page, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_page_add_code(page, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_page_add_warning(page, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_page_add_text(NULL, "t"), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_page_add_facts(page, -1, NULL, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_page_add_facts(page, 1, NULL, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(
      ms_page_add_facts(page, 2, (const char *[]) { "a", "b" }, (const char *[]) { "c", NULL }),
      MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "the value of fact 2 is NULL");
  CHECK_STATUS(ms_page_write(page, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_page_write(page, "/dev/null/folder/page.html"), MS_ERR_FILE);
  CHECK_STATUS(ms_page_write(NULL, page_path()), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_page_write_figures(NULL, "x", NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_page_write_figures(page, NULL, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_page_write_figures(page, "/dev/null/folder", NULL), MS_ERR_FILE);
  ms_page_destroy(&page);
  CHECK(page == NULL);
  ms_page_destroy(&page);
}

static void refuse_table(const ms_page_table *table, ms_status want, const char *part) {
  ms_page *page = new_page();
  CHECK_STATUS(ms_page_add_table(page, "Fits", table), want);
  CHECK_HAS(ms_context_message(test_context()), "page 'A title', table 'Fits': ");
  CHECK_HAS(ms_context_message(test_context()), part);
  char *body = body_of(page);
  CHECK(!strstr(body, "<table"));
  free(body);
  ms_page_destroy(&page);
}

static void test_tables_refused(void) {
  const double bad[] = { 1.7, NAN, 3.1 }, worse[] = { -INFINITY, 1.3, 2.9 };
  ms_page_column column = { .heading = "K_T", .unit = "N/m", .numbers = bad };
  const ms_page_table table = { .n_row = 3, .n_column = 1, .column = &column };
  refuse_table(&table, MS_ERR_NUMERIC, "column 'K_T', row 2 is");
  column.numbers = worse;
  refuse_table(&table, MS_ERR_NUMERIC, "column 'K_T', row 1 is -inf; a number must be finite");
  column.numbers = some_x;
  column.digits = 16;
  refuse_table(&table, MS_ERR_BOUNDS, "column 'K_T': 16 digits; give 1 to 15");
  column.digits = -1;
  refuse_table(&table, MS_ERR_BOUNDS, "-1 digits");
  column = (ms_page_column) { .heading = "K_T" };
  refuse_table(&table, MS_ERR_ARGUMENT, "neither numbers nor texts");
  column = (ms_page_column) { .numbers = some_x };
  refuse_table(&table, MS_ERR_ARGUMENT, "column 1 has no heading");
  refuse_table(NULL, MS_ERR_ARGUMENT, "the table is NULL");
  refuse_table(&(ms_page_table) { .n_row = 3, .n_column = 0, .column = &column }, MS_ERR_ARGUMENT,
               "at least one column");
  refuse_table(&(ms_page_table) { .n_row = -1, .n_column = 1, .column = &column }, MS_ERR_ARGUMENT,
               "-1 rows");
}

static void test_figures_refused(void) {
  ms_page *page = new_page();
  ms_figure *figure = NULL;
  CHECK_STATUS(ms_page_add_figure(page, NULL, NULL), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(test_context()), "figure 'without caption': the figure is NULL");
  CHECK_OK(ms_figure_create(test_context(), "Empty", NULL, &figure));
  CHECK_STATUS(ms_page_add_figure(page, "None", figure), MS_ERR_STATE);
  CHECK_HAS(ms_context_message(test_context()), "'Empty' has no panel");
  CHECK_EQUAL(page->n_block, 0);
  ms_figure_destroy(&figure);
  ms_page_destroy(&page);
}

/* ---- what is written ---- */

static void test_blocks_in_order(void) {
  ms_page *page = new_page();
  ms_figure *figure = new_figure("Figure title");
  CHECK_OK(ms_page_add_text(page, "\n first\nline \n \t\n second \n\n\n"));
  CHECK_OK(ms_page_add_section(page, "Law F_S"));
  CHECK_OK(ms_page_add_facts(page, 1, (const char *[]) { "K_T" }, (const char *[]) { "file_1" }));
  CHECK_OK(ms_page_add_code(page, "\n  x_1 = 2\n"));
  CHECK_OK(ms_page_add_warning(page, "Mind K_T & co"));
  CHECK_OK(ms_page_add_section(page, "Rest"));
  const ms_page_column column = { .heading = "u_0", .unit = "m", .numbers = some_x };
  CHECK_OK(ms_page_add_table(
      page, "Points",
      &(ms_page_table) { .n_row = 4, .n_column = 1, .column = &column, .name = "run_points" }));
  CHECK_OK(ms_page_add_figure(page, "Curves", figure));
  ms_figure_destroy(&figure);
  char *body = body_of(page);
  static const char *const order[] = {
    "<h1>A title</h1>",
    "<main>\n<section id=\"answer\">",
    "<li class=\"ms-warning\" data-severity=\"0\"><b>warning</b> <a href=\"#warning-1\">Law "
    "F<sub>S</sub></a>: Mind K<sub>T</sub> &amp; co</li>",
    "<li><a href=\"#section-1\">Law F<sub>S</sub></a></li>\n<li><a href=\"#section-2\">Rest</a>",
    "</nav>\n<p>first\nline </p>\n<p>second </p>\n<section id=\"section-1\">",
    "Law F<sub>S</sub></a></h2>\n<dl>\n<dt>K<sub>T</sub></dt><dd>file_1</dd>\n</dl>",
    "<pre tabindex=\"0\"><code>\n  x_1 = 2\n</code></pre>\n<p class=\"ms-warning\" role=\"note\" "
    "id=\"warning-1\" data-severity=\"0\">Mind "
    "K<sub>T</sub> "
    "&amp; co</p>\n</section>\n<section id=\"section-2\">",
    "id=\"table-1\" data-table=\"run_points\">",
    "<b>Table 1</b><span class=\"caption\"> Points</span>",
    "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table 1\">",
    "<th scope=\"col\" class=\"n\" data-name=\"u_0 [m]\" data-unit=\"m\">u<sub>0</sub> <",
    "<td class=\"n\" data-v=\"2.385\">2.385</td></tr>\n",
    "<h3>Figure title</h3>",
    "<svg xmlns=",
    "<b>Figure 1</b><span class=\"caption\"> Curves</span></figcaption>",
    "<script type=\"application/json\">",
    "\"y\": [12.7,31.3,18.9,77.1]",
    "</section>\n</main>",
  };
  const char *at = body;
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    const char *next = strstr(at, order[i]);
    CHECK_HAS(at, order[i]);
    if (next) at = next;
  }
  CHECK_EQUAL(count(body, "<h1>"), 1);
  CHECK_EQUAL(count(body, "<svg xmlns="), 1);
  free(body);
  ms_page_destroy(&page);
}

/* An empty page is one, too: no contents, no sections. */
static void test_empty_page(void) {
  ms_page *page = new_page();
  char *body = body_of(page);
  CHECK_HAS(body, "<main>\n</main>");
  CHECK(!strstr(body, "<nav"));
  free(body);
  CHECK_OK(ms_page_add_facts(page, 0, NULL, NULL));
  const ms_page_column column = { .heading = "u", .texts = (const char *[]) { NULL } };
  CHECK_OK(ms_page_add_table(page, NULL,
                             &(ms_page_table) { .n_row = 0, .n_column = 1, .column = &column }));
  body = body_of(page);
  CHECK_HAS(body, "<b>Table 1</b></figcaption>");
  CHECK_HAS(body, "<tbody>\n</tbody>");
  free(body);
  ms_page_destroy(&page);
}

static void add_everything(ms_page *page, const char *text) {
  const char *texts[] = { text, NULL, text };
  const double numbers[] = { 2.385, NAN, 17.3 };
  const char *instead[] = { NULL, text, NULL };
  const ms_page_column column[] = {
    { .heading = text, .unit = text, .texts = texts },
    { .heading = text, .numbers = numbers, .texts = instead, .digits = 4 },
  };
  ms_figure *figure = new_figure(text);
  CHECK_OK(ms_page_add_section(page, text));
  CHECK_OK(ms_page_add_text(page, text));
  CHECK_OK(ms_page_add_code(page, text));
  CHECK_OK(ms_page_add_facts(page, 1, (const char *[]) { text }, (const char *[]) { text }));
  CHECK_OK(ms_page_add_table(
      page, text, &(ms_page_table) { .n_row = 3, .n_column = 2, .column = column, .name = text }));
  CHECK_OK(ms_page_add_figure(page, text, figure));
  ms_figure_destroy(&figure);
}

static void test_nothing_escapes(void) {
  ms_page *page = NULL;
  CHECK_OK(ms_page_create(test_context(), NASTY, NASTY, &page));
  add_everything(page, NASTY);
  char *all = html_of(page);
  CHECK(!strstr(all, "a<b>"));
  CHECK(!strstr(all, "<!--"));
  CHECK_EQUAL(count(all, "<script"), 2); /* the data of the figure, and the script */
  CHECK_EQUAL(count(all, "</script"), 2);
  CHECK_EQUAL(count(all, "\xFF"), 0);
  CHECK_EQUAL(count(all, "\x01"), 0);
  CHECK_HAS(all, "<title>a&lt;b&gt;&amp;&quot;&#39;&lt;/script&gt;");
  CHECK_HAS(all, "<p>a&lt;b&gt;&amp;");
  CHECK_HAS(all, "<code>a&lt;b&gt;&amp;");
  CHECK_HAS(all, "<dt>a&lt;b&gt;&amp;");
  CHECK_HAS(all, "</dt><dd>a&lt;b&gt;&amp;");
  CHECK_HAS(all, "data-name=\"a&lt;b&gt;&amp;&quot;&#39;");
  CHECK_HAS(all, "<td>a&lt;b&gt;&amp;");
  CHECK_HAS(all, "<td class=\"n\">a&lt;b&gt;&amp;");
  CHECK_HAS(all, "\"label\": \"a\\u003cb>&\\\"'\\u003c/script>\\u003c!--\\u003cscript>");
  CHECK_HAS(all, "\"text\": \"a\\u003cb>");
  free(all);
  ms_page_destroy(&page);
}

static void test_everything_is_copied(void) {
  ms_page *page = new_page();
  char text[] = "some text";
  add_everything(page, text);
  char *before = html_of(page);
  memset(text, 'X', 9);
  char *after = html_of(page);
  CHECK(strcmp(before, after) == 0);
  CHECK_HAS(before, "<p>some text</p>");
  free(before), free(after);
  ms_page_destroy(&page);
}

static void test_same_bytes(void) {
  char *html[2];
  for (int i = 0; i < 2; i++) {
    ms_page *page = new_page();
    add_everything(page, "some text");
    html[i] = html_of(page);
    ms_page_destroy(&page);
  }
  CHECK(strlen(html[0]) > 20000 && strcmp(html[0], html[1]) == 0);
  free(html[0]), free(html[1]);
}

/* The page must not fetch anything: no address but the names of SVG's namespace. */
static void test_needs_nothing(void) {
  ms_page *page = new_page();
  add_everything(page, "some text");
  char *all = html_of(page);
  CHECK_HAS(all, "default-src 'none'");
  CHECK_EQUAL(count(all, "http"),
              count(all, "http://www.w3.org/2000/svg") + count(all, "http-equiv"));
  CHECK_EQUAL(count(all, "src="), 0);
  CHECK_EQUAL(count(all, "@import") + count(all, "url("), 0);
  free(all);
  ms_page_destroy(&page);
}

/* Cells of a shaded table have a colour by their number and two decimals; texts have none. */
static void test_shaded(void) {
  const double part[4] = { 0.0, 0.2385, 1.0, 1.7 };
  const char *const name[4] = { "a", "b", "c", "d" };
  const ms_page_column column[] = { { .heading = "mode", .texts = name },
                                    { .heading = "MAC", .numbers = part, .digits = 2 } };
  ms_page *page = new_page();
  CHECK_OK(ms_page_add_shaded_table(
      page, "likeness", &(ms_page_table) { .n_row = 4, .n_column = 2, .column = column }));
  char *html = html_of(page);
  CHECK_HAS(html,
            "<td>b</td><td class=\"n\" data-v=\"0.2385\" style=\"background: "
            "color-mix(in srgb, var(--c0) 13%, transparent)\">0.24</td>");
  CHECK_HAS(html, "var(--c0) 0%, transparent)\">0.00</td>");
  CHECK_HAS(html, "var(--c0) 55%, transparent)\">1.70</td>");
  free(html);
  ms_page_destroy(&page);
  CHECK_STATUS(ms_page_add_shaded_table(NULL, NULL, NULL), MS_ERR_ARGUMENT);
}

/* ---- memory ---- */

static ms_status build(ms_context *ctx, ms_page *page) {
  const ms_page_column column[] = {
    { .heading = "u",
      .unit = "m",
      .numbers = some_x,
      .texts = (const char *[]) { NULL, "n/a", NULL, NULL } },
    { .heading = "remark", .texts = (const char *[]) { "a", "b", NULL, "d" } },
  };
  const ms_answer answer = { .label = "Slip force", .symbol = "F_S", .unit = "N", .value = 60.7 };
  MS_TRY(ms_page_add_answer(page, &answer));
  MS_TRY(ms_page_add_number(page, &answer, 0));
  MS_TRY(ms_page_add_number(page, &answer, 10));
  MS_TRY(ms_page_raise_warning(page, 2, "suspect", "a doubt"));
  MS_TRY(ms_page_add_section(page, "Section"));
  MS_TRY(ms_page_add_text(page, "one\n\ntwo"));
  MS_TRY(ms_page_add_code(page, "code"));
  MS_TRY(ms_page_add_warning(page, "look"));
  MS_TRY(ms_page_add_facts(page, 2, (const char *[]) { "a", "b" }, (const char *[]) { "c", "d" }));
  MS_TRY(ms_page_add_table(page, "caption",
                           &(ms_page_table) { .n_row = 4, .n_column = 2, .column = column }));
  ms_figure *figure;
  MS_TRY(ms_figure_create(ctx, "Title", "subtitle", &figure));
  ms_status status = ms_figure_add_panel(figure, &some_panel);
  ms_series series = { "a", some_x, some_y, 4, MS_SERIES_LINE, 0 };
  if (status == MS_SUCCESS) status = ms_figure_add_series(figure, &series);
  if (status == MS_SUCCESS) status = ms_figure_add_note(figure, 1.3, 22.7, "note");
  if (status == MS_SUCCESS) {
    status = ms_figure_name_rows(figure, 2, (const char *[]) { "one", "two" });
  }
  if (status == MS_SUCCESS) status = ms_page_add_figure(page, "caption", figure);
  ms_figure_destroy(&figure);
  return status == MS_SUCCESS ? ms_page_write(page, page_path()) : status;
}

static ms_status build_all(ms_context *ctx, void *user) {
  (void)user;
  ms_page *page;
  MS_TRY(ms_page_create(ctx, "Title", "subtitle", &page));
  ms_status status = build(ctx, page);
  if (status != MS_SUCCESS) CHECK(access(page_path(), F_OK) != 0); /* no half page is left */
  ms_page_destroy(&page);
  return status;
}

static void test_memory_fails(void) {
  CHECK(test_allocations(build_all, NULL) > 60);
  remove(page_path());
}

static void test_full_disk(void) {
  ms_page *page = new_page();
  CHECK_STATUS(ms_page_write(page, "/dev/full"), MS_ERR_DISK);
  CHECK_HAS(ms_context_message(test_context()), "No space left");
  ms_page_destroy(&page);
}

/* ---- numbers ---- */

/* The cells of a column of numbers, "a|b|c". */
static const char *cells(const double *values, ptrdiff_t n, int digits) {
  static char text[512];
  ms_page *page = new_page();
  const ms_page_column column = { .heading = "v", .numbers = values, .digits = digits };
  CHECK_OK(ms_page_add_table(page, NULL,
                             &(ms_page_table) { .n_row = n, .n_column = 1, .column = &column }));
  char *body = body_of(page);
  text[0] = '\0';
  for (char *at = body; (at = strstr(at, "<td class=\"n\"")); at++) {
    char *begin = strchr(at, '>') + 1, *end = strstr(begin, "</td>");
    if (text[0]) strcat(text, "|");
    strncat(text, begin, (size_t)(end - begin));
  }
  free(body);
  ms_page_destroy(&page);
  return text;
}

#define CELLS(digits, ...)                \
  cells((const double[]) { __VA_ARGS__ }, \
        sizeof((const double[]) { __VA_ARGS__ }) / sizeof(double), digits)

static void test_numbers(void) {
  CHECK_TEXT(CELLS(0, 1, 2, 13), "1|2|13");
  CHECK_TEXT(CELLS(0, 1234567, -0.0, -3), "1234567|0|−3");
  CHECK_TEXT(CELLS(0, 12345678, 3), "12.346×10<sup>6</sup>|3");
  CHECK_TEXT(CELLS(0, 4.7193e7, 2.5e6), "47.193|2.500");
  CHECK_TEXT(CELLS(0, 3.1623e-6, 1e-5, 0.0271, 0),
             "3.1623×10<sup>−6</sup>|10×10<sup>−6</sup>|0.0271|0");
  CHECK_TEXT(CELLS(0, 1.0353502, 1.25e-4), "1.0354|125×10<sup>−6</sup>");
  CHECK_TEXT(CELLS(0, 3.1623e-6, 2.71e-9), "3.1623|0.0027100");
  CHECK_TEXT(CELLS(0, 4.17329166, 11.693217, -16.898168), "4.1733|11.6932|−16.8982");
  CHECK_TEXT(CELLS(6, 4.17329166, 11.693217), "4.17329|11.69322");
  CHECK_TEXT(CELLS(0, 0, 0.125, 7.5), "0|0.125|7.500");
  CHECK_TEXT(CELLS(0, 0.1, 0.2, 0.3), "0.1|0.2|0.3");
  CHECK_TEXT(CELLS(3, 0.0713, 41.37, 9123.4), "0.0713|41.4|9123");
  CHECK_TEXT(CELLS(3, 0.00131, 3.24e-9, 0), "0.00131|3.24×10<sup>−9</sup>|0");
  CHECK_TEXT(CELLS(4, 9.99996e299, -1e-300), "1.000|0");
  CHECK_TEXT(CELLS(0, 0.0, -0.0), "0|0");
  /* Below 1e-9 of the largest, a number is 0 where six decades above it are empty. */
  CHECK_TEXT(CELLS(0, 7.5, 5.7e-25, 1e-17), "7.5|0|0");
  CHECK_TEXT(CELLS(0, 2.142e9, 8.57e7, 6879, 79.15, 0.79),
             "2.142×10<sup>9</sup>|85.7×10<sup>6</sup>|6879|79.15|0.79");
  CHECK_TEXT(CELLS(0, 1.5, 2e-3, 3e-10), "1.5000|0.0020000|0");
  CHECK_TEXT(CELLS(0, 1.5, 2e-4, 3e-10), "1.5|200×10<sup>−6</sup>|300×10<sup>−12</sup>");
  CHECK_TEXT(CELLS(15, 2.0 / 3.0), "0.666666666666667");
}

static void test_all_digits_are_kept(void) {
  ms_page *page = new_page();
  const double third = 1.0 / 3.0;
  const ms_page_column column = { .heading = "v", .numbers = &third, .digits = 2 };
  CHECK_OK(ms_page_add_table(page, NULL,
                             &(ms_page_table) { .n_row = 1, .n_column = 1, .column = &column }));
  char *body = body_of(page);
  CHECK_HAS(body, "data-v=\"0.3333333333333333\">0.33</td>");
  free(body);
  ms_page_destroy(&page);
}

/* A dash where 0 says that there is none, in the attribute 0 as in the file; nothing where all of
   them are 0. */
static void test_zero_is_none(void) {
  ms_page *page = new_page();
  const double value[] = { 0.0, 7.0 }, never[] = { 0.0, 0.0 };
  const ms_page_column column[] = {
    { .heading = "a", .numbers = value, .meaning = "harmonics, of some; 0: none" },
    { .heading = "deviation", .numbers = value, .meaning = "harmonics" },
    { .heading = "c", .numbers = never, .meaning = "failures; 0: none" }
  };
  CHECK_OK(ms_page_add_table(page, NULL,
                             &(ms_page_table) { .n_row = 2, .n_column = 3, .column = column }));
  char *body = body_of(page);
  CHECK_HAS(body, "data-v=\"0\">–</td><td class=\"n\" data-v=\"0\">0</td>");
  CHECK_HAS(body, "data-name=\"deviation\" title=\"harmonics\">std. dev.</th>");
  CHECK(strstr(body, "In every row") == NULL); /* c is 0 in all of them */
  CHECK_HAS(body, "data-v=\"7\">7</td><td class=\"n\" data-v=\"7\">7</td>");
  free(body);
  ms_page_destroy(&page);
}

/* ---- how tables are set ---- */

/* The body of a page with this table. */
static char *one_table(ptrdiff_t rows, ptrdiff_t n, const ms_page_column *column,
                       const ms_display *display) {
  ms_page *page = new_page();
  const ms_page_table table = { .n_row = rows, .n_column = n, .column = column };
  ms_page_set_display(page, display);
  CHECK_OK(ms_page_add_table(page, NULL, &table));
  char *body = body_of(page);
  ms_page_destroy(&page);
  return body;
}

/* Values with their errors, flags as words, remarks below, constants above, small numbers as 0, a
   factor in the heading; names of users as they are. */
static void test_set_tables(void) {
  const double mode[] = { 1, 2, 3 }, same[] = { 9, 9, 9 }, flag[] = { 0, 1, 1 };
  const double q[] = { 60.0132, 4.2e-3, 7.31 }, e[] = { 0.0298, 0.0117, 0.0 };
  const double small[] = { 5.7e-25, -2.385, 1.7 }, large[] = { 4.7193e7, 2.51e6, 8.3e6 };
  const char *const remark[] = { "one", NULL, "one" };
  const ms_page_column column[] = {
    { .heading = "mode", .numbers = mode },
    { .heading = "zeta_joint", .unit = "N", .numbers = q, .meaning = "what \"it\" is" },
    { .heading = "zeta_joint_error", .unit = "N", .numbers = e },
    { .heading = "mu", .numbers = small, .named = 1 },
    { .heading = "K_T", .unit = "N/m^2", .numbers = large },
    { .heading = "harmonics", .numbers = same },
    { .heading = "at_bound", .numbers = flag, .flag = 1 },
    { .heading = "remark", .texts = remark },
  };
  char *body = one_table(3, 8, column, NULL);
  CHECK_HAS(body, "data-e=\"0.0298\">60.013 ± 0.030</td>");
  CHECK_HAS(body, "data-e=\"0.0117\">0.004 ± 0.012</td>");
  CHECK_HAS(body, "data-e=\"0\">7.3100</td>");
  CHECK_HAS(body, "<td class=\"n\" hidden data-v=\"0.0298\">");
  CHECK_HAS(body, " title=\"what &quot;it&quot; is\"");
  CHECK_HAS(body, ">ζ<sub>joint</sub> <span");
  CHECK_HAS(body, ">mu</th>");
  CHECK_HAS(body, "data-v=\"5.7e-25\" title=\"5.7e-25\">0</td>");
  CHECK_HAS(body, " data-factor=\"1e6\">K<sub>T</sub> <span class=\"unit\">10<sup>6</sup> N/m²<");
  CHECK_HAS(body, "data-v=\"47193000\">47.193</td>");
  CHECK_HAS(body,
            "<p class=\"ms-same\">In every row: harmonics <span class=\"ms-value\" data-v=\"9\" "
            "title=\"9\">9<");
  CHECK_HAS(body, "<td data-v=\"1\">yes</td>");
  CHECK_HAS(body, ">at bound</th>");
  CHECK_HAS(body, "<td hidden>one</td>");
  CHECK_HAS(body, "<ul class=\"ms-remarks\">\n<li><b>mode 1; mode 3</b>: one</li>\n</ul>");
  free(body);
}

/* With units to choose from: a frequency in rad/s and Hz is shown once, in Hz; damping in %. */
static void test_table_units(void) {
  const double omega[] = { 12.7, 31.3 }, f[] = { 12.7 / (2 * MS_PI), 31.3 / (2 * MS_PI) };
  const double zeta[] = { 0.0031, 0.0117 };
  const ms_page_column column[] = {
    { .heading = "omega_0", .unit = "rad/s", .numbers = omega },
    { .heading = "f_0", .unit = "Hz", .numbers = f },
    { .heading = "zeta", .numbers = zeta },
  };
  ms_display *display = NULL;
  CHECK_OK(ms_display_create(test_context(), &display));
  char *body = one_table(2, 3, column, display);
  CHECK_HAS(body,
            "data-quantity=\"frequency\" data-unit=\"rad/s\" data-role=\"omega\" "
            "data-labels=\"f_0|ω_0\"");
  CHECK_HAS(body, ">f<sub>0</sub> <span class=\"unit\">Hz<");
  CHECK_HAS(body, "data-v=\"12.7\">2.0213</td>");
  CHECK_HAS(body, "<th scope=\"col\" class=\"n\" hidden data-name=\"f_0 [Hz]\"");
  CHECK_HAS(body, ">ζ <span class=\"unit\">%<");
  CHECK_HAS(body, "data-v=\"0.0031\">0.31</td>");
  free(body);
  CHECK_OK(ms_display_choose(display, "rad,q"));
  body = one_table(2, 3, column, display);
  CHECK_HAS(body, ">ω<sub>0</sub> <span class=\"unit\">rad/s<");
  CHECK_HAS(body, ">Q</th>");
  CHECK_HAS(body, "data-v=\"0.0031\">161.290</td>");
  free(body);
  ms_display_destroy(&display);
}

/* Units that stand in a column follow the choice, and their numbers with them. */
static void test_units_beside(void) {
  const double value[] = { 2500.0, 0.0125, 3.0 }, error[] = { 12.0, 0.0, 0.2 };
  const double count[] = { 3, 4, 5 }, slope[] = { 4.0, 4.0, 5.0 };
  const char *const unit[] = { "N/m", "-", "N" }, *const name[] = { "a.K_T", "b.zeta_0", "c" };
  const ms_page_column column[] = {
    { .heading = "parameter", .texts = name },
    { .heading = "value", .numbers = value, .in_unit = 1 },
    { .heading = "standard_error", .numbers = error, .in_unit = 1 },
    { .heading = "unit", .texts = unit },
    { .heading = "count", .numbers = count },
    { .heading = "slope", .unit = "1/unit", .numbers = slope, .in_unit = -1 },
  };
  const ms_display_units mm = { 1e-3, 1e3, 1.0, 1e3 };
  ms_display *display = NULL;
  CHECK_OK(ms_display_create(test_context(), &display));
  ms_display_set_units(display, &mm);
  char *body = one_table(3, 6, column, display);
  CHECK_HAS(body, ">2500 ± 12</td>");
  CHECK_HAS(body, "<td data-v=\"N/m\">N/m</td>");
  CHECK_HAS(body, "data-v=\"0.0125\" data-e=\"0\">1.25</td>");
  CHECK_HAS(body, "<td data-v=\"-\" data-quantity=\"damping difference\">%</td>");
  free(body);
  CHECK_OK(ms_display_choose(display, "study,ratio"));
  body = one_table(3, 6, column, display);
  CHECK_HAS(body, "data-v=\"2500\" data-e=\"12\">0.002500 ± 0.000012</td>");
  CHECK_HAS(body, "<td data-v=\"N/m\">kN/mm</td>");
  CHECK_HAS(body, "data-v=\"0.0125\" data-e=\"0\">0.0125</td>");
  CHECK_HAS(body, "data-v=\"3\" data-e=\"0.2\">0.00300 ± 0.00020</td>");
  CHECK_HAS(body, "<td class=\"n\" data-v=\"4\">4×10<sup>6</sup></td>");
  CHECK_HAS(body, "<td class=\"n\" data-v=\"4\">4</td>"); /* count */
  free(body);
  ms_display_destroy(&display);
}

static void check_symbol(const char *name, const char *want) {
  char text[64];
  ms_text_symbol(name, text, sizeof text);
  CHECK_TEXT(text, want);
}

static void test_symbols(void) {
  char text[64], few[6];
  check_symbol("omega", "ω");
  check_symbol("zeta_joint", "ζ_joint");
  check_symbol("omega_inf", "ω_∞");
  check_symbol("zeta_joint_error", "ζ_joint error");
  check_symbol("F_S", "F_S");
  check_symbol("at_bound", "at bound");
  check_symbol("balance / input", "balance / input");
  check_symbol("mac", "MAC");
  check_symbol("machine", "machine");
  ms_text_unit("m/s^2 sqrt(kg)", text, sizeof text);
  CHECK_TEXT(text, "m/s²√kg");
  ms_text_unit("mm/(s sqrt(tonne))", text, sizeof text);
  CHECK_TEXT(text, "mm/(s√tonne)");
  ms_text_symbol("residual", few, sizeof few);
  CHECK_TEXT(few, "resid");
}

/* Running text: symbols, but no keys, files or families of distributions. */
static void test_running_text(void) {
  ms_page *page = new_page();
  CHECK_OK(
      ms_page_add_text(page, "omega_0 and omega^2 grow as zeta_joint; K_inf, beta, m/s^2 x^-3."));
  CHECK_OK(
      ms_page_add_text(page, "lap.chi in tables/phi.csv; gamma or gamma_1, Delta, betatron, mu_"));
  char *body = body_of(page);
  CHECK_HAS(body,
            "<p>ω<sub>0</sub> and ω<sup>2</sup> grow as ζ<sub>joint</sub>; K<sub>∞</sub>, β, "
            "m/s<sup>2</sup> x<sup>−3</sup>.</p>");
  CHECK_HAS(body, "<p>lap.chi in tables/phi.csv; gamma or γ<sub>1</sub>, Delta, betatron, mu_</p>");
  free(body);
  ms_page_destroy(&page);
}

/* Short names are explained in the sections that use them, and only there. */
static void test_terms(void) {
  static const char *const method[] = { "epmc", "sweep" };
  const ms_page_column column[] = { { .heading = "method", .texts = method } };
  const ms_page_table table = { .n_row = 2, .n_column = 1, .column = column };
  ms_page *page = new_page();
  CHECK_OK(ms_page_explain(page, "qsma", "quasi-static"));
  CHECK_OK(ms_page_explain(page, "epmc", "extended <concept>"));
  CHECK_OK(ms_page_add_section(page, "Text"));
  CHECK_OK(ms_page_add_text(page, "By qsma, and my_epmc."));
  CHECK_OK(ms_page_add_section(page, "Table"));
  CHECK_OK(ms_page_add_table(page, NULL, &table));
  CHECK_OK(ms_page_add_section(page, "Code"));
  CHECK_OK(ms_page_add_code(page, "methods: [qsma]"));
  CHECK_STATUS(ms_page_explain(page, "x", NULL), MS_ERR_ARGUMENT);
  char *body = body_of(page);
  CHECK_HAS(body, "Text</a></h2>\n<p class=\"ms-terms\"><b>qsma</b>: quasi-static</p>");
  CHECK_HAS(body,
            "Table</a></h2>\n<p class=\"ms-terms\"><b>epmc</b>: extended &lt;concept&gt;</p>");
  CHECK_EQUAL(count(body, "ms-terms"), 2);
  free(body);
  ms_page_destroy(&page);
}

/* Two analyses with the same answer: the head says whose it is. */
static void test_same_labels(void) {
  ms_page *page = new_page();
  for (int i = 0; i < 2; i++) {
    CHECK_OK(ms_page_add_named_section(page, "Decay", i ? "second" : "first"));
    CHECK_OK(ms_page_add_answer(page, &(ms_answer) { .label = "Damping", .value = 0.3 + i }));
    CHECK_OK(ms_page_add_answer(page, &(ms_answer) { .label = i ? "B" : "A", .value = 0.7 }));
  }
  char *body = body_of(page);
  CHECK_HAS(body, ">Damping</a> <small>first</small></dt>");
  CHECK_HAS(body, ">Damping</a> <small>second</small></dt>");
  CHECK_HAS(body, ">A</a></dt>");
  free(body);
  ms_page_destroy(&page);
}

/* ---- the head ---- */

static void test_head(void) {
  ms_page *page = new_page();
  ms_figure *figure = new_figure("First"), *other = new_figure("Second");
  char label[32];
  CHECK_OK(ms_page_add_named_section(page, "Calibration", "fit_1"));
  for (int i = 0; i < 8; i++) {
    snprintf(label, sizeof label, "answer %d.", i);
    CHECK_OK(ms_page_add_answer(
        page, &(ms_answer) { .label = label, .symbol = "chi", .value = i + 0.5, .weight = i / 3 }));
  }
  CHECK_OK(ms_page_add_figure(page, NULL, figure));
  CHECK_OK(ms_page_feature(page, 30));
  CHECK_OK(ms_page_add_figure(page, NULL, other));
  CHECK_OK(ms_page_feature(page, 30));
  CHECK_OK(ms_page_add_warning(page, "mild"));
  CHECK_OK(ms_page_raise_warning(page, 3, "partial", "worse"));
  CHECK_OK(ms_page_add_warning(page, "worse"));
  char *body = body_of(page);
  static const char *const order[] = {
    "<section id=\"answer\" class=\"ms-beside\">",
    ">answer 6.</a> <i>χ</i>",
    ">answer 7.<",
    ">answer 3.<",
    ">answer 5.<",
    "<a href=\"#section-1\">answer 0.<",
    "</dl>",
    "<b>partial</b> <a href=\"#warning-2\">Calibration</a>: worse</li>",
    "<summary>1 more</summary>",
    "<b>warning</b> <a href=\"#warning-1\">Calibration</a>: mild</li>",
    "<div id=\"featured\">\n<figure class=\"ms-figure\" id=\"figure-1\"",
    ">Second</h3>",
    "<li><a href=\"#section-1\">Calibration <small>fit_1</small></a></li>",
    ">Calibration</a> <small>fit_1</small></h2>",
    "id=\"figure-2\"",
    "<a href=\"#featured\">Figure 1</a>, at the head of the report: Second.",
  };
  const char *at = body;
  for (size_t i = 0; at && i < sizeof order / sizeof *order; i++) {
    const char *next = strstr(at, order[i]);
    if (!CHECK(next != NULL)) printf("# no %s\n", order[i]);
    if (next) at = next;
  }
  CHECK_EQUAL(count(body, "class=\"ms-key\""), MS_PAGE_ANSWERS + 8); /* and those of the section */
  CHECK_EQUAL(count(body, "<dl class=\"ms-keys ms-own\">"), 1);
  CHECK(strstr(body, "ms-own") > strstr(body, "<h2><a href=\"#section-1\">"));
  CHECK_EQUAL(count(body, "<figure"), 2);
  CHECK_STATUS(ms_page_add_answer(page, &(ms_answer) { .label = "x", .low = INFINITY }),
               MS_ERR_NUMERIC);
  CHECK_STATUS(ms_page_add_number(page, &(ms_answer) { .value = 1.7 }, 0), MS_ERR_ARGUMENT);
  free(body);
  ms_figure_destroy(&figure);
  ms_figure_destroy(&other);
  ms_page_destroy(&page);
}

/* ---- figures as data ---- */

/* The body of a page with one series. */
static char *one_series(const double *x, const double *y, ptrdiff_t n) {
  ms_page *page = new_page();
  ms_figure *figure = NULL;
  CHECK_OK(ms_figure_create(test_context(), "Title", NULL, &figure));
  CHECK_OK(ms_figure_add_panel(figure, &some_panel));
  CHECK_OK(ms_figure_add_series(figure, &(ms_series) { "curve", x, y, n, MS_SERIES_DASHED, -1 }));
  CHECK_OK(ms_page_add_figure(page, NULL, figure));
  ms_figure_destroy(&figure);
  char *body = body_of(page);
  ms_page_destroy(&page);
  return body;
}

static void test_data(void) {
  const double x[] = { 0.1, 1.0 / 3.0, 2.0 }, y[] = { -1.23456789012e-5, 0.0, 4e9 };
  char *body = one_series(x, y, 3);
  CHECK_HAS(body,
            "\"label\": \"curve\",\n          \"line\": true,\n          \"dash\": 1,\n"
            "          \"points\": false,\n          \"marker\": 8,\n          \"colour\": -1,");
  CHECK_HAS(body, "\"x\": [0.1,0.333333333,2]");
  CHECK_HAS(body, "\"y\": [-1.23456789e-05,0,4e+09]");
  free(body);
}

/* Equal steps are written as such, and nothing else is. */
static void test_equal_steps(void) {
  double x[1001], y[1001];
  for (int i = 0; i < 1001; i++) x[i] = 2.385 + 0.37 * i, y[i] = cos(0.01 * i);
  char *body = one_series(x, y, 1001);
  const char *at = strstr(body, "\"start\": 2.385"), *step = strstr(body, "\"step\": ");
  CHECK(at && step);
  if (step) CHECK_CLOSE(strtod(step + 8, NULL), 0.37, 1e-13);
  free(body);
  x[500] += 1e-5 * 0.37;
  body = one_series(x, y, 1001);
  CHECK(!strstr(body, "\"start\""));
  free(body);
  body = one_series(some_x, some_y, 0);
  CHECK_HAS(body, "\"x\": [],\n          \"y\": []");
  free(body);
}

/* ---- thinning ---- */

enum { N_LONG = 260001 };

static ms_page *long_page(void) {
  double *x = malloc(2 * N_LONG * sizeof *x), *y = x + N_LONG;
  for (int i = 0; i < N_LONG; i++) x[i] = 1e-4 * i, y[i] = sin(900.0 * x[i]) * exp(-0.07 * x[i]);
  y[117171] = 3.77; /* samples like no other */
  y[211113] = -2.91;
  ms_page *page = new_page();
  ms_figure *figure = NULL;
  CHECK_OK(ms_figure_create(test_context(), "Long", NULL, &figure));
  CHECK_OK(ms_figure_add_panel(figure, &some_panel));
  CHECK_OK(ms_figure_add_series(figure, &(ms_series) { "short", x, y, 900, MS_SERIES_LINE, 0 }));
  CHECK_OK(ms_figure_add_series(figure, &(ms_series) { "a<b", x, y, N_LONG, MS_SERIES_LINE, 1 }));
  CHECK_OK(ms_page_add_figure(page, "Caption.", figure));
  ms_figure_destroy(&figure);
  free(x);
  return page;
}

static int holds(const ms_series *series, double x, double y) {
  for (ptrdiff_t i = 0; i < series->n; i++)
    if (series->x[i] == x && series->y[i] == y) return 1;
  return 0;
}

/* A page that asks for fewer points gets fewer, and keeps what is like no other. */
static void test_fewer_points(void) {
  enum { N = 25001 };
  double *x = malloc(2 * N * sizeof *x), *y = x + N;
  for (int i = 0; i < N; i++) x[i] = 4e-5 * i, y[i] = sin(871.0 * x[i]);
  y[7171] = 3.77;
  ms_page *page = new_page();
  ms_figure *figure = NULL;
  CHECK_STATUS(ms_page_set_points(page, MS_PAGE_MIN_POINTS - 1), MS_ERR_BOUNDS);
  CHECK_STATUS(ms_page_set_points(page, MS_PAGE_MAX_POINTS + 1), MS_ERR_BOUNDS);
  CHECK_OK(ms_page_set_points(page, 6000));
  CHECK_OK(ms_figure_create(test_context(), "Long", NULL, &figure));
  CHECK_OK(ms_figure_add_panel(figure, &some_panel));
  CHECK_OK(ms_figure_add_series(figure, &(ms_series) { "a", x, y, N, MS_SERIES_LINE, 0 }));
  CHECK_OK(ms_figure_add_series(figure, &(ms_series) { "b", x, y, 6000, MS_SERIES_LINE, 1 }));
  CHECK_OK(ms_page_add_figure(page, NULL, figure));
  const ms_series *series = page->block[0].figure->panel[0].series;
  CHECK(series[0].n <= 6000 && series[0].n > 2000);
  CHECK(holds(&series[0], 4e-5 * 7171, 3.77));
  CHECK_EQUAL(series[1].n, 6000);
  ms_figure_destroy(&figure);
  ms_page_destroy(&page);
  free(x);
}

static void test_long_series_is_thinned(void) {
  ms_page *page = long_page();
  const ms_series *series = &page->block[0].figure->panel[0].series[1];
  CHECK(series->n <= MS_PAGE_MAX_POINTS && series->n > MS_PAGE_MAX_POINTS / 2);
  CHECK_EQUAL(page->block[0].figure->panel[0].series[0].n, 900);
  CHECK(holds(series, 1e-4 * 117171, 3.77));
  CHECK(holds(series, 1e-4 * 211113, -2.91));
  CHECK(series->x[0] == 0.0 && series->x[series->n - 1] == 1e-4 * (N_LONG - 1));
  int ordered = 1;
  for (ptrdiff_t i = 1; i < series->n; i++) ordered = ordered && series->x[i] >= series->x[i - 1];
  CHECK(ordered);
  char *body = body_of(page), note[160];
  snprintf(note, sizeof note,
           "Caption.</span> <span class=\"thinned\">“a&lt;b” is thinned for this page: %td of its "
           "260001 points.</span>",
           series->n);
  CHECK_HAS(body, note);
  CHECK_EQUAL(count(body, "class=\"thinned\""), 1);
  free(body);
  ms_page_destroy(&page);
}

/* The curve through the points that stay is near to those that went. */
static void test_thinned_curve_is_near(void) {
  ms_page *page = long_page();
  const ms_series *series = &page->block[0].figure->panel[0].series[1];
  double worst = 0.0;
  for (ptrdiff_t i = 0, k = 1; i < N_LONG; i++) {
    double t = 1e-4 * (double)i;
    while (k < series->n - 1 && series->x[k] < t) k++;
    double s = (t - series->x[k - 1]) / (series->x[k] - series->x[k - 1]);
    double y = series->y[k - 1] + s * (series->y[k] - series->y[k - 1]);
    if (i != 117171 && i != 211113) worst = fmax(worst, fabs(y - sin(900.0 * t) * exp(-0.07 * t)));
  }
  CHECK_BELOW(worst, 0.05); /* of a vibration with amplitude 1 and 3700 periods */
  ms_page_destroy(&page);
}

/* Neither a curve that goes to and fro without order nor a cloud can be told by fewer points. */
static void check_scribble(ms_series_style style) {
  enum { n = 200500 };
  double *x = malloc(2 * n * sizeof *x), *y = x + n;
  for (int i = 0; i < n; i++) x[i] = sin(1.7e3 * i), y[i] = cos(2.9e3 * i + 0.3);
  ms_page *page = new_page();
  ms_figure *figure = NULL;
  CHECK_OK(ms_figure_create(test_context(), "Scribble", NULL, &figure));
  CHECK_OK(ms_figure_add_panel(figure, &some_panel));
  CHECK_OK(ms_figure_add_series(figure, &(ms_series) { NULL, x, y, n, style, 1 }));
  CHECK_OK(ms_page_add_figure(page, NULL, figure));
  ptrdiff_t kept = page->block[0].figure->panel[0].series[0].n;
  CHECK_EQUAL(kept, 100250); /* every other */
  char *body = body_of(page);
  CHECK_HAS(body, "“A curve” is thinned");
  free(body);
  ms_figure_destroy(&figure);
  ms_page_destroy(&page);
  free(x);
}

static void test_scribble_is_thinned(void) {
  check_scribble(MS_SERIES_LINE);
  check_scribble(MS_SERIES_POINTS);
}

int main(void) {
  TEST(test_arguments);
  TEST(test_tables_refused);
  TEST(test_figures_refused);
  TEST(test_blocks_in_order);
  TEST(test_empty_page);
  TEST(test_nothing_escapes);
  TEST(test_everything_is_copied);
  TEST(test_same_bytes);
  TEST(test_needs_nothing);
  TEST(test_shaded);
  TEST(test_memory_fails);
  TEST(test_full_disk);
  TEST(test_numbers);
  TEST(test_set_tables);
  TEST(test_table_units);
  TEST(test_units_beside);
  TEST(test_symbols);
  TEST(test_running_text);
  TEST(test_terms);
  TEST(test_same_labels);
  TEST(test_head);
  TEST(test_all_digits_are_kept);
  TEST(test_zero_is_none);
  TEST(test_data);
  TEST(test_equal_steps);
  TEST(test_fewer_points);
  TEST(test_long_series_is_thinned);
  TEST(test_thinned_curve_is_near);
  TEST(test_scribble_is_thinned);
  return test_finish();
}
