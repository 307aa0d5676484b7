/* Contacts between solids in results. */
#ifndef MS_STUDY_ANALYSES_CONTACT_CONTACT_H
#define MS_STUDY_ANALYSES_CONTACT_CONTACT_H

#include <microslip/report.h>

#include "study/study.h"

/* map.c: fields on the faces of all contacts, by point, with a slider over the frames; of `fields`
   all but the body. */
ms_status ms_contact_show_map(const ms_study *study, ms_page *page, const char *caption,
                              ms_fields fields);
/* The same, up to four fields, as VTU files NAME_1.vtu, ..., and NAME.pvd for frames with values.
 */
ms_status ms_contact_write_vtu(const ms_study *study, const char *name, const ms_fields *fields);

/* Of a study with contacts: the law of each, and how they were pressed. */
ms_status ms_contact_add_laws(ms_study *s, ms_task *task);

/* Only meshes are written. */
ms_status ms_contact_check_vtu(const ms_study *s, const ms_task *task, int vtu);

#endif
