/* Matrices of Abaqus with their labels, and files of labels. */
#include <microslip/io.h>

#include <stdio.h>
#include <string.h>

#include "io/internal.h"
#include "support/check.h"
#include "support/files.h"

/* Entries of nodes 12 (x, ry), 3 (x, y, z), the labels not in order. */
static const char once[] =
    "** comment\n 12,1, 12,1,  2.385e+05\n 3,1, 12,1,  -1.5e+03\n"
    "12,5, 12,1, 4.25\n12,5,12,5, 7.5D+01\n3,1,3,1,9.5\n\n3,2,3,2,8.5\n"
    "3,3, 3,3, 7.5\n3,3, 3,1, 0.25\n";

static ms_triplets parse(const char *text, ms_dofs *dofs) {
  ms_triplets t;
  CHECK_OK(ms_abaqus_mtx_parse(test_context(), "K.mtx", text, strlen(text), &t, dofs));
  return t;
}

static double value_of(const ms_triplets *t, ptrdiff_t i, ptrdiff_t j) {
  double *a, value = 0.0;
  if (CHECK_OK(ms_triplets_to_dense(test_context(), t, &a))) value = a[i + t->n_row * j];
  ms_free(test_context(), &a);
  return value;
}

static void test_labels(void) {
  static const char *const names[] = { "n3.x", "n3.y", "n3.z", "n12.x", "n12.ry" };
  ms_dofs dofs;
  ms_triplets t = parse(once, &dofs);
  CHECK_EQUAL(dofs.n, 5);
  CHECK_EQUAL(t.n_row, 5);
  CHECK_EQUAL(t.n, 8);
  CHECK_EQUAL(t.symmetric, 1);
  for (int i = 0; i < 5 && i < dofs.n; i++) {
    char name[32];
    ms_dof_name(dofs.dof[i], name);
    CHECK_TEXT(name, names[i]);
  }
  for (ptrdiff_t k = 0; k < t.n; k++) CHECK(t.row[k] >= t.col[k]);
  CHECK_NEAR(value_of(&t, 3, 3), 2.385e5, 0.0);
  CHECK_NEAR(value_of(&t, 0, 3), -1.5e3, 0.0);
  CHECK_NEAR(value_of(&t, 3, 4), 4.25, 0.0);
  CHECK_NEAR(value_of(&t, 4, 4), 75.0, 0.0);
  CHECK_NEAR(value_of(&t, 0, 2), 0.25, 0.0);
  CHECK_NEAR(value_of(&t, 1, 0), 0.0, 0.0);
  ms_triplets_free(test_context(), &t);
  ms_dofs_free(test_context(), &dofs);
}

/* Both triangles: equal to the last bit it is symmetric, else it is not. */
static void test_both_sides(void) {
  ms_dofs dofs;
  ms_triplets t = parse("1 1 1 1 2.5\n1 1 2 1 -1.25\n2 1 1 1 -1.25\n2 1 2 1 3.5\n", &dofs);
  CHECK_EQUAL(t.symmetric, 1);
  CHECK_EQUAL(t.n, 3);
  CHECK_NEAR(value_of(&t, 0, 1), -1.25, 0.0);
  ms_triplets_free(test_context(), &t);
  ms_dofs_free(test_context(), &dofs);
  t = parse("1 1 1 1 2.5\n1 1 2 1 -1.25\n2 1 1 1 -1.5\n2 1 2 1 3.5\n", &dofs);
  CHECK_EQUAL(t.symmetric, 0);
  CHECK_NEAR(value_of(&t, 0, 1), -1.25, 0.0);
  CHECK_NEAR(value_of(&t, 1, 0), -1.5, 0.0);
  ms_triplets_free(test_context(), &t);
  ms_dofs_free(test_context(), &dofs);
}

/* A mass without the rows that have none, on the rows of the stiffness. */
static void test_join(void) {
  ms_context *ctx = test_context();
  ms_dofs a, b, all;
  ms_triplets K = parse("1,1,1,1,2.5\n1,3,1,3,3.5\n2,1,2,1,4.5\n", &a);
  ms_triplets M = parse("2,1,2,1,0.5\n1,2,1,2,0.25\n2,1,1,2,0.125\n", &b);
  CHECK_OK(ms_dofs_join(ctx, &a, &b, &all));
  CHECK_EQUAL(all.n, 4);
  CHECK_EQUAL(all.dof[1].dof, 2);
  CHECK_OK(ms_triplets_relabel(ctx, &M, &b, &all));
  CHECK_EQUAL(M.n_row, 4);
  CHECK_NEAR(value_of(&M, 1, 1), 0.25, 0.0);
  CHECK_NEAR(value_of(&M, 1, 3), 0.125, 0.0);
  CHECK_STATUS(ms_triplets_relabel(ctx, &K, &a, &b), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(ctx), "n1.x");
  ms_triplets_free(ctx, &K);
  ms_triplets_free(ctx, &M);
  ms_dofs_free(ctx, &a);
  ms_dofs_free(ctx, &b);
  ms_dofs_free(ctx, &all);
}

static const struct {
  const char *text, *message;
} broken[] = {
  { "1,1,1,1,2.5\n1,1,1,2\n", "K.mtx:2: '1,1,1,2' is not an entry" },
  { "1,1,1,1,nan\n", "K.mtx:1: '1,1,1,1,nan' is not an entry" },
  { "1,1,1,1,2.5 x\n", "K.mtx:1:" },
  { "1,0,1,1,2.5\n", "K.mtx:1:" },
  { "1,1,1,1,1e400\n", "K.mtx:1:" },
  { "1,1,1,1,2.5\n2,1,1,1,3\n\n2,1,1,1,4\n",
    "K.mtx:4: the entry of n2.x and n1.x was already given in line 2" },
  { "1,1,1,1,2.5\n1,1,1,1,2.5\n", "K.mtx:2: the entry of n1.x" },
  { "1,1,1,2,1\n1,2,1,1,1\n1,1,1,2,1\n", "K.mtx:3: the entry of n1.x and n1.y" },
  { "1,1,2,1,1\n2,1,1,1,1\n1,1,3,1,1\n", "1 of 2 entries off the diagonal" },
  { "*USER ELEMENT, NODES=4, LINEAR\n", "K.mtx:1: '*USER ELEMENT, NODES=4, LINEAR': keywords" },
  { "** nothing\n", "K.mtx:1: holds no entries" },
};

static void test_broken(void) {
  for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
    ms_triplets t;
    ms_dofs dofs;
    const char *text = broken[i].text;
    CHECK_STATUS(ms_abaqus_mtx_parse(test_context(), "K.mtx", text, strlen(text), &t, &dofs),
                 MS_ERR_FORMAT);
    CHECK_HAS(ms_context_message(test_context()), broken[i].message);
    CHECK(t.row == NULL && dofs.dof == NULL);
  }
}

/* Content says whether a .mtx file is of Abaqus or of Matrix Market. */
static void test_files(void) {
  ms_context *ctx = test_context();
  ms_dofs dofs;
  ms_triplets t;
  double *a;
  ptrdiff_t n_row, n_col;
  test_put(test_path("K.mtx"), once);
  test_put(test_path("M.mtx"), "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2.5\n");
  test_put(test_path("dofs.txt"), "# rows\n12 1\nn3.rz\n 7, y\n7 11\n");
  CHECK_EQUAL(ms_matrix_has_labels(test_path("K.mtx")), 1);
  CHECK_EQUAL(ms_matrix_has_labels(test_path("M.mtx")), 0);
  CHECK_EQUAL(ms_matrix_has_labels(test_path("none.mtx")), 0);
  CHECK_EQUAL(ms_matrix_has_labels(TEST_DATA),
              1); /* cannot be read: not taken for a plain matrix */
  CHECK_OK(ms_matrix_read(ctx, test_path("K.mtx"), &n_row, &n_col, &a));
  CHECK_EQUAL(n_row, 5);
  ms_free(ctx, &a);
  CHECK_OK(ms_triplets_read_labelled(ctx, test_path("M.mtx"), &t, &dofs));
  CHECK_EQUAL(dofs.n, 0);
  ms_triplets_free(ctx, &t);
  CHECK_OK(ms_dofs_read(ctx, test_path("dofs.txt"), &dofs));
  CHECK_EQUAL(dofs.n, 4);
  CHECK_EQUAL(dofs.dof[1].dof, 6);
  CHECK_EQUAL(dofs.dof[2].node, 7);
  char name[32];
  ms_dof_name(dofs.dof[3], name);
  CHECK_TEXT(name, "n7.d11");
  ms_dofs_free(ctx, &dofs);
  test_put(test_path("dofs.txt"), "12 1\n12 w\n");
  CHECK_STATUS(ms_dofs_read(ctx, test_path("dofs.txt"), &dofs), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(ctx), "dofs.txt:2: '12 w' is not a label");
  test_put(test_path("dofs.txt"), "12 1\n3 1\nn12.x\n");
  CHECK_STATUS(ms_dofs_read(ctx, test_path("dofs.txt"), &dofs), MS_ERR_FORMAT);
  CHECK_HAS(ms_context_message(ctx), "n12.x is there twice");
}

/* The same from files: labels of both, sorted, and a matrix on more rows than it has. */
static void test_join_files(void) {
  static const char *const names[] = { "n1.x", "n1.y", "n1.z", "n2.x", "n7.rz" };
  ms_context *ctx = test_context();
  ms_dofs all, few;
  ms_triplets t;
  char name[32];
  test_put(test_path("K.mtx"), "2,1,2,1,4.5\n1,1,1,1,2.5\n1,3,1,3,3.5\n2,1,1,3,-0.75\n");
  test_put(test_path("M.mtx"), "2,1,2,1,0.5\n7,6,7,6,0.375\n1,2,1,2,0.25\n2,1,1,2,0.125\n");
  test_put(test_path("broken.mtx"), "1,1,1,1,2.5\n1,1,1,2\n");
  if (CHECK_OK(ms_dofs_join_files(ctx, test_path("K.mtx"), test_path("M.mtx"), &all))) {
    CHECK_EQUAL(all.n, 5);
    for (int i = 0; i < 5 && i < all.n; i++) {
      ms_dof_name(all.dof[i], name);
      CHECK_TEXT(name, names[i]);
    }
  }
  if (CHECK_OK(ms_triplets_read_on(ctx, test_path("M.mtx"), &all, &t))) {
    CHECK(t.n_row == 5 && t.n_col == 5 && t.n == 4);
    CHECK_NEAR(value_of(&t, 1, 1), 0.25, 0.0);
    CHECK_NEAR(value_of(&t, 1, 3), 0.125, 0.0);
    CHECK_NEAR(value_of(&t, 3, 1), 0.125, 0.0);
    CHECK_NEAR(value_of(&t, 3, 3), 0.5, 0.0);
    CHECK_NEAR(value_of(&t, 4, 4), 0.375, 0.0);
    CHECK_NEAR(value_of(&t, 0, 0), 0.0, 0.0); /* a row that is new */
  }
  ms_triplets_free(ctx, &t);
  /* the other way round: the mass has rows that the stiffness has not */
  CHECK_OK(ms_dofs_join_files(ctx, test_path("K.mtx"), test_path("K.mtx"), &few));
  CHECK_EQUAL(few.n, 3);
  CHECK_STATUS(ms_triplets_read_on(ctx, test_path("M.mtx"), &few, &t), MS_ERR_NAME);
  CHECK_HAS(ms_context_message(ctx), "M.mtx: ");
  CHECK_HAS(ms_context_message(ctx), "n1.y");
  CHECK(t.n == 0 && !t.row);
  ms_dofs_free(ctx, &few);
  for (int i = 0; i < 2; i++) {
    const char *file = i ? "none.mtx" : "broken.mtx";
    const ms_status want = i ? MS_ERR_FILE : MS_ERR_FORMAT;
    CHECK_STATUS(ms_dofs_join_files(ctx, test_path("K.mtx"), test_path(file), &few), want);
    CHECK_HAS(ms_context_message(ctx), file);
    CHECK(few.n == 0 && !few.dof);
    CHECK_STATUS(ms_dofs_join_files(ctx, test_path(file), test_path("K.mtx"), &few), want);
    CHECK_STATUS(ms_triplets_read_on(ctx, test_path(file), &all, &t), want);
    CHECK(t.n == 0 && !t.row);
  }
  /* a matrix without labels has no place among them */
  test_put(test_path("plain.mtx"),
           "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 2.5\n");
  CHECK_STATUS(ms_triplets_read_on(ctx, test_path("plain.mtx"), &all, &t), MS_ERR_ARGUMENT);
  CHECK_HAS(ms_context_message(ctx), "plain.mtx: the matrix has 2 rows and 0 labels");
  CHECK(t.n == 0 && !t.row);
  ms_dofs_free(ctx, &all);
}

static ms_status join_once(ms_context *ctx, void *user) {
  ms_dofs all;
  ms_triplets t = { 0 };
  (void)user;
  ms_status status = ms_dofs_join_files(ctx, test_path("K.mtx"), test_path("M.mtx"), &all);
  if (status == MS_SUCCESS) status = ms_triplets_read_on(ctx, test_path("M.mtx"), &all, &t);
  ms_triplets_free(ctx, &t);
  ms_dofs_free(ctx, &all);
  return status;
}

static ms_status parse_once(ms_context *ctx, void *user) {
  ms_triplets t;
  ms_dofs dofs;
  ms_status status = ms_abaqus_mtx_parse(ctx, "K.mtx", user, strlen(user), &t, &dofs);
  ms_triplets_free(ctx, &t);
  ms_dofs_free(ctx, &dofs);
  return status;
}

static void test_memory_failures(void) {
  char text[sizeof once];
  memcpy(text, once, sizeof once);
  CHECK(test_allocations(parse_once, text) >= 8);
  test_put(test_path("K.mtx"), once);
  test_put(test_path("M.mtx"), "2,1,2,1,0.5\n");
  CHECK(test_allocations(join_once, NULL) >= 20);
}

int main(void) {
  test_folder_open();
  TEST(test_labels);
  TEST(test_both_sides);
  TEST(test_join);
  TEST(test_broken);
  TEST(test_files);
  TEST(test_join_files);
  TEST(test_memory_failures);
  test_folder_close();
  return test_finish();
}
