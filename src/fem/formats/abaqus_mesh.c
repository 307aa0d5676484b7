/* Abaqus input files: nodes, elements, sets, surfaces, parts and instances. */
#include "fem/formats/abaqus.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"

/* Their nodes and faces are in the order of ours. */
static const ms_abaqus_type types[] = {
  { "C3D8", "hex8", 8, NULL, 0 },
  { "C3D8H", "hex8", 8, "hybrid formulation of C3D8H", 0 },
  { "C3D8I", "hex8", 8, NULL, 0 },
  { "C3D8IH", "hex8", 8, "hybrid formulation of C3D8IH", 0 },
  { "C3D8R", "hex8", 8, "reduced integration of C3D8R", 0 },
  { "C3D8RH", "hex8", 8, "reduced integration and hybrid formulation of C3D8RH", 0 },
  { "C3D20", "hex20", 20, NULL, 0 },
  { "C3D20H", "hex20", 20, "hybrid formulation of C3D20H", 0 },
  { "C3D20R", "hex20", 20, "reduced integration of C3D20R", 0 },
  { "C3D20RH", "hex20", 20, "reduced integration and hybrid formulation of C3D20RH", 0 },
  { "C3D4", "tet4", 4, NULL, 0 },
  { "C3D4H", "tet4", 4, "hybrid formulation of C3D4H", 0 },
  { "C3D10", "tet10", 10, NULL, 0 },
  { "C3D10H", "tet10", 10, "hybrid formulation of C3D10H", 0 },
  { "C3D10M", "tet10", 10, "modified formulation of C3D10M", 0 },
  { "C3D10MH", "tet10", 10, "modified hybrid formulation of C3D10MH", 0 },
  { "C3D6", "wedge6", 6, NULL, 0 },
  { "B31", "timoshenko", 2, NULL, 0 },
  { "B33", "beam", 2, NULL, 0 },
  { "MASS", "mass", 1, NULL, 0 },
  { "ROTARYI", "inertia", 1, NULL, 0 },
  { "SPRING2", "spring", 2, NULL, 0 },
  { "SPRING1", "ground_spring", 1, NULL, 0 },
};

enum { n_types = sizeof types / sizeof types[0] };

/* ---- scopes ---- */

ms_status ms_abaqus_add_scope(ms_abaqus *a, ms_span name) {
  MS_TRY(ms_grow(a->ctx, a->n_scope + 1, &a->scope_capacity, sizeof *a->scope, &a->scope));
  a->scope[a->n_scope] = (ms_abaqus_scope) { .name = NULL };
  MS_TRY(ms_abaqus_copy(a, name, &a->scope[a->n_scope].name));
  a->n_scope++;
  return MS_SUCCESS;
}

ms_status ms_abaqus_add_instance(ms_abaqus *a, ms_span name, int scope) {
  MS_TRY(
      ms_grow(a->ctx, a->n_instance + 1, &a->instance_capacity, sizeof *a->instance, &a->instance));
  a->instance[a->n_instance] =
      (ms_abaqus_instance) { .scope = scope, .R = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
  MS_TRY(ms_abaqus_copy(a, name, &a->instance[a->n_instance].name));
  a->n_instance++;
  return MS_SUCCESS;
}

static int find_scope(const ms_abaqus *a, ms_span name) {
  for (int i = 1; i < a->n_scope; i++) {
    if (ms_abaqus_is(name, a->scope[i].name)) return i;
  }
  return -1;
}

int ms_abaqus_find_instance(const ms_abaqus *a, ms_span name) {
  for (int i = 1; i < a->n_instance; i++) {
    if (ms_abaqus_is(name, a->instance[i].name)) return i;
  }
  return -1;
}

static ms_status begin_part(ms_abaqus *a) {
  ms_span name;
  if (a->current || a->in_assembly) return MS_ABAQUS_FAIL(a, "*PART is not allowed here");
  if (!ms_abaqus_parameter(a, "NAME", &name)) return MS_ABAQUS_FAIL(a, "*PART: needs NAME=...");
  if (find_scope(a, name) >= 0) {
    return MS_ABAQUS_FAIL(a, "a second *PART '%.*s'; names must differ", (int)ms_io_length(name),
                          name.begin);
  }
  MS_TRY(ms_abaqus_add_scope(a, name));
  a->current = (int)a->n_scope - 1;
  return MS_SUCCESS;
}

static ms_status end_part(ms_abaqus *a) {
  if (!a->current) return MS_ABAQUS_FAIL(a, "*END PART without *PART");
  a->current = 0;
  return MS_SUCCESS;
}

static ms_status begin_assembly(ms_abaqus *a) {
  if (a->current) return MS_ABAQUS_FAIL(a, "*ASSEMBLY inside *PART; *END PART must come first");
  a->in_assembly = 1;
  return MS_SUCCESS;
}

static ms_status end_assembly(ms_abaqus *a) {
  a->in_assembly = 0;
  return MS_SUCCESS;
}

/* ---- instances ---- */

static ms_status begin_instance(ms_abaqus *a) {
  ms_span name, part;
  MS_TRY(ms_abaqus_refuse(a, "LIBRARY INSTANCE"));
  if (!ms_abaqus_parameter(a, "NAME", &name) || !ms_abaqus_parameter(a, "PART", &part)) {
    return MS_ABAQUS_FAIL(a, "*INSTANCE: needs NAME=... and PART=...");
  }
  int scope = find_scope(a, part);
  if (scope < 0) {
    return MS_ABAQUS_FAIL(a,
                          "*INSTANCE of '%.*s', but there is no such *PART above; correct the name",
                          (int)ms_io_length(part), part.begin);
  }
  if (ms_abaqus_find_instance(a, name) >= 0) {
    return MS_ABAQUS_FAIL(a, "a second *INSTANCE '%.*s'; names must differ",
                          (int)ms_io_length(name), name.begin);
  }
  a->in_instance = 1;
  return ms_abaqus_add_instance(a, name, scope);
}

/* R = cos I + (1 - cos) n n^T + sin n x, n along the line from p to q. */
static ms_status rotate(ms_abaqus *a, ms_abaqus_instance *i, const double *v) {
  double n[3], length = 0.0, angle = v[6] * MS_PI / 180.0;
  for (int k = 0; k < 3; k++) {
    n[k] = v[3 + k] - v[k];
    length += n[k] * n[k];
  }
  if (!(length > 0.0)) return MS_ABAQUS_FAIL(a, "*INSTANCE: the axis must have two points");
  for (int k = 0; k < 3; k++) n[k] /= sqrt(length);
  double c = cos(angle), s = sin(angle);
  for (int row = 0; row < 3; row++) {
    for (int col = 0; col < 3; col++) {
      int third = 3 - row - col;
      double cross = row == col ? 0.0 : ((col - row + 3) % 3 == 1 ? -n[third] : n[third]);
      i->R[row + 3 * col] = (row == col ? c : 0.0) + (1.0 - c) * n[row] * n[col] + s * cross;
    }
    i->about[row] = v[row];
  }
  return MS_SUCCESS;
}

static ms_status data_instance(ms_abaqus *a, ms_span line) {
  ms_abaqus_instance *i = &a->instance[a->n_instance - 1];
  double v[7];
  i->n_data++;
  if (i->n_data == 1) return ms_abaqus_numbers(a, line, 3, i->move, NULL);
  if (i->n_data > 2) return MS_ABAQUS_FAIL(a, "*INSTANCE: a third line of data; there are two");
  MS_TRY(ms_abaqus_numbers(a, line, 7, v, NULL));
  return rotate(a, i, v);
}

static ms_status end_instance(ms_abaqus *a) {
  a->in_instance = 0;
  return MS_SUCCESS;
}

/* ---- nodes ---- */

static ms_status begin_node(ms_abaqus *a) {
  ms_span value;
  MS_TRY(ms_abaqus_refuse(a, "SYSTEM"));
  a->set = -1;
  a->of_instance = -1;
  if (ms_abaqus_parameter(a, "NSET", &value)) {
    MS_TRY(ms_abaqus_open_set(a, MS_SET_NODES, value, &a->set));
  }
  return ms_abaqus_parameter(a, "INPUT", &value) ? ms_abaqus_include(a, value) : MS_SUCCESS;
}

static ms_status data_node(ms_abaqus *a, ms_span line) {
  ms_abaqus_scope *s = ms_abaqus_here(a);
  ms_span field;
  ptrdiff_t label, n = s->n_node + 1;
  int32_t before;
  ms_abaqus_field(&line, &field);
  MS_TRY(ms_abaqus_integer(a, field, "number of a node", &label));
  if (n > INT32_MAX) return MS_ABAQUS_FAIL(a, "more than %d nodes", INT32_MAX);
  MS_TRY(ms_labels_put(a->ctx, &s->nodes, label, (int32_t)s->n_node, &before));
  if (before >= 0) return MS_ABAQUS_FAIL(a, "node %td is given twice; numbers must differ", label);
  MS_TRY(ms_grow(a->ctx, n, &s->label_capacity, sizeof *s->label, &s->label));
  MS_TRY(ms_grow(a->ctx, 3 * n, &s->x_capacity, sizeof *s->x, &s->x));
  MS_TRY(ms_abaqus_numbers(a, line, 3, s->x + 3 * s->n_node, NULL));
  s->label[s->n_node++] = label;
  return a->set >= 0 ? ms_abaqus_add_item(a, a->set, (ms_abaqus_item) { label, -1, 0 })
                     : MS_SUCCESS;
}

/* ---- elements ---- */

static ms_status note_mark(ms_abaqus *a, ms_span name) {
  char text[MS_ABAQUS_NAME_SIZE], shown[MS_IO_EXCERPT_SIZE];
  int n = snprintf(text, sizeof text, "marking elements %s", ms_io_excerpt(name, shown));
  return ms_abaqus_note(a, (ms_span) { text, text + n });
}

static ms_status find_type(ms_abaqus *a, ms_span name) {
  char shown[MS_IO_EXCERPT_SIZE];
  for (int i = 0; i < n_types; i++) {
    a->type = &types[i];
    if (ms_abaqus_is(name, types[i].name)) return MS_SUCCESS;
  }
  a->type = ms_abaqus_find_mark(name);
  if (a->type) return note_mark(a, name);
  return MS_ABAQUS_FAIL(
      a,
      "*ELEMENT: TYPE=%s is not read; it must be C3D8, C3D20, C3D4, C3D10, C3D6, B31, B33, MASS, "
      "ROTARYI, SPRING1 or SPRING2, or a line or surface element that marks a group",
      ms_io_excerpt(name, shown));
}

static ms_status begin_element(ms_abaqus *a) {
  ms_span value;
  ms_abaqus_parameter(a, "TYPE", &value);
  MS_TRY(find_type(a, value));
  if (a->type->note) {
    MS_TRY(ms_abaqus_note(a, (ms_span) { a->type->note, a->type->note + strlen(a->type->note) }));
  }
  a->set = -1;
  a->of_instance = -1;
  a->n_pending = 0;
  if (ms_abaqus_parameter(a, "ELSET", &value)) {
    MS_TRY(ms_abaqus_open_set(a, MS_SET_ELEMENTS, value, &a->set));
  }
  return ms_abaqus_parameter(a, "INPUT", &value) ? ms_abaqus_include(a, value) : MS_SUCCESS;
}

static ms_status add_element(ms_abaqus *a, ptrdiff_t label) {
  ms_abaqus_scope *s = ms_abaqus_here(a);
  int32_t before;
  if (s->n_element >= INT32_MAX) return MS_ABAQUS_FAIL(a, "more than %d elements", INT32_MAX);
  MS_TRY(ms_labels_put(a->ctx, &s->elements, label, (int32_t)s->n_element, &before));
  if (before >= 0) {
    return MS_ABAQUS_FAIL(a, "element %td is given twice; numbers must differ", label);
  }
  MS_TRY(ms_grow(a->ctx, s->n_element + 1, &s->element_capacity, sizeof *s->element, &s->element));
  s->element[s->n_element++] =
      (ms_abaqus_element) { label, s->n_list, a->type, a->set, -1, a->place };
  a->n_pending = a->type->n_node;
  return a->set >= 0 ? ms_abaqus_add_item(a, a->set, (ms_abaqus_item) { label, -1, 0 })
                     : MS_SUCCESS;
}

/* An element goes on in the next line until it has all its nodes. */
static ms_status data_element(ms_abaqus *a, ms_span line) {
  ms_abaqus_scope *s = ms_abaqus_here(a);
  ms_span field;
  ptrdiff_t value;
  if (a->n_pending == 0) {
    ms_abaqus_field(&line, &field);
    MS_TRY(ms_abaqus_integer(a, field, "number of an element", &value));
    MS_TRY(add_element(a, value));
  }
  while (ms_abaqus_field(&line, &field)) {
    if (a->n_pending == 0) {
      return MS_ABAQUS_FAIL(a, "element %td has more than the %d nodes of a %s",
                            s->element[s->n_element - 1].label, a->type->n_node, a->type->name);
    }
    int instance = ms_abaqus_split(a, &field);
    MS_TRY(ms_abaqus_integer(a, field, "number of a node", &value));
    MS_TRY(ms_grow(a->ctx, s->n_list + 1, &s->list_capacity, sizeof *s->list, &s->list));
    s->list[s->n_list++] = (ms_abaqus_item) { value, instance, 0 };
    a->n_pending--;
  }
  return MS_SUCCESS;
}

static ms_status end_element(ms_abaqus *a) {
  const ms_abaqus_scope *s = ms_abaqus_here(a);
  if (a->n_pending == 0) return MS_SUCCESS;
  const ms_abaqus_element *e = &s->element[s->n_element - 1];
  return MS_ABAQUS_FAIL_AT(a, e->place, "element %td lacks %d of the %d nodes of a %s", e->label,
                           a->n_pending, a->type->n_node, a->type->name);
}

static ms_status begin_include(ms_abaqus *a) {
  ms_span name;
  ms_abaqus_parameter(a, "INPUT", &name);
  return ms_abaqus_include(a, name);
}

const ms_abaqus_keyword ms_abaqus_mesh_keywords[] = {
  { "INCLUDE", begin_include, NULL, NULL, 0 },
  { "NODE", begin_node, data_node, NULL, 0 },
  { "ELEMENT", begin_element, data_element, end_element, 0 },
  { "PART", begin_part, NULL, NULL, 0 },
  { "ENDPART", end_part, NULL, NULL, 0 },
  { "ASSEMBLY", begin_assembly, NULL, NULL, 0 },
  { "ENDASSEMBLY", end_assembly, NULL, NULL, 0 },
  { "INSTANCE", begin_instance, data_instance, NULL, 0 },
  { "ENDINSTANCE", end_instance, NULL, NULL, 0 },
  { "HEADING", NULL, NULL, NULL, 1 },
};
const int ms_abaqus_n_mesh_keywords =
    sizeof ms_abaqus_mesh_keywords / sizeof ms_abaqus_mesh_keywords[0];
