/* Pairs of nodes that a joint's name stands for, and the coordinates of a node. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "structure/impl.h"
#include "structure/labels.h"

enum { NAME = MS_NODE_NAME };

static int count_stars(const char *text) {
  int n = 0;
  for (; *text; text++) n += *text == '*';
  return n;
}

/* "bolt.*" with "1" for the star; a pattern without one as it is. What does not fit is no name. */
static void fill_star(const char *pattern, const char *letters, char *text) {
  size_t n = strlen(letters), before = strcspn(pattern, "*"), all = strlen(pattern);
  text[0] = '\0';
  if (all + n >= NAME) return;
  memcpy(text, pattern, all + 1);
  if (before == all) return;
  memcpy(text + before, letters, n);
  memcpy(text + before + n, pattern + before + 1, all - before);
}

/* What the star of `pattern` stands for in a coordinate's node: "1" in upper.bolt.1.ux for
   upper.bolt.*; where an earlier coordinate is of the same node, or pair of nodes P.a and P.b, it
   was told already: 0. */
static int find_star(const ms_structure *s, ptrdiff_t i, const char *pattern, char *letters) {
  const char *name = s->name[i], *dot = strrchr(name, '.');
  size_t n = dot ? (size_t)(dot - name) : 0, before = strcspn(pattern, "*");
  size_t behind = strlen(pattern) - before - 1;
  if (n >= NAME || n <= before + behind || strncmp(name, pattern, before) != 0) return 0;
  if (strncmp(dot - behind, pattern + before + 1, behind) != 0) return 0;
  for (ptrdiff_t k = 0; k < i; k++) {
    if (strncmp(s->name[k], name, n + 1) == 0) return 0;
  }
  memcpy(letters, name + before, n - before - behind);
  letters[n - before - behind] = '\0';
  return 1;
}

static ms_status add_pair(const ms_structure *s, const char *letters, const char *name,
                          const char *const node[2], ptrdiff_t *n, ms_node_pair **pair) {
  MS_TRY(ms_resize(s->ctx, *n + 1, sizeof **pair, pair));
  ms_node_pair *p = &(*pair)[(*n)++];
  fill_star(name, letters, p->name);
  for (int k = 0; k < 2; k++) fill_star(node[k], letters, p->node[k]);
  return MS_SUCCESS;
}

/* [upper.bolt.*, lower.bolt.*]: nodes in which the stars stand for the same letters. */
static ms_status find_starred(const ms_structure *s, const char *name, const char *const node[2],
                              ptrdiff_t *n, ms_node_pair **pair) {
  const char *first = node[count_stars(node[0]) ? 0 : 1];
  char letters[NAME];
  for (int i = 0; i < 2; i++) {
    if (count_stars(node[i]) == 1 || strcmp(node[i], "ground") == 0) continue;
    return ms_fail(
        s->ctx, MS_ERR_FORMAT,
        "both nodes need a '*', unless one of them is ground: [upper.bolt.*, lower.bolt.*]");
  }
  if (count_stars(name) != 1) {
    return ms_fail(s->ctx, MS_ERR_NAME,
                   "a joint between nodes with '*' needs one in its name, e.g. %.80s.*", name);
  }
  for (ptrdiff_t i = 0; i < s->n; i++) {
    if (find_star(s, i, first, letters)) MS_TRY(add_pair(s, letters, name, node, n, pair));
  }
  if (*n > 0) return MS_SUCCESS;
  return ms_fail(s->ctx, MS_ERR_NAME, "'%s' matches no kept node", first);
}

/* Pairs P.a and P.b whose P matches the pattern. */
static ms_status find_named(const ms_structure *s, const char *pattern, ptrdiff_t *n,
                            ms_node_pair **pair) {
  static const char *const node[2] = { "*.a", "*.b" };
  char letters[NAME], other[NAME] = "";
  for (ptrdiff_t i = 0; i < s->n; i++) {
    if (!find_star(s, i, node[0], letters)) continue;
    if (!other[0]) memcpy(other, letters, sizeof other);
    if (fnmatch(pattern, letters, 0) == 0) MS_TRY(add_pair(s, letters, "*", node, n, pair));
  }
  if (*n > 0) return MS_SUCCESS;
  if (other[0]) {
    return ms_fail(
        s->ctx, MS_ERR_NAME,
        "joint '%s' matches no pair of nodes; there is for example '%s'. Otherwise give 'between'",
        pattern, other);
  }
  return ms_fail(s->ctx, MS_ERR_NAME,
                 "joint '%s' needs 'between': there are no pairs of nodes P.a and P.b among "
                 "the kept degrees of freedom",
                 pattern);
}

ms_status ms_structure_find_pairs(const ms_structure *s, const char *name, const char *const *node,
                                  ptrdiff_t *n, ms_node_pair **pair) {
  *n = 0;
  *pair = NULL;
  if (!node) return find_named(s, name, n, pair);
  if (count_stars(node[0]) + count_stars(node[1]) > 0) {
    return find_starred(s, name, node, n, pair);
  }
  MS_TRY(ms_allocate(s->ctx, 1, sizeof **pair, pair));
  *n = 1;
  snprintf((*pair)->name, NAME, "%.180s", name);
  for (int k = 0; k < 2; k++) snprintf((*pair)->node[k], NAME, "%.180s", node[k]);
  return MS_SUCCESS;
}

ms_status ms_structure_find_component(const ms_structure *s, const char *node, int direction,
                                      char name[MS_NODE_NAME], ptrdiff_t *out) {
  *out = MS_GROUND;
  snprintf(name, NAME, "%.180s", node);
  if (strcmp(node, "ground") == 0) return MS_SUCCESS;
  if (direction < 3) {
    snprintf(name, NAME, "%.180s.%s", node, ms_component_name[direction] + 1);
    if (ms_structure_find(s, name, out) == MS_SUCCESS) return MS_SUCCESS;
  }
  snprintf(name, NAME, "%.180s.%s", node, ms_component_name[direction]);
  return ms_structure_find(s, name, out);
}
