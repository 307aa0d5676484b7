/* Keys of the study file beside those of analyses, each list in the file that reads it. They hang
   together: ms_study_keys (study.h) is the root, `keys` of a row leads on. */
#ifndef MS_STUDY_MODEL_KEYS_H
#define MS_STUDY_MODEL_KEYS_H

#include "study/options.h"

/* A matrix in the file, its diagonal, or a file with one. */
#define MS_FORMS_MATRIX "file, list of numbers or list of lists of numbers"

extern const ms_param_list ms_units_keys;
/* build.c, build_matrices.c, build_beam.c */
extern const ms_param_list ms_structure_keys, ms_matrices_keys, ms_beam_keys, ms_shortening_keys;
/* build_joints.c, build_normal.c; names that the file chooses, and one of them */
extern const ms_param_list ms_joints_keys, ms_normal_keys;
/* loads.c */
extern const ms_param_list ms_loads_keys;
/* fe.c, substructures.c */
extern const ms_param_list ms_reduce_keys, ms_substructures_keys;
/* fe_mesh.c, fe_parts.c, fe_sections.c, fe_model.c, fe_spiders.c */
extern const ms_param_list ms_fe_keys, ms_materials_keys, ms_parts_keys, ms_section_keys;
extern const ms_param_list ms_tie_keys, ms_spiders_keys;

#endif
