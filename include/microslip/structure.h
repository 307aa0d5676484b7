/* [structure] Structures: M u" + C u' + K u + sum over joints B f(B^T u) = F(t).

   M, C, K are the linear structure without its joints; u its named coordinates. A joint's own
   displacement is z = B^T u, one column of B for each of its axes (and see curvature below).
   Matrices are dense, n x n, column-major: this header is about reduced models. SI units. */
#ifndef MICROSLIP_STRUCTURE_H
#define MICROSLIP_STRUCTURE_H

#include <microslip/joint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_structure ms_structure;

/* n coordinates, no mass, no stiffness; names may be NULL ("u1", "u2", ...). */
MS_API ms_status ms_structure_create(ms_context *ctx, ptrdiff_t n, const char *const *names,
                                     ms_structure **out);
MS_API void ms_structure_destroy(ms_structure **structure);

/* Whole matrices, n x n, copied; they must be symmetric (to 1e-9 of their largest entry). */
MS_API ms_status ms_structure_set_mass(ms_structure *structure, const double *M);
MS_API ms_status ms_structure_set_stiffness(ms_structure *structure, const double *K);
/* Or piece by piece, added to what is there. A coordinate of MS_GROUND is the ground. */
#define MS_GROUND ((ptrdiff_t)-1)
MS_API ms_status ms_structure_add_mass(ms_structure *structure, ptrdiff_t i, double m);
MS_API ms_status ms_structure_add_spring(ms_structure *structure, ptrdiff_t i, ptrdiff_t j,
                                         double k);
/* With a name, under which calibrate.h finds it; one without is called by its number, "1" the first
   that was added. Whole matrices make springs and masses forgotten. */
MS_API ms_status ms_structure_add_named_spring(ms_structure *structure, const char *name,
                                               ptrdiff_t i, ptrdiff_t j, double k);

/* ---- what a test attaches: sensors, the tip of a stinger and its stiffness ---- */

typedef struct ms_attached_part {
  const char *name;
  const char *at;   /* a coordinate, or a node N with coordinates N.ux N.uy N.uz, or N.x N.y N.z */
  double mass;      /* kg, on the coordinate, or on all translations of the node; 0: none */
  double stiffness; /* N/m, of a spring of that name from there to: */
  const char *to;   /* a coordinate; NULL: the ground */
  int direction;    /* of a node's spring, 0 to 2 for x to z; -1: it moves in one only */
} ms_attached_part;
/* Before setup. Masses and springs are those of ms_structure_add_mass and
   ms_structure_add_named_spring, and so may be free. */
MS_API ms_status ms_structure_attach(ms_structure *structure, const ms_attached_part *part);
/* After setup: by how much these parts, which were attached, change the frequencies of the first
   elastic stuck modes. "" where there are none, or nothing vibrates without them. */
MS_API ms_status ms_structure_print_attached(const ms_structure *structure, ptrdiff_t n,
                                             const ms_attached_part *part, char *text, size_t size);

/* Another name under which ms_structure_find knows coordinate i, perhaps the ground. */
MS_API ms_status ms_structure_add_alias(ms_structure *structure, const char *name, ptrdiff_t i);
/* A structure in which coordinates pair[2 k] and pair[2 k + 1] are one, rigid to each other, or
   held where one of them is MS_GROUND. The lower one keeps its name, the others become aliases.
   Before joints and damping. What is one already is refused with both names; *bad (may be NULL) is
   then the pair. */
MS_API ms_status ms_structure_join(const ms_structure *structure, ptrdiff_t n_pair,
                                   const ptrdiff_t *pair, ms_structure **out, ptrdiff_t *bad);

/* Damping: one of these. Modal ratios refer to the stuck modes, zeta[r] for mode r (n of them). */
MS_API ms_status ms_structure_set_modal_damping(ms_structure *structure, const double *zeta);
/* C = mass M + stiffness K_0, K_0 the stuck stiffness. */
MS_API ms_status ms_structure_set_rayleigh_damping(ms_structure *structure, double mass,
                                                   double stiffness);
MS_API ms_status ms_structure_set_damping(ms_structure *structure, const double *C);

/* Takes the joint over (*joint becomes NULL). Axis a acts between coordinates from[a] and to[a]:
   z[a] = u[to] - u[from]. */
MS_API ms_status ms_structure_take_joint(ms_structure *structure, const char *name,
                                         ms_joint **joint, const ptrdiff_t *from,
                                         const ptrdiff_t *to);

/* For axis `axis` of the joint with that index, beside its two coordinates: a mapping row, z += b^T
   u (n weights), with which a joint sits on any combination of coordinates; */
MS_API ms_status ms_structure_set_mapping_row(ms_structure *structure, int joint, int axis,
                                              const double *b);
/* and a part that is quadratic, z += u^T G u/2 (n x n, symmetric), such as the shortening of a beam
   that bends. The joint's force f then acts on u with (b + G u) f, so that energy is kept. Of u
   only the `modes` lowest stuck modes count in it (0: all). In time and in harmonic balance;
   quasi-static modes refuse it, and linear answers are about rest, where it is nothing. */
MS_API ms_status ms_structure_set_curvature(ms_structure *structure, int joint, int axis,
                                            const double *G, ptrdiff_t modes);

/* Stuck and slipped modes, and everything that follows from them. Stuck: every joint with its
   tangent at rest. Slipped: with the stiffness about rest that slip leaves it (K_inf of an Iwan
   element, the whole of a spring; of a gap what it has at rest: nothing, unless it is closed).
   Again after joints were given other parameters: they start virgin. */
MS_API ms_status ms_structure_setup(ms_structure *structure);

/* A copy of a structure that is set up, for another thread: matrices and joints (virgin) are its
   own, modes are shared until it is set up again. `from` must outlive that and must not be changed
   meanwhile. */
MS_API ms_status ms_structure_copy(ms_context *ctx, const ms_structure *from, ms_structure **out);

/* ---- what it is ---- */
MS_API ptrdiff_t ms_structure_get_size(const ms_structure *structure);
MS_API const char *ms_structure_get_name(const ms_structure *structure, ptrdiff_t i);
/* The coordinate of that name; "ground" is MS_GROUND. Unknown names fail with the nearest one. */
MS_API ms_status ms_structure_find(const ms_structure *structure, const char *name, ptrdiff_t *out);
/* A translation of everything by 1 along x, y or z (direction 0, 1, 2), by the names: 1 for "n12.x"
   or "n12.ux", else 0. MS_ERR_NAME where no degree of freedom has that direction. */
MS_API ms_status ms_structure_fill_translation(const ms_structure *structure, int direction,
                                               double *iota);
/* Whether a degree of freedom is an angle, by its name: "n12.rx", "root.rz". */
MS_API int ms_name_is_rotation(const char *name);

/* ---- nodes ---- */

/* A node N has coordinates N.ux N.uy N.uz N.rx N.ry N.rz, or some of them. */
#define MS_NODE_NAME 192
typedef struct ms_node_pair {
  char name[MS_NODE_NAME];    /* bolt.1 */
  char node[2][MS_NODE_NAME]; /* bolt.1.a, bolt.1.b */
} ms_node_pair;

/* The pairs of nodes that a joint of that name connects, to be freed by ms_free. Without `node`
   (NULL) nodes P.a and P.b whose P matches the name, a pattern of the shell. Else these two; with a
   '*' in each (or one of them "ground") all in which it stands for the same letters, which it also
   does in the name. None is a failure. */
MS_API ms_status ms_structure_find_pairs(const ms_structure *structure, const char *name,
                                         const char *const *node, ptrdiff_t *n,
                                         ms_node_pair **pair);
/* The coordinate of a node along x y z (direction 0 1 2) or about them (3 4 5), and its name: "N.x"
   where there is one, else "N.ux"; the ground has none. */
MS_API ms_status ms_structure_find_component(const ms_structure *structure, const char *node,
                                             int direction, char name[MS_NODE_NAME],
                                             ptrdiff_t *out);

MS_API const double *ms_structure_get_mass(const ms_structure *structure);
/* y += factor M x. */
MS_API void ms_structure_apply_mass(const ms_structure *structure, double factor, const double *x,
                                    double *y);
MS_API const double *ms_structure_get_stiffness(const ms_structure *structure);
/* K_0: the stiffness with every joint stuck. n x n. */
MS_API void ms_structure_fill_stuck(const ms_structure *structure, double *K);
MS_API int ms_structure_count_joints(const ms_structure *structure);
MS_API ms_joint *ms_structure_get_joint(const ms_structure *structure, int index);
MS_API const char *ms_structure_get_joint_name(const ms_structure *structure, int index);
/* "Joint lap:", or "Joints bolt.1.x, bolt.2.x:" of all that are like this one (ms_joint_is_like),
   into text, size bytes. 0: an earlier one is like it, which has named both. */
MS_API int ms_structure_print_alike(const ms_structure *structure, int joint, char *text, int size);
/* Stuck frequencies, after setup, outside of what engineering knows: an error, as units are wrong.
 */
MS_API ms_status ms_structure_check_frequencies(const ms_structure *structure);
/* The same of Young's modulus (Pa) and density (kg/m^3) of `what`: 1, and why in a sentence. */
MS_API int ms_structure_material_warning(const char *what, double E, double rho, char *text,
                                         size_t size);

/* ---- modes, after setup ---- */

/* Mass-normalised modes, frequencies rising. In each shape the entry of largest size is positive
   (the first of them where several are equal); modes of one frequency are chosen by the structure's
   coordinates, not by rounding. omega is 0 for a rigid-body mode. */
typedef struct ms_modes {
  ptrdiff_t n;
  const double *omega; /* rad/s */
  const double *shape; /* n x n, shape[i + n*r] */
} ms_modes;
MS_API ms_modes ms_structure_get_stuck(const ms_structure *structure);
MS_API ms_modes ms_structure_get_slipped(const ms_structure *structure);
/* What a force over the coordinates does on stuck mode r: phi_r^T force. *size (may be NULL) is the
   sum of the sizes of its terms, against which rounding is told. */
MS_API double ms_structure_get_modal_force(const ms_structure *structure, ptrdiff_t r,
                                           const double *force, double *size);
/* Its effective mass in a direction of the ground, (phi_r^T M iota)^2, from M iota. Over all modes
   they add up to the mass that can move relative to the ground. */
MS_API double ms_structure_get_effective_mass(const ms_structure *structure, ptrdiff_t r,
                                              const double *M_iota);
/* Contacts between solids in the place of joints, whose numbers may be free or random (see
   microslip/contact.h). Borrowed; copies of the structure have it too. */
struct ms_contact_family;
MS_API void ms_structure_set_contact(ms_structure *structure,
                                     const struct ms_contact_family *contact);
/* The damping ratio of stuck mode r by the structure's own damping, which knows nothing of dashpots
   in joints; 0 for rigid-body modes. */
MS_API double ms_structure_get_damping_ratio(const ms_structure *structure, ptrdiff_t r);
/* The part of a mode's damping ratio zeta, at angular frequency omega, that is the joints': zeta -
 * zeta_0 omega_0/omega. */
MS_API double ms_structure_get_excess_damping(const ms_structure *structure, ptrdiff_t mode,
                                              double omega, double zeta);
/* What the joints' dashpots add to it while nothing slips: phi_r^T B C_J B^T phi_r/(2 omega_r), C_J
   the tangents dF/dv of the virgin joints. Of first order in C_J. */
MS_API double ms_structure_get_joint_damping_ratio(const ms_structure *structure, ptrdiff_t r);
/* The damping matrix in coordinates: M Phi diag(2 omega zeta) Phi^T M, or as given. n x n. */
MS_API ms_status ms_structure_fill_damping(const ms_structure *structure, double *C);

/* Names, matrices, modes (of shapes the first 20) and damping, below `structure` of a file of
   results (io.h). */
struct ms_results;
MS_API ms_status ms_structure_write_results(const ms_structure *structure,
                                            struct ms_results *results);

#ifdef __cplusplus
}
#endif
#endif
