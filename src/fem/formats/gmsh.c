/* Gmsh .msh files, versions 2.2 and 4.1, text or bytes: the sections, nodes and entities.
   Gmsh Reference Manual, chapter "Gmsh file formats". */
#include "fem/formats/gmsh.h"

#include <string.h>

#include "io/text.h"

static int is_text(const char *begin, const char *end, const char *text) {
  return (size_t)(end - begin) == strlen(text) && memcmp(begin, text, strlen(text)) == 0;
}

/* ---- $MeshFormat ---- */

/* The integer 1 as bytes says in which order they are. */
static ms_status read_order(ms_gmsh_source *s) {
  ptrdiff_t one;
  s->raw = 1;
  MS_TRY(ms_gmsh_int(s, &one));
  s->raw = 0;
  s->swapped = one == 0x01000000;
  if (one == 1 || s->swapped) return MS_SUCCESS;
  s->p -= 4;
  return MS_GMSH_FAIL(s, "these four bytes must be the integer 1, in one byte order or the other");
}

static ms_status read_format(ms_gmsh *g) {
  ms_gmsh_source *s = &g->s;
  double version;
  ptrdiff_t type, size;
  MS_TRY(ms_gmsh_double(s, &version));
  MS_TRY(ms_gmsh_int(s, &type));
  MS_TRY(ms_gmsh_int(s, &size));
  g->version = version == 2.2 ? 2 : version == 4.1 ? 4 : 0;
  if (!g->version) {
    return MS_GMSH_FAIL(s,
                        "version %g of the format; it must be 2.2 or 4.1: gmsh -save -format "
                        "msh41",
                        version);
  }
  if (size != 8 || type < 0 || type > 1) {
    return MS_GMSH_FAIL(s, "file type %td with numbers of %td bytes; it must be 0 or 1, and 8",
                        type, size);
  }
  const char *begin, *end;
  ms_gmsh_line(s, &begin, &end); /* the rest of the line */
  s->binary = (int)type;
  return s->binary ? read_order(s) : MS_SUCCESS;
}

/* ---- $PhysicalNames, always text ---- */

static ms_status read_name(ms_gmsh *g) {
  ms_gmsh_source *s = &g->s;
  ptrdiff_t dimension, tag;
  const char *begin, *end;
  MS_TRY(ms_gmsh_int(s, &dimension));
  MS_TRY(ms_gmsh_int(s, &tag));
  if (!ms_gmsh_line(s, &begin, &end) || end - begin < 3 || *begin != '"' || end[-1] != '"') {
    return MS_GMSH_FAIL(s, "a physical name must be a dimension, a number and \"a name\"");
  }
  if (dimension < 0 || dimension > 3) {
    return MS_GMSH_FAIL(s, "a physical group of dimension %td; it must be 0 to 3", dimension);
  }
  return ms_gmsh_name_group(g, (int)dimension, tag, begin + 1, (size_t)(end - begin - 2));
}

static ms_status read_names(ms_gmsh *g) {
  ptrdiff_t n;
  MS_TRY(ms_gmsh_count(&g->s, "names", &n));
  for (ptrdiff_t i = 0; i < n; i++) MS_TRY(read_name(g));
  return MS_SUCCESS;
}

/* ---- $Entities of 4.1 ---- */

static ms_status read_entity(ms_gmsh *g, int dimension) {
  ms_gmsh_source *s = &g->s;
  ms_context *ctx = g->r->ctx;
  ms_gmsh_entity e = { .dimension = dimension, .first = g->n_tag };
  double box;
  MS_TRY(ms_gmsh_int(s, &e.tag));
  for (int i = 0; i < (dimension ? 6 : 3); i++) MS_TRY(ms_gmsh_double(s, &box));
  MS_TRY(ms_gmsh_count(s, "physical tags", &e.n));
  for (ptrdiff_t i = 0; i < e.n; i++) {
    ptrdiff_t tag;
    MS_TRY(ms_gmsh_int(s, &tag));
    MS_TRY(ms_grow(ctx, g->n_tag + 1, &g->tag_capacity, sizeof *g->tag, &g->tag));
    g->tag[g->n_tag++] = tag < 0 ? -tag : tag; /* below 0: turned round */
  }
  if (dimension) {
    ptrdiff_t n, value;
    MS_TRY(ms_gmsh_count(s, "boundaries", &n));
    for (ptrdiff_t i = 0; i < n; i++) MS_TRY(ms_gmsh_int(s, &value));
  }
  MS_TRY(ms_grow(ctx, g->n_entity + 1, &g->entity_capacity, sizeof *g->entity, &g->entity));
  g->entity[g->n_entity++] = e;
  return MS_SUCCESS;
}

static ms_status read_entities(ms_gmsh *g) {
  ptrdiff_t n[4];
  ms_gmsh_begin_bytes(&g->s, 0);
  for (int k = 0; k < 4; k++) MS_TRY(ms_gmsh_count(&g->s, "entities", &n[k]));
  for (int k = 0; k < 4; k++) {
    for (ptrdiff_t i = 0; i < n[k]; i++) MS_TRY(read_entity(g, k));
  }
  return MS_SUCCESS;
}

/* ---- $Nodes ---- */

static ms_status add_label(ms_gmsh *g, ptrdiff_t label) {
  int32_t before;
  ms_context *ctx = g->r->ctx;
  ptrdiff_t n = g->n_node + 1;
  if (n > INT32_MAX) return MS_GMSH_FAIL(&g->s, "more than %d nodes", INT32_MAX);
  MS_TRY(ms_labels_put(ctx, &g->nodes, label, (int32_t)g->n_node, &before));
  if (before >= 0) {
    return MS_GMSH_FAIL(&g->s, "node %td is given twice; every number must be used once", label);
  }
  MS_TRY(ms_grow(ctx, n, &g->label_capacity, sizeof *g->node_label, &g->node_label));
  MS_TRY(ms_grow(ctx, 3 * n, &g->x_capacity, sizeof *g->x, &g->x));
  g->node_label[g->n_node++] = label;
  return MS_SUCCESS;
}

static ms_status read_point(ms_gmsh *g, ptrdiff_t node) {
  for (int a = 0; a < 3; a++) {
    MS_TRY(ms_gmsh_double(&g->s, &g->x[3 * node + a]));
    g->x[3 * node + a] *= g->r->settings->length;
  }
  return MS_SUCCESS;
}

static ms_status read_nodes_2(ms_gmsh *g) {
  ptrdiff_t n, label;
  MS_TRY(ms_gmsh_count(&g->s, "nodes", &n));
  ms_gmsh_begin_bytes(&g->s, 1);
  for (ptrdiff_t i = 0; i < n; i++) {
    MS_TRY(ms_gmsh_int(&g->s, &label));
    MS_TRY(add_label(g, label));
    MS_TRY(read_point(g, g->n_node - 1));
  }
  return MS_SUCCESS;
}

static ms_status read_node_block(ms_gmsh *g) {
  ms_gmsh_source *s = &g->s;
  ptrdiff_t dimension, tag, parametric, n, label, first = g->n_node;
  double u;
  MS_TRY(ms_gmsh_int(s, &dimension));
  MS_TRY(ms_gmsh_int(s, &tag));
  MS_TRY(ms_gmsh_int(s, &parametric));
  MS_TRY(ms_gmsh_count(s, "nodes", &n));
  if (dimension < 0 || dimension > 3 || parametric < 0 || parametric > 1) {
    return MS_GMSH_FAIL(s,
                        "a block of nodes of dimension %td, parametric %td; it must be 0 to 3, "
                        "and 0 or 1",
                        dimension, parametric);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    MS_TRY(ms_gmsh_size(s, &label));
    MS_TRY(add_label(g, label));
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    MS_TRY(read_point(g, first + i));
    for (ptrdiff_t k = 0; parametric && k < dimension; k++) MS_TRY(ms_gmsh_double(s, &u));
  }
  return MS_SUCCESS;
}

static ms_status read_nodes_4(ms_gmsh *g) {
  ptrdiff_t n_block, n, least, most;
  ms_gmsh_begin_bytes(&g->s, 0);
  MS_TRY(ms_gmsh_count(&g->s, "blocks", &n_block));
  MS_TRY(ms_gmsh_count(&g->s, "nodes", &n));
  MS_TRY(ms_gmsh_size(&g->s, &least));
  MS_TRY(ms_gmsh_size(&g->s, &most));
  for (ptrdiff_t i = 0; i < n_block; i++) MS_TRY(read_node_block(g));
  if (g->n_node == n) return MS_SUCCESS;
  return MS_GMSH_FAIL(&g->s, "$Nodes says %td nodes and has %td; correct the number", n, g->n_node);
}

static ms_status read_nodes(ms_gmsh *g) {
  if (g->has_nodes) return MS_GMSH_FAIL(&g->s, "a second $Nodes; there must be one");
  g->has_nodes = 1;
  MS_TRY(g->version == 2 ? read_nodes_2(g) : read_nodes_4(g));
  return ms_gmsh_at(&g->s, ms_mesh_add_nodes(g->r->mesh, g->n_node, g->x, g->node_label, NULL));
}

static ms_status refuse_partitions(ms_gmsh *g) {
  return MS_GMSH_FAIL(&g->s, "a partitioned mesh; save it as a whole");
}

/* ---- sections ---- */

typedef struct section {
  const char *name;
  ms_status (*read)(ms_gmsh *g);
} section;

static const section sections[] = {
  { "$PhysicalNames", read_names },
  { "$Entities", read_entities },
  { "$Nodes", read_nodes },
  { "$Elements", ms_gmsh_read_elements },
  { "$PartitionedEntities", refuse_partitions },
};

enum { n_sections = sizeof sections / sizeof sections[0] };

static ms_status expect_end(ms_gmsh *g, const char *name) {
  const char *begin = g->s.p, *end = g->s.p;
  char wanted[64];
  snprintf(wanted, sizeof wanted, "$End%s", name + 1);
  g->s.raw = 0;
  while (ms_gmsh_line(&g->s, &begin, &end) && begin == end) continue;
  if (is_text(begin, end, wanted)) return MS_SUCCESS;
  char shown[MS_IO_EXCERPT_SIZE];
  return MS_GMSH_FAIL(&g->s, "'%s' where %s must end with %s; correct the counts in it",
                      ms_io_excerpt((ms_span) { begin, end }, shown), name, wanted);
}

/* Goes past a section that is not read and notes it. */
static ms_status skip_section(ms_gmsh *g, const char *begin, const char *end) {
  ms_gmsh_source *s = &g->s;
  char name[64], wanted[64];
  snprintf(name, sizeof name, "%.*s", (int)(end - begin), begin);
  snprintf(wanted, sizeof wanted, "$End%.*s", (int)(end - begin - 1), begin + 1);
  ms_reader_clean(name, strlen(name));
  ms_condition note = {
    .kind = MS_CONDITION_IGNORED, .name = name, .reference = -1, .file = s->path, .line = s->line
  };
  MS_TRY(ms_mesh_add_condition(g->r->mesh, &note));
  const char *line, *line_end;
  while (ms_gmsh_line(s, &line, &line_end)) {
    if (is_text(line, line_end, wanted)) return MS_SUCCESS;
  }
  return MS_GMSH_FAIL(s, "the file ends inside %s; complete it", name);
}

static ms_status read_section(ms_gmsh *g, const char *begin, const char *end) {
  char shown[MS_IO_EXCERPT_SIZE];
  if (*begin != '$' || end - begin > 60) {
    return MS_GMSH_FAIL(&g->s, "'%s' between sections; there must be one, such as $Nodes",
                        ms_io_excerpt((ms_span) { begin, end }, shown));
  }
  for (int i = 0; i < n_sections; i++) {
    if (!is_text(begin, end, sections[i].name)) continue;
    g->s.where = sections[i].name;
    MS_TRY(sections[i].read(g));
    return expect_end(g, sections[i].name);
  }
  return skip_section(g, begin, end);
}

static ms_status read_sections(ms_gmsh *g) {
  const char *begin = g->s.p, *end = g->s.p;
  while (ms_gmsh_line(&g->s, &begin, &end) && begin == end) continue;
  if (!is_text(begin, end, "$MeshFormat")) {
    return MS_GMSH_FAIL(&g->s,
                        "is not a Gmsh file of a known version; it must begin with $MeshFormat");
  }
  g->s.where = "$MeshFormat";
  MS_TRY(read_format(g));
  MS_TRY(expect_end(g, "$MeshFormat"));
  while (ms_gmsh_line(&g->s, &begin, &end)) {
    if (begin < end) MS_TRY(read_section(g, begin, end));
  }
  if (g->has_nodes && g->has_elements) return ms_gmsh_finish(g);
  return MS_GMSH_FAIL(&g->s, "the file ends without %s; it must have both $Nodes and $Elements",
                      g->has_nodes ? "$Elements" : "$Nodes");
}

static void discard(ms_gmsh *g) {
  ms_context *ctx = g->r->ctx;
  for (ptrdiff_t i = 0; i < g->n_group; i++) {
    ms_free(ctx, &g->group[i].name);
    ms_free(ctx, &g->group[i].member);
  }
  ms_free(ctx, &g->group);
  ms_free(ctx, &g->x);
  ms_free(ctx, &g->node_label);
  ms_free(ctx, &g->entity);
  ms_free(ctx, &g->tag);
  ms_labels_free(ctx, &g->nodes);
  ms_labels_free(ctx, &g->elements);
  ms_bins_free(ctx, &g->bins);
  ms_skin_free(ctx, &g->skin);
}

static ms_status gmsh_read(ms_reader *r) {
  const char *end = r->bytes + r->length;
  ms_gmsh g = { .r = r };
  g.s = (ms_gmsh_source) {
    .ctx = r->ctx, .path = r->path, .begin = r->bytes, .p = r->bytes, .end = end
  };
  ms_status status = read_sections(&g);
  discard(&g);
  return status;
}

static int gmsh_sniff(const char *bytes, size_t length) {
  static const char head[] = "$MeshFormat";
  return length >= sizeof head - 1 && memcmp(bytes, head, sizeof head - 1) == 0;
}

static const char *const endings[] = { ".msh", NULL };

const ms_mesh_format ms_mesh_format_gmsh = {
  .name = "gmsh",
  .title = "Gmsh .msh, versions 2.2 and 4.1",
  .endings = endings,
  .sniff = gmsh_sniff,
  .read = gmsh_read,
};
