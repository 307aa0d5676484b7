/* What the readers of mesh files share. They build the mesh through its public functions. */
#ifndef MS_FEM_READER_H
#define MS_FEM_READER_H

#include <microslip/fem.h>

/* Names go into messages: what cannot be shown there becomes a question mark, in place. */
static inline void ms_reader_clean(char *text, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (((unsigned char)text[i] < ' ' && text[i] != '\0') || text[i] == 0x7f) text[i] = '?';
  }
}

/* ---- labels ---- */

/* From the numbers of a file to indices. Zero-filled at first. */
typedef struct ms_labels {
  ptrdiff_t *key;
  int32_t *value; /* -1: free */
  ptrdiff_t n, capacity;
} ms_labels;

/* *before is the index that the label had, -1 if it is new; an old one is kept. */
ms_status ms_labels_put(ms_context *ctx, ms_labels *labels, ptrdiff_t key, int32_t value,
                        int32_t *before);
int32_t ms_labels_get(const ms_labels *labels, ptrdiff_t key); /* -1 if there is none */
void ms_labels_free(ms_context *ctx, ms_labels *labels);

/* Room for n entries of a list that grows by doubling; p is a pointer to the array. */
ms_status ms_grow(ms_context *ctx, ptrdiff_t n, ptrdiff_t *capacity, size_t size, void *p);

/* ---- a file being read ---- */

typedef struct ms_reader {
  ms_context *ctx;
  const char *path;
  const char *bytes;
  size_t length;
  const ms_mesh_read_settings *settings;
  ms_mesh *mesh;
} ms_reader;

/* formats.def has one line for each, this folder one file. */
typedef struct ms_mesh_format {
  const char *name, *title;
  const char *const *endings; /* with the dot, in lower case; NULL ends the list */
  int (*sniff)(const char *bytes, size_t length); /* whether the content is of this format */
  ms_status (*read)(ms_reader *reader);           /* fills the empty mesh */
} ms_mesh_format;

/* As ms_mesh_read, from memory; `path` stands for the file in messages. */
ms_status ms_mesh_parse(ms_context *ctx, const char *path, const char *bytes, size_t length,
                        const ms_mesh_read_settings *settings, ms_mesh **out);

/* The part of this name, made if there is none yet: what the settings have of it, the rest as the
   file has it (NULL: it does not), else as the settings have those without a name. The message does
   not say the file. */
ms_status ms_reader_part(ms_reader *r, const char *name, const ms_part *file, int *part);
/* As the settings have it under this name, or NULL. */
const ms_part *ms_reader_given(const ms_reader *r, const char *name);

/* ---- elements, collected by part and type ---- */

typedef struct ms_bin {
  int part;
  const char *element;
  int n_node;
  ptrdiff_t n, capacity, label_capacity;
  ptrdiff_t first; /* index in the mesh of its first, after ms_bins_flush */
  int32_t *node;
  ptrdiff_t *label;
} ms_bin;

typedef struct ms_bins {
  ms_bin *bin;
  int n;
  ptrdiff_t capacity;
} ms_bins;

/* *bin and *at say where it is: in the mesh it is bin[*bin].first + *at. */
ms_status ms_bins_add(ms_reader *r, ms_bins *bins, int part, const char *element, int n_node,
                      const int32_t *node, ptrdiff_t label, int *bin, ptrdiff_t *at);
/* Into the mesh, in the order of the bins. */
ms_status ms_bins_flush(ms_reader *r, ms_bins *bins);
void ms_bins_free(ms_context *ctx, ms_bins *bins);

/* ---- sets ---- */

int ms_reader_has_set(const ms_mesh *mesh, ms_set_kind kind, const char *name);
/* A list of faces to become a set; with `nodes`, their nodes become a set of the same name. */
ms_status ms_reader_add_faces(ms_reader *r, const char *name, ptrdiff_t n, const int32_t *element,
                              const unsigned char *face);
/* Nodes, each once. */
ms_status ms_reader_add_nodes(ms_reader *r, const char *name, ptrdiff_t n, const int32_t *node);

/* Surface elements, to be found among the faces of solids by their corners. */
typedef struct ms_skin_face {
  int32_t corner[4]; /* sorted; the last is -1 for a triangle */
  int32_t element;   /* -1 until found: the lowest of the two that may share it */
  unsigned char face;
  int set;        /* the caller's */
  ptrdiff_t line; /* where it stands, for messages */
} ms_skin_face;

typedef struct ms_skin {
  ms_skin_face *face;
  ptrdiff_t n, capacity;
} ms_skin;

ms_status ms_skin_add(ms_context *ctx, ms_skin *skin, int n_corner, const int32_t *corner, int set,
                      ptrdiff_t line);
ms_status ms_skin_match(const ms_reader *r, ms_skin *skin);
void ms_skin_free(ms_context *ctx, ms_skin *skin);

#endif
