/* Abaqus input files, shared by the files that read them.

   The file is read into scopes first: the root (a flat file, or the assembly) and one for each
   *PART. Names and numbers are turned into indices when all is known, in abaqus_build.c. */
#ifndef MS_FEM_ABAQUS_H
#define MS_FEM_ABAQUS_H

#include "fem/formats/reader.h"
#include "io/text.h"

#define MS_ABAQUS_DEPTH     8    /* of files that include files */
#define MS_ABAQUS_KEY_SIZE  64   /* of a keyword, with its NUL */
#define MS_ABAQUS_LINE_SIZE 1024 /* of a keyword's line with its continuations */
#define MS_ABAQUS_NAME_SIZE 256

/* ---- text ---- */

typedef struct ms_abaqus_file {
  char *path, *text; /* text NULL: the reader's own bytes */
  ms_lines lines;
} ms_abaqus_file;

typedef struct ms_abaqus_place {
  int file; /* index in the list of paths */
  ptrdiff_t line;
} ms_abaqus_place;

/* ---- what the file says ---- */

/* A node, element or face: of an instance, or -1 for the scope's own. */
typedef struct ms_abaqus_item {
  ptrdiff_t label;
  int instance;
  unsigned char face;
} ms_abaqus_item;

/* Of GENERATE: those of the numbers first, first + step, ..., last that there are. */
typedef struct ms_abaqus_range {
  ptrdiff_t first, last, step;
  int instance;
  unsigned char face;
  ms_abaqus_place place;
} ms_abaqus_range;

/* MS_SET_FACES: a surface of element faces. */
typedef struct ms_abaqus_set {
  ms_set_kind kind;
  char *name;
  ms_abaqus_item *item;
  ptrdiff_t n, capacity;
  ms_abaqus_range *range; /* become items when all numbers are known */
  ptrdiff_t n_range, range_capacity;
  ptrdiff_t n_distinct; /* items and ranges when repeated ones were dropped last */
  ms_abaqus_place place;
} ms_abaqus_set;

typedef struct ms_abaqus_type {
  const char *name, *element; /* element NULL: a mark, which is no element of the mesh */
  int n_node;
  const char *note; /* what of it is not read; NULL: nothing */
  int n_corner;     /* of a mark: 2 a line, 3 or 4 a face */
} ms_abaqus_type;

typedef struct ms_abaqus_element {
  ptrdiff_t label, first; /* of its nodes in the scope's list */
  const ms_abaqus_type *type;
  int set;     /* the set of its *ELEMENT line, or -1 */
  int section; /* or -1, found at the end */
  ms_abaqus_place place;
} ms_abaqus_element;

typedef struct ms_abaqus_section {
  char *set, *material, *orientation; /* NULL where there is none */
  ms_part part;                       /* in the units of the file */
  const char *element;                /* instead of the type's; NULL: that */
  int needs;                          /* MS_NEEDS_... that it can give */
  int n_data;                         /* lines read */
  ms_abaqus_place place;
} ms_abaqus_section;

typedef struct ms_abaqus_scope {
  char *name;
  double *x;
  ptrdiff_t *label, n_node, x_capacity, label_capacity;
  ms_labels nodes, elements;
  ms_abaqus_element *element;
  ptrdiff_t n_element, element_capacity;
  ms_abaqus_item *list; /* nodes of elements */
  ptrdiff_t n_list, list_capacity;
  ms_abaqus_set *set;
  ptrdiff_t n_set, set_capacity;
  ms_abaqus_section *section;
  ptrdiff_t n_section, section_capacity;
} ms_abaqus_scope;

typedef struct ms_abaqus_instance {
  char *name;
  int scope;
  double move[3], R[9], about[3]; /* x -> R (x + move - about) + about */
  int n_data;
  ptrdiff_t first;  /* index in the mesh of its first node */
  int32_t *element; /* index in the mesh of each element */
} ms_abaqus_instance;

typedef struct ms_abaqus_material {
  char *name;
  ms_material value;
  int n_elastic, engineering, n_density;
  double constant[9];
} ms_abaqus_material;

typedef struct ms_abaqus_orientation {
  char *name;
  double axes[9];
} ms_abaqus_orientation;

/* Conditions with names and labels as the file has them. */
typedef struct ms_abaqus_term {
  char *node;
  int component;
  double factor;
} ms_abaqus_term;

typedef struct ms_abaqus_condition {
  ms_condition_kind kind;
  char *name;
  char *nodes, *faces, *slave; /* names of sets or surfaces, or the number of a node */
  char *reference;
  int components, equal; /* equal: of an *MPC, this many coordinates are the same */
  double value, reach;
  int n_term, n_wanted;
  ptrdiff_t capacity;
  ms_abaqus_term *term;
  ms_abaqus_place place;
} ms_abaqus_condition;

/* ---- the reader ---- */

typedef struct ms_abaqus ms_abaqus;

/* A keyword: `begin` for its line, `data` for each line below it, `end` before the next keyword;
   each may be NULL, but without `data` lines of data are refused unless `ignored`. */
typedef struct ms_abaqus_keyword {
  const char *name; /* in capitals without blanks */
  ms_status (*begin)(ms_abaqus *a);
  ms_status (*data)(ms_abaqus *a, ms_span line);
  ms_status (*end)(ms_abaqus *a);
  int ignored; /* noted, and its data passed over */
} ms_abaqus_keyword;

struct ms_abaqus {
  ms_reader *r;
  ms_context *ctx;
  ms_abaqus_file file[MS_ABAQUS_DEPTH];
  int depth;
  char **path; /* of all files that were opened; places point here */
  int n_path;
  ptrdiff_t path_capacity;
  ms_abaqus_place place;          /* of the line read last */
  char text[MS_ABAQUS_LINE_SIZE]; /* the keyword's line */
  char key[MS_ABAQUS_KEY_SIZE];
  ms_span parameters;
  const ms_abaqus_keyword *keyword;
  ms_abaqus_place keyword_place;
  int in_step, in_instance, in_assembly;

  ms_abaqus_scope *scope; /* 0: the root */
  ptrdiff_t n_scope, scope_capacity;
  int current;                  /* scope */
  ms_abaqus_instance *instance; /* 0: the root's */
  ptrdiff_t n_instance, instance_capacity;
  ms_abaqus_material *material;
  ptrdiff_t n_material, material_capacity;
  ms_abaqus_orientation *orientation;
  ptrdiff_t n_orientation, orientation_capacity;
  ms_abaqus_condition *condition;
  ptrdiff_t n_condition, condition_capacity;

  /* of the keyword being read */
  int set; /* index of a set in the current scope, or -1 */
  int generate, choice, of_instance, n_pending;
  const ms_abaqus_type *type;
};

/* abaqus.c: something of the file is not read. */
ms_status ms_abaqus_note(ms_abaqus *a, ms_span name);

/* abaqus_text.c */
/* The next line that is neither empty nor a comment, without blanks around; 0 at the end. */
ms_status ms_abaqus_next(ms_abaqus *a, ms_span *line, int *found);
/* Reads on in another file, named as seen from the current one. */
ms_status ms_abaqus_include(ms_abaqus *a, ms_span name);
/* Takes a keyword's line apart, with its continuations. */
ms_status ms_abaqus_take_keyword(ms_abaqus *a, ms_span line);
void ms_abaqus_close(ms_abaqus *a);
/* A parameter of the keyword: 1 if it is there; value is empty if it has none. */
int ms_abaqus_parameter(const ms_abaqus *a, const char *name, ms_span *value);
/* The same as a copy, which is needed. */
ms_status ms_abaqus_need(ms_abaqus *a, const char *name, char **value);
/* The same, NULL if it is not there. */
ms_status ms_abaqus_want(ms_abaqus *a, const char *name, char **value);
/* Refuses the keyword with one of these parameters, separated by blanks. */
ms_status ms_abaqus_refuse(const ms_abaqus *a, const char *names);
int ms_abaqus_is(ms_span text, const char *word); /* whatever the case */
ms_status ms_abaqus_copy(ms_abaqus *a, ms_span text, char **out);
/* Takes the next field off a line of data: up to the comma, without blanks; 0 if none is left, and
   the field is empty. */
int ms_abaqus_field(ms_span *line, ms_span *field);
/* Up to n numbers of a line, the others 0; *got may be NULL. */
ms_status ms_abaqus_numbers(const ms_abaqus *a, ms_span line, int n, double *out, int *got);
int ms_abaqus_is_integer(ms_span field, ptrdiff_t *out);
ms_status ms_abaqus_integer(const ms_abaqus *a, ms_span field, const char *what, ptrdiff_t *out);
/* "file:line" of a place before the message that waits, unless the status is success. */
ms_status ms_abaqus_at(const ms_abaqus *a, ms_abaqus_place place, ms_status status);
#define MS_ABAQUS_FAIL(a, ...) \
  ms_abaqus_at(a, (a)->place, ms_fail((a)->ctx, MS_ERR_FORMAT, __VA_ARGS__))
#define MS_ABAQUS_FAIL_AT(a, place, ...) \
  ms_abaqus_at(a, place, ms_fail((a)->ctx, MS_ERR_FORMAT, __VA_ARGS__))

static inline ms_abaqus_scope *ms_abaqus_here(ms_abaqus *a) {
  return &a->scope[a->current];
}
/* abaqus_sets.c */
/* The set with this name, made if there is none, in the current scope. */
ms_status ms_abaqus_open_set(ms_abaqus *a, ms_set_kind kind, ms_span name, int *out);
ptrdiff_t ms_abaqus_find_set(const ms_abaqus_scope *s, ms_set_kind kind, ms_span name);
/* "bolt-1.top" to the instance and "top"; without a dot the instance that the keyword names, or -1
   for the scope itself. */
int ms_abaqus_split(const ms_abaqus *a, ms_span *name);
ms_status ms_abaqus_add_item(ms_abaqus *a, int set, ms_abaqus_item item);
/* Ranges of all sets become items. */
ms_status ms_abaqus_expand(ms_abaqus *a);
extern const ms_abaqus_keyword ms_abaqus_set_keywords[];
extern const int ms_abaqus_n_set_keywords;
/* abaqus_mesh.c */
ms_status ms_abaqus_add_scope(ms_abaqus *a, ms_span name);
ms_status ms_abaqus_add_instance(ms_abaqus *a, ms_span name, int scope);
int ms_abaqus_find_instance(const ms_abaqus *a, ms_span name); /* -1 if there is none */
extern const ms_abaqus_keyword ms_abaqus_mesh_keywords[];
extern const int ms_abaqus_n_mesh_keywords;
/* abaqus_marks.c: line and surface elements without a section, as Gmsh and meshio write them to
   mark groups. NULL if the name is none of such an element. */
const ms_abaqus_type *ms_abaqus_find_mark(ms_span name);
/* The element of an instance, if it is a mark; else NULL. */
const ms_abaqus_element *ms_abaqus_get_mark(const ms_abaqus *a, int instance, ptrdiff_t label);
/* Element sets of marks become sets of faces and nodes, after all other sets. */
ms_status ms_abaqus_add_marks(ms_abaqus *a);
/* abaqus_property.c */
extern const ms_abaqus_keyword ms_abaqus_property_keywords[];
extern const int ms_abaqus_n_property_keywords;
/* abaqus_condition.c */
extern const ms_abaqus_keyword ms_abaqus_condition_keywords[];
extern const int ms_abaqus_n_condition_keywords;

/* abaqus_build.c: into the mesh. */
ms_status ms_abaqus_build(ms_abaqus *a);
/* "bolt-1.name", or "name" in the root. */
void ms_abaqus_full_name(const ms_abaqus_instance *i, const char *name, char *out);
/* abaqus_resolve.c: conditions, after the rest was built. */
ms_status ms_abaqus_add_conditions(ms_abaqus *a);
/* Index in the mesh of a node or element; refused with the place if there is none. */
ms_status ms_abaqus_find(const ms_abaqus *a, ms_set_kind kind, int instance, ptrdiff_t label,
                         ms_abaqus_place place, int32_t *out);

#endif
