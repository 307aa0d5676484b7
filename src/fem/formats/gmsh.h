/* Gmsh .msh files, shared by the files that read them. */
#ifndef MS_FEM_GMSH_H
#define MS_FEM_GMSH_H

#include "fem/formats/reader.h"

/* Numbers of a file, as text or as bytes. */
typedef struct ms_gmsh_source {
  ms_context *ctx;
  const char *path, *begin, *p, *end;
  ptrdiff_t line, n_newline; /* of what was read last; those that were passed */
  int binary;                /* the file holds bytes: places are told by byte, not by line */
  int raw, swapped;          /* the numbers to come are bytes; of the other byte order */
  const char *where;         /* the section, "$Nodes" */
} ms_gmsh_source;

ms_status ms_gmsh_int(ms_gmsh_source *s, ptrdiff_t *out);  /* 4 bytes */
ms_status ms_gmsh_size(ms_gmsh_source *s, ptrdiff_t *out); /* 8 bytes */
ms_status ms_gmsh_double(ms_gmsh_source *s, double *out);
/* A size that is not negative: `what` is for the message. */
ms_status ms_gmsh_count(ms_gmsh_source *s, const char *what, ptrdiff_t *out);
/* The next line of text, without blanks around it; 0 at the end. */
int ms_gmsh_line(ms_gmsh_source *s, const char **begin, const char **end);
/* Bytes follow, here or on the next line, if the file has them. */
void ms_gmsh_begin_bytes(ms_gmsh_source *s, int behind_line);
/* "file:line: " before the message that waits, unless the status is success. */
ms_status ms_gmsh_at(const ms_gmsh_source *s, ms_status status);
#define MS_GMSH_FAIL(s, ...) ms_gmsh_at(s, ms_fail((s)->ctx, MS_ERR_FORMAT, __VA_ARGS__))

/* A physical group: a part if it is of volumes, else a set. */
typedef struct ms_gmsh_group {
  int dimension;
  ptrdiff_t tag; /* below 0: minus the number of an entity that is in no group */
  char *name;
  int part;        /* -1: none yet */
  int32_t *member; /* of volumes and beams: bin and place in it; else nodes */
  ptrdiff_t n, capacity;
} ms_gmsh_group;

/* A geometrical entity of a 4.1 file and its physical groups. */
typedef struct ms_gmsh_entity {
  int dimension;
  ptrdiff_t tag, first, n; /* in the list of tags */
} ms_gmsh_entity;

typedef struct ms_gmsh {
  ms_reader *r;
  ms_gmsh_source s;
  int version; /* 2 or 4 */
  double *x;
  ptrdiff_t *node_label, n_node, x_capacity, label_capacity;
  ms_labels nodes, elements;
  ms_gmsh_group *group;
  ptrdiff_t n_group, group_capacity;
  ms_gmsh_entity *entity;
  ptrdiff_t n_entity, entity_capacity;
  ptrdiff_t *tag, n_tag, tag_capacity;
  ms_bins bins;
  ms_skin skin;
  int last_type; /* the element before: an element in two groups stands twice in a 2.2 file */
  int32_t last_node[20];
  int last_bin;
  ptrdiff_t last_at;
  int has_nodes, has_elements;
} ms_gmsh;

/* gmsh_elements.c */
ms_status ms_gmsh_read_elements(ms_gmsh *g);
/* Everything into the mesh, at the end of the file. */
ms_status ms_gmsh_finish(ms_gmsh *g);
/* A group as $PhysicalNames has it. */
ms_status ms_gmsh_name_group(ms_gmsh *g, int dimension, ptrdiff_t tag, const char *name,
                             size_t length);

#endif
