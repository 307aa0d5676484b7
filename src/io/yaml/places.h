/* Named points and lines between them: name: [x, y, z], or a table with the columns name, x, y, z.
 */
#ifndef MS_IO_YAML_PLACES_H
#define MS_IO_YAML_PLACES_H

#include "io/yaml/keys.h"

/* name: [x, y, z] */
extern const ms_param_list ms_places_keys;

typedef struct ms_yaml_place {
  char *name;
  double x[3];          /* m */
  struct fy_node *node; /* its name, or that of the table */
} ms_yaml_place;

/* `what` is the name of the key in complaints. Freed by ms_yaml_free_places, after a failure too.
 */
ms_status ms_yaml_read_places(const ms_key_source *from, struct fy_node *node, const char *what,
                              ptrdiff_t *n, ms_yaml_place **out);
void ms_yaml_free_places(ms_context *ctx, ptrdiff_t n, ms_yaml_place **place);
/* A list of [point, point] (NULL: none), as 2 x n_line numbers of places from 0; *line is the
   caller's to ms_free, after a failure too. */
ms_status ms_yaml_read_lines(const ms_yaml *yaml, struct fy_node *node, const char *what,
                             ptrdiff_t n, const ms_yaml_place *place, ptrdiff_t *n_line,
                             int32_t **line);
/* Triangles and quadrangles, a list of [point, point, point, point] or a table with the columns n1
   to n4, where n4 = 0 is a triangle, as 4 x n_face numbers of places, the last -1 of a triangle;
   *face as *line. */
ms_status ms_yaml_read_faces(const ms_yaml *yaml, struct fy_node *node, const char *what,
                             ptrdiff_t n, const ms_yaml_place *place, ptrdiff_t *n_face,
                             int32_t **face);

#endif
