/* How much memory a structure will take, estimated before it is built: a few bytes of a file may
   ask for more than there is. */
#include <math.h>

#include "io/yaml/keys.h"

static const double GB = 1e9; /* bytes */
/* n x n at once while modes are sought: M, K, both sets of modes, copies */
static const double matrices = 8.0;
/* bytes: a node of bricks has 3 rows of 81 entries, and there is its mesh */
static const double element_size = 5e3;

static ms_status check_bytes(const ms_yaml *y, struct fy_node *node, const char *what, double n,
                             double bytes, double memory) {
  if (bytes <= memory) return MS_SUCCESS;
  return ms_yaml_fail(y, node, MS_ERR_BOUNDS,
                      "%.0f %s take about %.3g GB, more than the %.3g GB allowed; make the model "
                      "smaller, or allow more with memory: %.0f, or --set memory=%.0f",
                      n, what, bytes / GB, memory / GB, ceil(bytes / GB), ceil(bytes / GB));
}

ms_status ms_yaml_check_coordinates(const ms_yaml *y, struct fy_node *node, double n,
                                    double memory) {
  return check_bytes(y, node, "degrees of freedom", n, matrices * sizeof(double) * n * n, memory);
}

ms_status ms_yaml_check_elements(const ms_yaml *y, struct fy_node *node, double n, double memory) {
  return check_bytes(y, node, "elements", n, element_size * n, memory);
}
