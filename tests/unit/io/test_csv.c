/* Reading and writing tables as delimited text. */
#include <microslip/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"

static char folder[] = "/tmp/microslip_csv_XXXXXX";

static const char *in_folder(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static ms_status parse(const char *text, ms_table **out) {
  return ms_table_parse_csv(test_context(), "probe.csv", text, strlen(text), out);
}

/* The text must be refused as malformed, with both parts in a message of one line. */
static void check_refused(const char *text, size_t length, const char *where, const char *what) {
  ms_table *table = (ms_table *)&table; /* to see that it becomes NULL */
  CHECK_STATUS(ms_table_parse_csv(test_context(), "probe.csv", text, length, &table),
               MS_ERR_FORMAT);
  CHECK(table == NULL);
  const char *message = ms_context_message(test_context());
  CHECK(strncmp(message, where, strlen(where)) == 0);
  CHECK_HAS(message, where);
  CHECK_HAS(message, what);
  CHECK(strpbrk(message, "\r\n") == NULL);
}

static void refuse(const char *text, const char *where, const char *what) {
  check_refused(text, strlen(text), where, what);
}

/* ---- what is accepted ---- */

/* Every text here is the same table: t = 0.25, 0.75; u [m] = -2.385e-6, 4.17. */
static void check_same(const char *text) {
  ms_table *table;
  if (!CHECK_OK(parse(text, &table))) {
    printf("#   in: %s\n", text);
    return;
  }
  CHECK_EQUAL(ms_table_get_columns(table), 2);
  CHECK_EQUAL(ms_table_get_rows(table), 2);
  CHECK_TEXT(ms_table_get_name(table, 0), "t");
  CHECK(ms_table_get_unit(table, 0) == NULL);
  CHECK_TEXT(ms_table_get_name(table, 1), "u");
  CHECK_TEXT(ms_table_get_unit(table, 1), "m");
  const double *t = ms_table_get_column(table, "t"), *u = ms_table_get_column(table, "u");
  if (CHECK(t && u)) {
    CHECK_NEAR(t[0], 0.25, 0.0);
    CHECK_NEAR(t[1], 0.75, 0.0);
    CHECK_NEAR(u[0], -2.385e-6, 0.0);
    CHECK_NEAR(u[1], 4.17, 0.0);
  }
  ms_table_destroy(&table);
  CHECK(table == NULL);
}

static void test_separators(void) {
  check_same("t,u [m]\n0.25,-2.385e-6\n0.75,4.17\n");
  check_same("t;u [m]\n0.25;-2.385e-6\n0.75;4.17\n");
  check_same("t\tu [m]\n0.25\t-2.385e-6\n0.75\t4.17\n");
  check_same("t u [m]\n0.25 -2.385e-6\n0.75 4.17\n");
  check_same("  t    u    [m]  \n 0.25\t -2.385e-6 \n0.75    4.17\n");
  check_same("t , u[m]\n 0.25 , -2.385e-6\n0.75 ,4.17 \n");
}

static void test_line_ends_and_comments(void) {
  check_same("t,u [m]\r\n0.25,-2.385e-6\r\n0.75,4.17\r\n");
  check_same("t,u [m]\n0.25,-2.385e-6\n0.75,4.17");
  check_same("\xEF\xBB\xBFt,u [m]\n0.25,-2.385e-6\n0.75,4.17\n");
  check_same("\n# a, b, c\n\nt,u [m]\n  # 7,8\n0.25,-2.385e-6\n   \n0.75,4.17\n\n#\n");
  check_same("t,u [m]\n+.25,-2385.0E-9\n75.e-2,4.17\n");
}

/* As numpy.savetxt writes them: names in the last comment before the first row, as many as it has
   columns. */
static void test_names_in_comment(void) {
  check_same("# t,u [m]\n0.25,-2.385e-6\n0.75,4.17\n");
  check_same("#t u [m]\r\n\r\n0.25 -2.385e-6\r\n0.75 4.17\r\n");
  check_same("# rig 7, shaker\n# t,u [m]\n0.25,-2.385e-6\n# 1,2\n0.75,4.17\n");
  const char *right = "the first line must name the columns, e.g. u or t,u";
  refuse("# t,u,v\n1.5,2.5\n", "probe.csv:2: ", right);
  refuse("# t,u\n#\n1.5,2.5\n", "probe.csv:3: ", right);
  refuse("# 1,2\n1.5,2.5\n", "probe.csv:2: ", right);
  refuse("# u\n1.5\n", "probe.csv:2: ", right);
  refuse("\n# t,t\n1.5,2.5\n", "probe.csv:2: ", "two columns are named 't'");
}

static void test_quoted_headings(void) {
  check_same("\"t\",\"u [m]\"\n0.25,-2.385e-6\n0.75,4.17\n");
  check_same("\"t\" \"u [m]\"\n0.25 -2.385e-6\n0.75 4.17\n");
  check_same("\" t \" ; \" u  [ m ] \"\n0.25;-2.385e-6\n0.75;4.17\n");
  ms_table *table;
  if (!CHECK_OK(parse("\"force, \"\"left\"\" [N;m]\",b [1,2]\n2.4,3.6\n", &table))) return;
  CHECK_EQUAL(ms_table_get_columns(table), 2);
  CHECK_TEXT(ms_table_get_name(table, 0), "force, \"left\"");
  CHECK_TEXT(ms_table_get_unit(table, 0), "N;m");
  CHECK_TEXT(ms_table_get_unit(table, 1), "1,2");
  ms_table_destroy(&table);
}

static void test_one_column(void) {
  ms_table *table;
  if (!CHECK_OK(parse("u [m/s]\n1.5\n2.5\n3.25\n", &table))) return;
  CHECK_EQUAL(ms_table_get_columns(table), 1);
  CHECK_EQUAL(ms_table_get_rows(table), 3);
  CHECK_TEXT(ms_table_get_unit(table, 0), "m/s");
  CHECK_NEAR(ms_table_get_column(table, "u")[2], 3.25, 0.0);
  ms_table_destroy(&table);
  if (!CHECK_OK(parse("u []\n1.5\n", &table))) return;
  CHECK(ms_table_get_unit(table, 0) == NULL);
  ms_table_destroy(&table);
}

/* Where blanks separate, those in brackets do not. */
static void test_blanks_in_unit(void) {
  ms_table *table;
  if (!CHECK_OK(parse("t  M [N m] v\n0.25 2.385 4.17\n", &table))) return;
  CHECK_EQUAL(ms_table_get_columns(table), 3);
  CHECK_TEXT(ms_table_get_name(table, 1), "M");
  CHECK_TEXT(ms_table_get_unit(table, 1), "N m");
  CHECK_NEAR(ms_table_get_column(table, "v")[0], 4.17, 0.0);
  ms_table_destroy(&table);
}

static void test_line_numbers(void) {
  ms_table *table;
  if (!CHECK_OK(parse("# head\r\nt,u\r\n\r\n1.5,2.5\r\n# between\r\n3.5,4.5\r\n", &table))) return;
  CHECK_EQUAL(ms_table_get_line(table, 0), 4);
  CHECK_EQUAL(ms_table_get_line(table, 1), 6);
  CHECK_EQUAL(ms_table_get_line(table, 2), 0);
  CHECK_EQUAL(ms_table_get_line(table, -1), 0);
  ms_table_destroy(&table);
}

/* ---- what is refused ---- */

static void test_refuses_without_table(void) {
  refuse("", "probe.csv:1: ", "is empty; a table is a line of column names");
  refuse("\n \n# only a comment\n", "probe.csv:3: ", "is empty");
  refuse("\xEF\xBB\xBF", "probe.csv:1: ", "is empty");
  refuse("t,u\n", "probe.csv:1: ", "has a header but no rows");
  refuse("t,u\n# 1,2\n\n", "probe.csv:3: ", "has a header but no rows");
}

static void test_refuses_numbers_as_header(void) {
  const char *right = "the first line must name the columns, e.g. u or t,u";
  refuse("1.5,2.5\n3.5,4.5\n", "probe.csv:1: ", right);
  refuse("# t,u\n1.5 2.5\n", "probe.csv:2: ", right);
  refuse("2.75\n", "probe.csv:1: ", right);
  refuse("nan,inf\n1.5,2.5\n", "probe.csv:1: ", right);
}

static void test_refuses_headings(void) {
  refuse("t,u,t\n1.5,2.5,3.5\n", "probe.csv:1: ", "two columns are named 't'");
  refuse("t [s],u,t [ms]\n1.5,2.5,3.5\n", "probe.csv:1: ", "two columns are named 't'");
  refuse("t,,u\n1.5,2.5,3.5\n", "probe.csv:1: ", "column 2 has no name");
  refuse("t,u,\n1.5,2.5\n", "probe.csv:1: ", "column 3 has no name");
  refuse("t,\"\"\n1.5,2.5\n", "probe.csv:1: ", "empty name");
  refuse("t,[m]\n1.5,2.5\n", "probe.csv:1: ", "empty name");
  refuse("t,u [m\n1.5,2.5\n", "probe.csv:1: ", "stray bracket");
  refuse("t,[m] u\n1.5,2.5\n", "probe.csv:1: ", "stray bracket");
  refuse("t,u [a][b]\n1.5,2.5\n", "probe.csv:1: ", "u [m]");
  refuse("t,\"u\n1.5,2.5\n", "probe.csv:1: ", "stray quote");
  refuse("t,\"\n1.5,2.5\n", "probe.csv:1: ", "stray quote");
  refuse("t,u\"\"\n1.5,2.5\n", "probe.csv:1: ", "stray quote");
  refuse("t,\"a\"b\"\n1.5,2.5\n", "probe.csv:1: ", "stray quote");
  refuse("t u [m v\n1.5 2.5\n", "probe.csv:1: ", "stray bracket");
  refuse("t\ru\r1.5\r", "probe.csv:1: ", "lines end in LF or CRLF");
}

static void test_refuses_cells(void) {
  const char *right = "finite number such as 2.4e-6";
  refuse("t,u\n1.5,2.5\n3.5,abc\n", "probe.csv:3: column u: 'abc' is not a number; ", right);
  refuse("t,u\n1.5,nan\n", "probe.csv:2: column u: 'nan' is not finite; ", right);
  refuse("t,u\n-inf,2.5\n", "probe.csv:2: column t: '-inf' is not finite; ", right);
  refuse("t,u\n1e999,2.5\n", "probe.csv:2: column t: '1e999' is not finite; ", right);
  refuse("t,u\n1.5,\n", "probe.csv:2: column u: '' is an empty cell; ", right);
  refuse("t\tu\n\t1.5\n", "probe.csv:2: column t: '' is an empty cell; ", right);
  refuse("t,u\n1.5,2.5 3.5\n", "probe.csv:2: column u: '2.5 3.5' is not a number; ", right);
  refuse("t,u\n1.5,0x1f\n", "probe.csv:2: column u: '0x1f' is not a number; ", right);
  refuse("t,u\n1.5,\"2.5\"\n", "probe.csv:2: column u: ", "write numbers without quotes");
  refuse("t;u\n1.5;2,5\n", "probe.csv:2: column u: '2,5' is not a number; ", "not a decimal comma");
  refuse("u\n2,5\n", "probe.csv:2: column u: '2,5' is not a number; ", "not a decimal comma");
}

static void test_refuses_ragged_rows(void) {
  refuse("t,u\n1.5,2.5\n3.5\n", "probe.csv:3: ", "found 1 cells, expected 2; ");
  refuse("t,u\n1.5,2.5\n3.5,4.5,5.5\n", "probe.csv:3: ", "found 3 cells, expected 2; ");
  refuse("t,u\n1.5,2.5,\n", "probe.csv:2: ", "found 3 cells, expected 2; ");
  refuse("t;u\n1.5;2.5;3.5;4.5\n", "probe.csv:2: ", "separated by semicolons");
  refuse("t\tu\n1.5 2.5\n", "probe.csv:2: column t: '1.5 2.5'", "not a number");
  refuse("t u\n1.5 2.5 3.5\n", "probe.csv:2: ", "separated by blanks");
}

static void test_refuses_nul(void) {
  static const char text[] = "t,u\n1.5,2.5\n3.5,\0004.5\n";
  check_refused(text, sizeof text - 1, "probe.csv:3: ", "NUL byte; save the file as UTF-8");
  static const char utf16[] = "\xFF\xFEt\0,\0u\0\n\0001\0,\0002\0\n";
  check_refused(utf16, sizeof utf16 - 1, "probe.csv:1: ", "UTF-8");
}

/* A message shows the beginning of a long text, without control characters or half letters. */
static void test_message_excerpt(void) {
  refuse("t,u\n1.5,\aabc\x1b[31m\n", "probe.csv:2: column u: '?abc?[31m'", "not a number");
  char text[512] = "t,u\n1.5,x";
  for (int i = 0; i < 150; i++) strcat(text, "\xC3\xA9");
  refuse(text, "probe.csv:2: column u: 'x", "\xC3\xA9...' is not a number");
}

/* ---- size ---- */

static void test_many_rows(void) {
  enum { n = 5000, row_size = 40 };
  char *text = malloc(n * row_size);
  size_t used = (size_t)sprintf(text, "t,u\n");
  for (int i = 0; i < n; i++)
    used += (size_t)sprintf(text + used, "%d.5,%.17g\n", i, sin(0.37 * i));
  ms_table *table;
  if (CHECK_OK(ms_table_parse_csv(test_context(), "many.csv", text, used, &table))) {
    CHECK_EQUAL(ms_table_get_rows(table), n);
    int same = 1;
    for (int i = 0; i < n; i++) {
      same &= ms_table_get_column(table, "t")[i] == i + 0.5;
      same &= ms_table_get_column(table, "u")[i] == sin(0.37 * i);
      same &= ms_table_get_line(table, i) == i + 2;
    }
    CHECK(same);
    ms_table_destroy(&table);
  }
  free(text);
}

/* One very long line: 3000 columns, with many blanks before the last unit. */
static void test_long_lines(void) {
  enum { n = 3000, blanks = 100000, size = 2 * n * 8 + blanks + 100 };
  char *text = malloc(size);
  size_t used = 0;
  for (int j = 0; j < n; j++) used += (size_t)sprintf(text + used, "c%d ", j);
  memset(text + used, ' ', blanks);
  used += blanks;
  used += (size_t)sprintf(text + used, "[m]\n");
  for (int j = 0; j < n; j++) used += (size_t)sprintf(text + used, "%d.5 ", j);
  ms_table *table;
  if (CHECK_OK(ms_table_parse_csv(test_context(), "wide.csv", text, used, &table))) {
    CHECK_EQUAL(ms_table_get_columns(table), n);
    CHECK_NEAR(ms_table_get_column(table, "c2714")[0], 2714.5, 0.0);
    CHECK_TEXT(ms_table_get_unit(table, n - 1), "m");
    ms_table_destroy(&table);
  }
  free(text);
}

/* ---- files ---- */

static void put_file(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  if (!CHECK(out != NULL)) return;
  fputs(text, out);
  CHECK_EQUAL(fclose(out), 0);
}

static void test_read_file(void) {
  static const char *const names[] = { "a.csv", "a.TSV", "with.dots.txt", "a.dat" };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const char *path = in_folder(names[i]);
    put_file(path, "t,u\n1.5,2.5\n");
    ms_table *table;
    if (!CHECK_OK(ms_table_read(test_context(), path, &table))) continue;
    CHECK_NEAR(ms_table_get_column(table, "u")[0], 2.5, 0.0);
    ms_table_destroy(&table);
    CHECK_EQUAL(unlink(path), 0);
  }
}

static void check_read_fails(const char *path, ms_status want, const char *what) {
  ms_table *table = (ms_table *)&table;
  CHECK_STATUS(ms_table_read(test_context(), path, &table), want);
  CHECK(table == NULL);
  CHECK_HAS(ms_context_message(test_context()), path);
  CHECK_HAS(ms_context_message(test_context()), what);
}

static void test_read_failures(void) {
  check_read_fails(in_folder("missing.csv"), MS_ERR_FILE, "No such file or directory");
  CHECK_EQUAL(mkdir(in_folder("folder.csv"), 0777), 0);
  check_read_fails(in_folder("folder.csv"), MS_ERR_FILE, "Is a directory");
  CHECK_EQUAL(rmdir(in_folder("folder.csv")), 0);
  check_read_fails("some.csv/table", MS_ERR_NAME, "ending ''; it must be one of .csv");
  check_read_fails("table.xlsx", MS_ERR_NAME, "ending '.xlsx'");
  put_file(in_folder("bad.csv"), "t,u\n1.5,x\n");
  check_read_fails(in_folder("bad.csv"), MS_ERR_FORMAT, "bad.csv:2: column u");
  CHECK_EQUAL(unlink(in_folder("bad.csv")), 0);
}

/* Names and values that are awkward to write must come back as they were. */
static void check_round_trip(const char *name_a, const char *unit_a, const char *name_b) {
  static const double a[] = { 0.1, 1.0 / 3.0, -5e-324, 1.7976931348623157e308, -0.0 };
  static const double b[] = { -2.385, 6.02214076e23, 123456789012345678.0, 1e-5,
                              0.30000000000000004 };
  ms_table *table, *again;
  const char *path = in_folder("round.csv");
  if (!CHECK_OK(ms_table_create(test_context(), &table))) return;
  CHECK_OK(ms_table_add_column(table, name_a, unit_a, a, 5));
  if (name_b) CHECK_OK(ms_table_add_column(table, name_b, NULL, b, 5));
  CHECK_OK(ms_table_write_csv(table, path));
  ms_table_destroy(&table);
  if (!CHECK_OK(ms_table_read(test_context(), path, &again))) return;
  CHECK_TEXT(ms_table_get_name(again, 0), name_a);
  if (unit_a) CHECK_TEXT(ms_table_get_unit(again, 0), unit_a);
  CHECK_EQUAL(ms_table_get_columns(again), name_b ? 2 : 1);
  const double *column = ms_table_get_column(again, name_a);
  if (CHECK(column != NULL)) CHECK(memcmp(column, a, sizeof a) == 0);
  column = name_b ? ms_table_get_column(again, name_b) : b;
  if (CHECK(column != NULL)) CHECK(memcmp(column, b, sizeof b) == 0);
  ms_table_destroy(&again);
  CHECK_EQUAL(unlink(path), 0);
}

static void test_round_trip(void) {
  check_round_trip("u", "m", "F");
  check_round_trip("peak force", "N m", NULL);
  check_round_trip("a,b;c", "1/s^2", "say \"so\"");
  check_round_trip("# not a comment", NULL, "nan");
  check_round_trip("3.5", NULL, NULL);
  check_round_trip("\xEF\xBB\xBFmark", "\xC2\xB5m", "u");
}

static void test_write_failures(void) {
  static const double values[] = { 1.5, NAN, 2.5 };
  ms_table *table;
  if (!CHECK_OK(ms_table_create(test_context(), &table))) return;
  const char *path = in_folder("never.csv");
  CHECK_STATUS(ms_table_write_csv(table, path), MS_ERR_STATE);
  CHECK_HAS(ms_context_message(test_context()), "never.csv: the table is empty");
  CHECK_OK(ms_table_add_column(table, "u", "m", values, 3));
  CHECK_STATUS(ms_table_write_csv(table, path), MS_ERR_NUMERIC);
  CHECK_HAS(ms_context_message(test_context()), "never.csv: column u, row 2 is nan");
  CHECK(access(path, F_OK) != 0);
  CHECK_STATUS(ms_table_write_csv(table, in_folder("no/such/folder.csv")), MS_ERR_FILE);
  CHECK_HAS(ms_context_message(test_context()), "No such file or directory");
  ms_table_destroy(&table);
}

/* ---- memory ---- */

static ms_status read_and_write(ms_context *ctx, void *user) {
  const char *path = user;
  ms_table *table = (ms_table *)&table;
  ms_status status = ms_table_read(ctx, path, &table);
  if (status != MS_SUCCESS) CHECK(table == NULL);
  if (status == MS_SUCCESS) status = ms_table_write_csv(table, path);
  ms_table_destroy(&table);
  return status;
}

static void test_memory_failures(void) {
  char path[256];
  snprintf(path, sizeof path, "%s", in_folder("memory.csv"));
  FILE *out = fopen(path, "w");
  fputs("t [s],u [m]\n", out);
  for (int i = 0; i < 200; i++) fprintf(out, "%d.25,%g\n", i, 0.37 * i);
  fclose(out);
  CHECK(test_allocations(read_and_write, path) > 15);
  CHECK_EQUAL(unlink(path), 0);
}

/* ---- words ---- */

static ms_status parse_words(const char *text, ms_table **out) {
  return ms_table_parse_words(test_context(), "probe.csv", text, strlen(text), out);
}

static void refuse_words(const char *text, const char *what) {
  ms_table *table = (ms_table *)&table;
  CHECK_STATUS(parse_words(text, &table), MS_ERR_FORMAT);
  CHECK(table == NULL);
  CHECK_HAS(ms_context_message(test_context()), what);
}

static void test_words(void) {
  ms_table *table;
  if (!CHECK_OK(parse_words("mode,method,q [m],remark\n"
                            "2, qsma ,0.25,\n"
                            "3,\"a, \"\"b\"\"\",0.75,7\n",
                            &table)))
    return;
  CHECK_EQUAL(ms_table_get_columns(table), 4);
  CHECK(ms_table_get_column(table, "method") == NULL);
  CHECK(ms_table_get_word(table, "q", 0) == NULL);
  CHECK(ms_table_get_word(table, "method", 2) == NULL);
  CHECK(ms_table_get_word(table, "method", -1) == NULL);
  CHECK(ms_table_get_word(table, "nothing", 0) == NULL);
  CHECK_TEXT(ms_table_get_word(table, "method", 0), "qsma");
  CHECK_TEXT(ms_table_get_word(table, "method", 1), "a, \"b\"");
  CHECK_TEXT(ms_table_get_word(table, "remark", 0), "");
  CHECK_TEXT(ms_table_get_word(table, "remark", 1), "7");
  CHECK_NEAR(ms_table_get_column(table, "q")[1], 0.75, 0.0);
  CHECK_NEAR(ms_table_get_column(table, "mode")[1], 3.0, 0.0);
  CHECK_EQUAL(ms_table_get_line(table, 1), 3);
  ms_table_destroy(&table);
}

/* The first cell says what a column holds; where it is a number all must be. */
/* A column of words may begin with none; one that a program looks for must have its own name. */
static void test_find_column(void) {
  ms_table *table;
  const double *found;
  if (!CHECK_OK(
          parse_words("q,remark,S (N/m),Phi,S2\n0.25,,6e7,2.385,1.7\n0.5,7,7e7,3.1,1.9\n", &table)))
    return;
  CHECK_OK(ms_table_find_column(table, "q", &found));
  if (CHECK(found != NULL)) CHECK_NEAR(found[1], 0.5, 0.0);
  CHECK_OK(ms_table_find_column(table, "Q2", &found));
  CHECK(found == NULL);
  CHECK_STATUS(ms_table_find_column(table, "remark", &found), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(test_context()), "probe.csv:2: column 'remark' has '' instead");
  CHECK_STATUS(ms_table_find_column(table, "S", &found), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(test_context()), "probe.csv: column 'S (N/m)' is not 'S': write S");
  CHECK_STATUS(ms_table_find_column(table, "phi", &found), MS_ERR_NAME);
  CHECK_OK(ms_table_find_column(table, "S2", &found));
  CHECK(found != NULL);
  ms_table_destroy(&table);
}

static void test_refused_words(void) {
  refuse_words("q,method\n0.25,qsma\nn/a,qsma\n", "probe.csv:3: column q: 'n/a' is not a number");
  refuse_words("q,method\n0.25,qsma\n,qsma\n", "probe.csv:3: column q: '' is an empty cell");
  refuse_words("q,method\nnan,qsma\n", "probe.csv:2: column q: 'nan' is not finite");
  refuse_words("q,method\n0.25,\"qsma\n", "probe.csv:2: column method: \"qsma has a stray quote");
  refuse_words("q,method\n0.25,qs\"ma\n", "stray quote");
  refuse_words("q,method\n0.25,qsma,3\n", "found 3 cells, expected 2");
  refuse("q,method\n0.25,qsma\n", "probe.csv:2:", "column method: 'qsma' is not a number");
}

static void check_written(const char *text, const char *want) {
  ms_table *table;
  char got[400] = "";
  if (!CHECK_OK(parse_words(text, &table))) return;
  CHECK_OK(ms_table_write_csv(table, in_folder("words.csv")));
  FILE *in = fopen(in_folder("words.csv"), "r");
  got[in ? fread(got, 1, sizeof got - 1, in) : 0] = '\0';
  if (in) fclose(in);
  CHECK_TEXT(got, want);
  ms_table_destroy(&table);
  CHECK_OK(ms_table_read_words(test_context(), in_folder("words.csv"), &table));
  ms_table_destroy(&table);
  CHECK_EQUAL(unlink(in_folder("words.csv")), 0);
}

static void test_words_written(void) {
  check_written("a;b\nx;\"3.5\"\n\"y,z\";\" \"\n", "a,b\nx,\"3.5\"\n\"y,z\",\" \"\n");
  check_written("a b\nqsma 2.5\n", "a,b\nqsma,2.5\n");
  check_written("a,b\n,2.5\n", "a,b\n\"\",2.5\n");
}

static ms_status read_words(ms_context *ctx, void *user) {
  ms_table *table;
  MS_TRY(ms_table_read_words(ctx, user, &table));
  ms_table_destroy(&table);
  return MS_SUCCESS;
}

static void test_words_memory(void) {
  char path[256];
  snprintf(path, sizeof path, "%s", in_folder("many.csv"));
  FILE *out = fopen(path, "w");
  if (!CHECK(out != NULL)) return;
  fputs("method,q\n", out);
  for (int i = 0; i < 200; i++) fprintf(out, "word %d,%g\n", i, 0.37 * i);
  fclose(out);
  CHECK(test_allocations(read_words, path) > 10);
  CHECK_EQUAL(unlink(path), 0);
}

static void test_bad_arguments(void) {
  ms_table *table;
  CHECK_STATUS(ms_table_parse_csv(test_context(), "x", NULL, 3, &table), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_table_parse_csv(test_context(), NULL, "u\n1", 3, &table), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_table_parse_csv(test_context(), "x", "u\n1", 3, NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_table_read(test_context(), NULL, &table), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_table_read(test_context(), "u.csv", NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_table_read_words(test_context(), "u.csv", NULL), MS_ERR_ARGUMENT);
  CHECK_STATUS(ms_table_parse_words(test_context(), "x", NULL, 3, &table), MS_ERR_ARGUMENT);
}

int main(void) {
  if (!mkdtemp(folder)) return 1;
  TEST(test_separators);
  TEST(test_line_ends_and_comments);
  TEST(test_names_in_comment);
  TEST(test_quoted_headings);
  TEST(test_one_column);
  TEST(test_blanks_in_unit);
  TEST(test_line_numbers);
  TEST(test_refuses_without_table);
  TEST(test_refuses_numbers_as_header);
  TEST(test_refuses_headings);
  TEST(test_refuses_cells);
  TEST(test_refuses_ragged_rows);
  TEST(test_refuses_nul);
  TEST(test_message_excerpt);
  TEST(test_many_rows);
  TEST(test_long_lines);
  TEST(test_read_file);
  TEST(test_read_failures);
  TEST(test_round_trip);
  TEST(test_write_failures);
  TEST(test_memory_failures);
  TEST(test_words);
  TEST(test_find_column);
  TEST(test_refused_words);
  TEST(test_words_written);
  TEST(test_words_memory);
  TEST(test_bad_arguments);
  rmdir(folder);
  return test_finish();
}
