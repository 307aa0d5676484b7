/* Bricks cut into wedges and tetrahedra. Every face is cut through its corner of lowest id, so that
   neighbours agree whatever their orientation. */
#include <string.h>

#include "fem/mesh/grid.h"

static const int hex_face[6][4] = { { 0, 3, 2, 1 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 },
                                    { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 } };
static const int hex_edge[12][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 4, 5 }, { 5, 6 },
                                     { 6, 7 }, { 7, 4 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } };
static const int tet_edge[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };

/* The place of the lowest id among n corners. */
static int lowest(const int32_t *id, int n, const int *corner) {
  int best = 0;
  for (int i = 1; i < n; i++) {
    if (id[corner[i]] < id[corner[best]]) best = i;
  }
  return best;
}

static int whole(const int32_t *id, int piece[MS_MAX_PIECE][8]) {
  (void)id;
  for (int i = 0; i < 8; i++) piece[0][i] = i;
  return 1;
}

/* Along the layers: a triangle of the bottom and the one above it. */
static int two_wedges(const int32_t *id, int piece[MS_MAX_PIECE][8]) {
  static const int bottom[4] = { 0, 1, 2, 3 };
  int k = lowest(id, 4, bottom);
  for (int w = 0; w < 2; w++) {
    int corner[3] = { k, (k + 1 + w) % 4, (k + 2 + w) % 4 };
    for (int i = 0; i < 3; i++) {
      piece[w][i] = corner[i];
      piece[w][3 + i] = corner[i] + 4;
    }
  }
  return 2;
}

static int has_corner(const int *face, int corner) {
  for (int i = 0; i < 4; i++) {
    if (face[i] == corner) return 1;
  }
  return 0;
}

/* From the lowest corner to the two triangles of each face that does not touch it. */
static int six_tets(const int32_t *id, int piece[MS_MAX_PIECE][8]) {
  static const int all[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  int apex = lowest(id, 8, all), n = 0;
  for (int f = 0; f < 6; f++) {
    const int *face = hex_face[f];
    if (has_corner(face, apex)) continue;
    int k = lowest(id, 4, face);
    for (int t = 0; t < 2; t++, n++) {
      piece[n][0] = apex;
      piece[n][1] = face[k];
      piece[n][2] = face[(k + 1 + t) % 4];
      piece[n][3] = face[(k + 2 + t) % 4];
    }
  }
  return n;
}

static const ms_cut cuts[] = {
  { "hex8", 1, 1, 8, whole, 0, NULL },         { "hex20", 2, 1, 8, whole, 12, hex_edge },
  { "wedge6", 1, 2, 6, two_wedges, 0, NULL },  { "tet4", 1, 6, 4, six_tets, 0, NULL },
  { "tet10", 2, 6, 4, six_tets, 6, tet_edge },
};

ms_status ms_cut_find(ms_context *ctx, const char *element, const ms_cut **out) {
  const ms_element_info *info;
  MS_TRY(ms_element_find(ctx, element, &info)); /* a slip of the pen is told as such */
  for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
    if (strcmp(cuts[i].element, element) != 0) continue;
    *out = &cuts[i];
    return MS_SUCCESS;
  }
  return ms_fail(ctx, MS_ERR_ARGUMENT,
                 "a structured part cannot consist of '%s'; use hex8, hex20, wedge6, tet4 or tet10",
                 element);
}
