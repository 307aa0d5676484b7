/* structure: attached. Sensors, the tip of a stinger and its stiffness. */
#include "io/yaml/test_keys.h"
#include "study/model/build.h"
#include "study/file/model_keys.h"

static ms_status read_part(const ms_study *s, struct fy_node *key, struct fy_node *node,
                           ms_attached_part *out) {
  ms_attached_options o = { 0 };
  MS_TRY(ms_options_read_mapping(s, &s->units, node, "a part that is attached",
                                 &ms_attached_part_keys, &o));
  *out = (ms_attached_part) { NULL, o.at, o.mass, o.stiffness, o.to, o.direction - 1 };
  MS_TRY(ms_yaml_text(&s->yaml, key, "a name", &out->name));
  if (o.mass > 0.0 || o.stiffness > 0.0) return MS_SUCCESS;
  return ms_yaml_fail(&s->yaml, node, MS_ERR_FORMAT, "%.60s needs a mass or a stiffness",
                      out->name);
}

ms_status ms_build_attached(ms_builder *b, struct fy_node *node) {
  void *at = NULL;
  if (node && b->study->has_contacts) {
    return ms_yaml_fail(b->y, node, MS_ERR_ARGUMENT,
                        "with contacts nothing can be attached: put masses and springs into the "
                        "mesh or the matrices");
  }
  for (struct fy_node *key, *value; node && (value = ms_yaml_next_pair(node, &at, &key));) {
    ms_attached_part part;
    MS_TRY(read_part(b->study, key, value, &part));
    MS_TRY(ms_build_at(b, value, ms_structure_attach(b->structure, &part)));
  }
  return MS_SUCCESS;
}

ms_status ms_study_check_attached(ms_study *s) {
  struct fy_node *node = ms_yaml_get(ms_yaml_get(ms_yaml_root(&s->yaml), "structure"), "attached");
  ms_attached_part *part;
  ptrdiff_t n = 0;
  void *at = NULL;
  char text[300] = "";
  if (!node || !ms_study_knows_modes(s)) return MS_SUCCESS;
  MS_TRY(ms_allocate(s->ctx, ms_yaml_count(node) + 1, sizeof *part, &part));
  ms_status status = MS_SUCCESS;
  for (struct fy_node *key, *value; !status && (value = ms_yaml_next_pair(node, &at, &key));)
    status = read_part(s, key, value, &part[n++]);
  if (!status) status = ms_structure_print_attached(s->structure, n, part, text, sizeof text);
  if (!status && *text) status = ms_study_note(s, "%s", text);
  ms_free(s->ctx, &part);
  return status;
}
