/* Keys of the study file beside those of analyses, each list in the file that reads it. They hang
   together: ms_study_keys (study.h) is the root, `keys` of a row leads on. */
#ifndef MS_STUDY_FILE_MODEL_KEYS_H
#define MS_STUDY_FILE_MODEL_KEYS_H

#include "io/yaml/test_keys.h"
#include "study/file/options.h"

/* A matrix in the file, its diagonal, or a file with one. */
#define MS_FORMS_MATRIX "file, list of numbers or list of lists of numbers"

/* model/build.c, model/matrices.c, model/beam.c */
extern const ms_param_list ms_structure_keys, ms_matrices_keys, ms_beam_keys, ms_shortening_keys;
/* model/joints.c, model/normal_spring.c; names that the file chooses, and one of them */
extern const ms_param_list ms_joints_keys, ms_normal_keys;
/* model/loads.c */
extern const ms_param_list ms_loads_keys;
/* model/fe/fe.c, model/substructures.c */
extern const ms_param_list ms_reduce_keys, ms_substructures_keys;
/* model/fe/mesh.c, model/fe/parts.c, model/fe/materials.c, model/fe/supports.c, model/fe/spiders.c,
   model/fe/contacts.c */
extern const ms_param_list ms_fe_keys, ms_materials_keys, ms_parts_keys, ms_section_keys;
extern const ms_param_list ms_tie_keys, ms_spiders_keys, ms_contacts_keys, ms_bolts_keys,
    ms_preload_keys;

#endif
