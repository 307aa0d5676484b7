/* What is rounding in meshes, properties and constraints, and numbers of the room's algorithms that
   no caller has a reason to change; those of the solvers are in ms_fem_settings. */
#ifndef MS_FEM_TOLERANCE_H
#define MS_FEM_TOLERANCE_H

#include <microslip/tolerance.h>

#define MS_MESH_TOLERANCES(X)                                                                      \
  X(isotropy, 1e-12, "relative difference of moduli that counts as none")                          \
  X(skew, 1e-9, "axes this far from orthonormal are refused: digits that a file leaves away")      \
  X(inertia, 1e-12, "of the moments' sum: negative by this much is rounding of zero")              \
  X(in_line, 1e-6, "sine of the angle of directions that are parallel, of nodes that are in line") \
  X(vanished, 1e-10, "of the largest term met: what cancels to this is zero")                      \
  X(dropped, 1e-14, "of the largest coefficient of a constraint: noise")                           \
  X(thin, 1e-12, "of the size of an inertia: rotations that move nothing")                         \
  X(no_share, 1e-9, "of a mode's energy: a share below it is 0")                                   \
  X(free, 1e-12, "eigenvalue of a Gram matrix with unit diagonal that is none")                    \
  X(null_row, 1e-12, "of the size of its terms: what cancels to this is no row (squared: c c^T)")  \
  X(spring, 1e-14, "of the largest eigenvalue of a spring: a direction that it leaves free")       \
  X(widest_core, 0.6, "of a disc's radius: corners of its core stay well inside")                  \
  X(core_round, 0.5, "of a disc's core: 0 a square, 1 a circle")                                   \
  X(merge_growth, 1.12, "of the distance within which nodes merge, from one attempt to the next")  \
  X(patience, 3.0, "s that a process which failed waits for the others")                           \
  X(stagger, 1.5, "s more for each rank: the first that gives up ends all")                        \
  X(flat, 1e-9, "of the size of a set's box: a thinner one is flat")                               \
  X(same_place, 1e-6, "of the size of the mesh: nodes nearer than this merge, if nothing is said") \
  X(near, 0.05, "of the size of the mesh: a point farther from all nodes is a mistake")            \
  X(unbalanced, 1e-6, "of the loads on a free assembly: what is left of their sum")                \
  X(beside, 1e-6, "of an element's side: a Gauss point this far beside the other face misses it")  \
  X(cut, 1e-3, "of the size of a bolt's cut: nodes this far out of its plane are in it")           \
  X(table_edge, 1e-9, "of the range of a table of gaps: a point this far outside is on its edge")  \
  X(reach, 1e-3, "m: how far a tied node may be from its face where the mesh file gives nothing")  \
  X(main_share, 0.5, "of a mode: from this share of its kinetic energy on a motion names it")      \
  X(larger, 1e-6,                                                                                  \
    "of an entry: one that is larger by less is not, so that rounding chooses nothing")            \
  X(undetermined, 1e-9, "pivot of a spider of nodes, scaled to 1: below it they are on one line")  \
  X(in_box, 1e-9, "of the size of a box: a node this far outside is in it")                        \
  X(least_sector, 1e-3, "rad: elements of a thinner sector are needles")                           \
  X(most_sector, 0.5236, "rad: 30 degrees, whose chord is 3.4 % shorter across than the arc")
typedef struct ms_mesh_tolerances {
  MS_MESH_TOLERANCES(MS_TOLERANCE_FIELD)
} ms_mesh_tolerances;
static const ms_mesh_tolerances ms_mesh_tol = { MS_MESH_TOLERANCES(MS_TOLERANCE_DEFAULT) };

#endif
