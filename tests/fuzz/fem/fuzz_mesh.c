/* Mutated mesh files, Gmsh, Abaqus and classic Exodus: whatever comes in, a sound mesh or a clean
   refusal comes out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/formats/reader.h"
#include "support/check.h"
#include "support/fuzz.h"

#define NAME "fuzzed.msh" /* stands for the file in messages */

static const char *fault_of_mesh(const ms_mesh *mesh) {
  const double *x = ms_mesh_get_nodes(mesh);
  if (ms_mesh_count_elements(mesh) < 1) return "accepted without elements";
  for (ptrdiff_t i = 0; i < 3 * ms_mesh_count_nodes(mesh); i++) {
    if (!isfinite(x[i])) return "accepted a value that is not finite";
  }
  for (int k = 0; k < ms_mesh_count_blocks(mesh); k++) {
    ms_mesh_block b = ms_mesh_get_block(mesh, k);
    for (ptrdiff_t i = 0; i < b.n * b.element->n_node; i++) {
      if (b.node[i] < 0 || b.node[i] >= ms_mesh_count_nodes(mesh)) return "a node is outside";
    }
  }
  for (int k = 0; k < ms_mesh_count_conditions(mesh); k++) {
    const ms_condition *c = ms_mesh_get_condition(mesh, k);
    if (!c->file || c->line < 1) return "a condition without its place";
  }
  return NULL;
}

static const char *fault_of_refusal(ms_context *ctx, ms_status status) {
  const char *message = ms_context_message(ctx);
  if (status >= 0 || status == MS_ERR_MEMORY) return "refused with the wrong status";
  if (strncmp(message, NAME ":", strlen(NAME ":")) != 0) return "the message lacks the name";
  return strpbrk(message, "\r\n") ? "the message is more than one line" : NULL;
}

static const char *fault_of(const char *text, size_t length, long *accepted) {
  test_bounded memory;
  ms_context *ctx = test_fuzz_open(&memory, length);
  ms_part any = { .material = ms_material_isotropic(71.3e9, 0.317, 2710.0),
                  .section = { 1e-4, 1e-9, 1e-9, 2e-9, 0.85, 0.85, { 0 } },
                  .mass = 1.0 };
  ms_mesh_read_settings s = ms_mesh_read_defaults();
  ms_mesh *mesh;
  s.n_part = 1;
  s.part = &any;
  ms_status status = ms_mesh_parse(ctx, NAME, text, length, &s, &mesh);
  const char *fault = status == MS_SUCCESS ? fault_of_mesh(mesh) : fault_of_refusal(ctx, status);
  if (status != MS_SUCCESS && mesh) fault = "a leftover";
  *accepted += status == MS_SUCCESS;
  ms_mesh_destroy(&mesh);
  return test_fuzz_close(&memory, &ctx, fault);
}

static const test_token seeds[] = {
  TOKEN(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n3 1 \"body\"\n2 2 \"foot\"\n"
      "$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n3\n"
      "1 4 2 1 1 1 2 3 4\n2 2 2 2 1 1 3 2\n3 15 2 9 1 1\n$EndElements\n"),
  TOKEN("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 1 1\n1 0 0 0 1 1 1 1 6 0\n"
        "1 0 0 0 1 1 1 1 5 1 1\n$EndEntities\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n"
        "0 1 0\n0 0 1\n$EndNodes\n$Elements\n2 2 1 2\n2 1 2 1\n2 1 3 2\n3 1 4 1\n1 1 2 3 4\n"
        "$EndElements\n"),
  TOKEN(
      "$MeshFormat\n2.2 1 8\n\1\0\0\0\n$EndMeshFormat\n$Nodes\n4\n"
      "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
      "\2\0\0\0\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
      "\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\0"
      "\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xf0\x3f"
      "\n$EndNodes\n$Elements\n1\n\4\0\0\0\1\0\0\0\2\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\2\0\0\0"
      "\3\0\0\0\4\0\0\0\n$EndElements\n"),
  TOKEN("*Node, nset=All\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n*Element, type=C3D4, elset=Body\n"
        "7,1,2,\n3,4\n*Surface, name=S\nBody, S1\n*Nset, nset=G, generate\n1,3,2\n"
        "*Solid Section, elset=Body, material=M\n*Material, "
        "name=M\n*Elastic\n2e11,.3\n*Density\n7800\n"
        "*Boundary\nG, 1, 3\n2, 2, 2, .1\n*Coupling, ref node=4, surface=S\n*Kinematic\n1,2\n"
        "*Equation\n2\n1,1,1.,2,2,-1.\n*MPC\nPIN, 1, 2\n*Tie\nS, S\n*Step\n*Static\n1,2\n*End "
        "Step\n"),
  TOKEN("*Part, name=P\n*Node\n1,0,0,0\n2,1,0,0\n*Element, type=B31, elset=E\n1,1,2\n"
        "*Beam Section, elset=E, material=M, section=RECT\n.1,.2\n0,1,0\n*End Part\n*Assembly\n"
        "*Instance, name=I, part=P\n1,2,3\n0,0,0,0,0,1,30\n*End Instance\n*Nset, nset=N, "
        "instance=I\n2\n"
        "*Element, type=SPRING1, elset=K\n1, I.1\n*Spring, elset=K\n2\n5e3\n*End Assembly\n"
        "*Material, name=M\n*Elastic\n1e9,.2\n"),
  /* one tetrahedron: coord(3, 4), eb_prop1(1), connect1(1, 4) with elem_type */
  TOKEN(
      "CDF\1\0\0\0\0\0\0\0\12\0\0\0\3\0\0\0\1a\0\0\0\0\0\0\3\0\0\0\1b\0\0\0\0\0\0\4\0\0\0\1c\0\0\0"
      "\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\13\0\0\0\3"
      "\0\0\0\5coord\0\0\0\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0\60\0\0\0\344"
      "\0\0\0\10eb_prop1\0\0\0\1\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\4\0\0\0\4\0\0\1\24"
      "\0\0\0\10connect1\0\0\0\2\0\0\0\2\0\0\0\1\0\0\0\14\0\0\0\1\0\0\0\11elem_type\0\0\0"
      "\0\0\0\2\0\0\0\5TETRA\0\0\0\0\0\0\4\0\0\0\20\0\0\1\30"
      "\0\0\0\0\x3f\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x3f\x80\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\0\x3f\x80\0\0\0\0\0\7\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4"),
  TOKEN(""),
};

static const test_token tokens[] = {
  TOKEN("nan"),
  TOKEN("1e999"),
  TOKEN("\0"),
  TOKEN("\n"),
  TOKEN("\r\n"),
  TOKEN(" "),
  TOKEN(","),
  TOKEN("-1"),
  TOKEN("0"),
  TOKEN("99"),
  TOKEN("2147483648"),
  TOKEN("99999999999999999999"),
  TOKEN("$Nodes\n"),
  TOKEN("$Elements\n"),
  TOKEN("$EndNodes\n"),
  TOKEN("$Comments\n"),
  TOKEN("*Node\n"),
  TOKEN("*End Part\n"),
  TOKEN("*Part, name=P\n"),
  TOKEN("*Elset, elset=Body\n"),
  TOKEN("generate"),
  TOKEN("I."),
  TOKEN("\xff\xff\xff\xff"),
  TOKEN("\0\0\0\0\0\0\0\1"),
  TOKEN("S6"),
  TOKEN("*Step\n"),
  TOKEN("\""),
  TOKEN("="),
};

MS_FUZZ_MAIN(fault_of, seeds, tokens)
