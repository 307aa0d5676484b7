/* [fem] The finite elements as a table of functions, for programs that load them as a plugin
   instead of linking: ms_fem_plugin.functions. Each is the function of fem.h or fem_model.h with
   ms_ before its name.
 */
#ifndef MICROSLIP_FEM_TABLE_H
#define MICROSLIP_FEM_TABLE_H

#include <microslip/fem_contact.h>
#include <microslip/fem_model.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MS_FEM_FUNCTIONS(X) \
  X(element_find)           \
  X(beam_rectangle)         \
  X(beam_circle)            \
  X(beam_pipe)              \
  X(mesh_create)            \
  X(mesh_read)              \
  X(mesh_find_box)          \
  X(mesh_find_nearest)      \
  X(mesh_count_conditions)  \
  X(mesh_get_condition)     \
  X(mesh_destroy)           \
  X(mesh_add_part)          \
  X(mesh_add_drilled_brick) \
  X(mesh_add_rings)         \
  X(mesh_merge)             \
  X(mesh_check)             \
  X(mesh_find_part)         \
  X(mesh_find_part_at)      \
  X(mesh_find_set)          \
  X(mesh_count_sets)        \
  X(mesh_get_set)           \
  X(mesh_count_nodes)       \
  X(mesh_count_elements)    \
  X(mesh_count_parts)       \
  X(mesh_count_blocks)      \
  X(mesh_get_nodes)         \
  X(mesh_get_part)          \
  X(mesh_get_block)         \
  X(mesh_write_vtu)         \
  X(mesh_find_families)     \
  X(scene_create)           \
  X(scene_get)              \
  X(scene_fill)             \
  X(scene_destroy)          \
  X(fem_create)             \
  X(fem_destroy)            \
  X(fem_fix)                \
  X(fem_fix_set)            \
  X(fem_add_spider)         \
  X(fem_find_in_box)        \
  X(fem_tie)                \
  X(fem_link)               \
  X(fem_add_spring)         \
  X(fem_add_condition)      \
  X(fem_find_term)          \
  X(fem_add_marks)          \
  X(fem_recover)            \
  X(fem_find_moved_part)    \
  X(fem_write_motions)      \
  X(fem_picture_create)     \
  X(fem_picture_destroy)    \
  X(fem_picture_get)        \
  X(fem_picture_move)       \
  X(fem_keep_matching)      \
  X(fem_add_joints)         \
  X(fem_setup)              \
  X(fem_get_size)           \
  X(fem_get_index)          \
  X(fem_count_unknowns)     \
  X(fem_get_mass)           \
  X(fem_take_basis)         \
  X(fem_get_line)           \
  X(fem_find_modes)         \
  X(fem_modes_free)         \
  X(fem_reduce)             \
  X(fem_outline)            \
  X(fem_add_contact)        \
  X(fem_add_bolts)          \
  X(fem_get_contact_points) \
  X(fem_find_rest)          \
  X(fem_rest_free)          \
  X(fem_stick_rest)         \
  X(fem_expect_modes)       \
  X(fem_load_modes)         \
  X(fem_list_numbers)       \
  X(fem_load_changed)       \
  X(fem_find_modal)         \
  X(fem_keep_flexibility)   \
  X(fem_write_frames)

typedef struct ms_fem_functions {
#define MS_FEM_ENTRY(name) __typeof__(ms_##name) *name;
  MS_FEM_FUNCTIONS(MS_FEM_ENTRY)
#undef MS_FEM_ENTRY
} ms_fem_functions;

#ifdef __cplusplus
}
#endif
#endif
