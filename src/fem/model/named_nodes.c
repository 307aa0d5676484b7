/* Nodes by name: which of their coordinates a pattern keeps, and a structure's joints on them. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "fem/model/model.h"
#include "structure/labels.h"
#include "joint/impl.h"
#include "structure/impl.h"

int ms_fem_find_term(ptrdiff_t n, const ms_fem_node *node, const char *name, double factor,
                     ms_fem_term *term) {
  const char *dot = strrchr(name, '.');
  const size_t length = dot ? (size_t)(dot - name) : 0;
  *term = (ms_fem_term) { -1, -1, factor };
  if (dot) term->component = ms_component_find(dot + 1);
  for (ptrdiff_t i = 0; dot && i < n && term->node < 0; i++) {
    if (strncmp(node[i].name, name, length) == 0 && !node[i].name[length])
      term->node = node[i].node;
  }
  return term->node >= 0 && term->component >= 0;
}

/* ---- what a picture marks ---- */

/* 0 if they were not kept. */
static int find_translations(const ms_structure *s, const char *label, ptrdiff_t dof[3]) {
  char name[sizeof((ms_fem_mark *)0)->label + 4];
  for (int c = 0; c < 3; c++) {
    snprintf(name, sizeof name, "%s.%s", label, ms_component_name[c]);
    if (ms_structure_find(s, name, &dof[c]) == MS_SUCCESS) continue;
    ms_context_clear_message(s->ctx);
    return 0;
  }
  return 1;
}

void ms_fem_add_marks(const ms_structure *s, const char *prefix, ptrdiff_t n,
                      const ms_fem_node *node, ptrdiff_t most, ms_fem_mark *mark,
                      ptrdiff_t *count) {
  for (ptrdiff_t i = 0; i < n && *count < most; i++) {
    ms_fem_mark *m = &mark[*count];
    const size_t length = strlen(node[i].name);
    const int end = length > 2 && node[i].name[length - 2] == '.' ? node[i].name[length - 1] : 0;
    ptrdiff_t k = 0;
    while (k < *count && memcmp(mark[k].at, node[i].at, sizeof m->at) != 0) k++;
    if (end == 'b' || k < *count) continue; /* ends of a joint in two bodies are at one place */
    snprintf(m->label, sizeof m->label, "%.100s%.150s", prefix, node[i].name);
    if (!find_translations(s, m->label, m->dof)) continue;
    if (end == 'a') m->label[strlen(m->label) - 2] = '\0';
    memcpy(m->at, node[i].at, sizeof m->at);
    ++*count;
  }
}

/* ---- what a reduction keeps ---- */

/* The bits of a node's coordinates that a pattern fits under `name`: all if it fits that. */
static int fitting(const char *pattern, const char *name) {
  int bits = 0;
  if (fnmatch(pattern, name, 0) == 0) return MS_FEM_ALL;
  for (int c = 0; c < 6; c++) {
    char text[MS_FEM_NODE_NAME + 8];
    snprintf(text, sizeof text, "%s.%s", name, ms_component_name[c]);
    if (fnmatch(pattern, text, 0) == 0) bits |= 1 << c;
  }
  return bits;
}

static int find_bits(const ms_fem_model *m, const char *pattern, const ms_fem_node *node) {
  char set[MS_FEM_NODE_NAME];
  int bits = fitting(pattern, node->name), there = 0;
  snprintf(set, sizeof set, "%s", node->name);
  if (node->number) {
    *strrchr(set, '.') = '\0';
    bits |= fitting(pattern, set);
  }
  for (int c = 0; c < 6; c++) there |= (ms_fem_get_index(m, node->node, c) >= 0) << c;
  return bits & there;
}

ms_status ms_fem_keep_matching(ms_fem_model *m, const char *pattern, ptrdiff_t n,
                               const ms_fem_node *node, unsigned char *kept) {
  int found = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const int bits = find_bits(m, pattern, &node[i]), fresh = bits & ~kept[i];
    found |= bits;
    kept[i] = (unsigned char)(kept[i] | bits);
    if (fresh) MS_TRY(ms_fem_keep(m, node[i].name, node[i].node, fresh));
  }
  if (found) return MS_SUCCESS;
  return ms_fail(
      m->ctx, MS_ERR_NAME,
      "'%s' matches no named node%s%s%s; points of parts, sets of nodes and spiders have names",
      pattern, n ? ", such as '" : "", n ? node[0].name : "", n ? "'" : "");
}

/* ---- joints ---- */

/* The terms of axis c of a joint, behind *n there are. */
static ms_status find_axis(const ms_structure *s, const ms_attachment *attachment, int c,
                           ptrdiff_t n_node, const ms_fem_node *node, int *n, ms_fem_term *term) {
  const ptrdiff_t end[2] = { attachment->from[c], attachment->to[c] };
  if (attachment->mapping_row[c]) {
    return ms_fail(
        s->ctx, MS_ERR_ARGUMENT,
        "joint %s acts on a weighted sum, which the full model does not support; write full: 0",
        attachment->name);
  }
  for (int i = 0; i < 2; i++) {
    if (end[i] == MS_GROUND) continue;
    if (!ms_fem_find_term(n_node, node, s->name[end[i]], i ? 1.0 : -1.0, &term[*n])) {
      return ms_fail(s->ctx, MS_ERR_NAME,
                     "joint %s: %s is not a degree of freedom of the finite elements, so there is "
                     "no full model to compare with; write full: 0",
                     attachment->name, s->name[end[i]]);
    }
    (*n)++;
  }
  return MS_SUCCESS;
}

/* z^T S z / 2 as springs on z_c and on z_c + z_d: the latter's share taken from the former. */
ms_status ms_fem_add_joints(ms_fem_model *m, const ms_structure *s, int stuck, ptrdiff_t n_node,
                            const ms_fem_node *node) {
  for (int j = 0; j < s->n_attachment; j++) {
    const ms_attachment *attachment = &s->attachment[j];
    const int n_axis = ms_joint_info(attachment->joint)->n_axis;
    double left[MS_JOINT_MAX_AXIS * MS_JOINT_MAX_AXIS];
    ms_joint_fill_macroslip(attachment->joint, left);
    const double *S = stuck ? attachment->stuck : left;
    for (int cd = 0; cd < n_axis * n_axis; cd++) {
      const int c = cd % n_axis, d = cd / n_axis;
      ms_fem_term term[4];
      double k = S[cd];
      int n = 0;
      if (c > d || (k == 0.0 && c != d)) continue;
      MS_TRY(find_axis(s, attachment, c, n_node, node, &n, term));
      if (c != d) MS_TRY(find_axis(s, attachment, d, n_node, node, &n, term));
      for (int e = 0; c == d && e < n_axis; e++) k -= e == c ? 0.0 : S[c + n_axis * e];
      if (k != 0.0) MS_TRY(ms_fem_add_spring(m, n, term, k));
    }
  }
  return MS_SUCCESS;
}
