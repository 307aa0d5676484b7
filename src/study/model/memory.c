/* How much memory a structure will take, estimated before it is built: a few bytes of a file may
   ask for more than there is. */
#include <math.h>

#include "study/study.h"

static const double GB = 1e9; /* bytes */
/* n x n at once while modes are sought: M, K, both sets of modes, copies */
static const double matrices = 8.0;
/* bytes: a node of bricks has 3 rows of 81 entries, and there is its mesh */
static const double element_size = 5e3;

static ms_status check_bytes(const ms_study *s, struct fy_node *node, const char *what, double n,
                             double bytes) {
  if (bytes <= s->memory) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_BOUNDS,
                      "%.0f %s take about %.3g GB, more than the %.3g GB allowed; make the model "
                      "smaller, or allow more with memory: %.0f, or --set memory=%.0f",
                      n, what, bytes / GB, s->memory / GB, ceil(bytes / GB), ceil(bytes / GB));
}

ms_status ms_memory_check_coordinates(const ms_study *s, struct fy_node *node, double n) {
  return check_bytes(s, node, "degrees of freedom", n, matrices * sizeof(double) * n * n);
}

ms_status ms_memory_check_elements(const ms_study *s, struct fy_node *node, double n) {
  return check_bytes(s, node, "elements", n, element_size * n);
}
