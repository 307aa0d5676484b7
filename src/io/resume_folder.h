/* A folder in which interrupted work is kept. */
#ifndef MS_IO_RESUME_FOLDER_H
#define MS_IO_RESUME_FOLDER_H

#include <stdio.h>

#include "io/kept_jobs.h"

typedef struct ms_resume_request {
  ms_context *ctx;
  const char *folder;                         /* of the results: .resume is made in it */
  uint64_t identity;                          /* of the work: another one is not gone on with */
  const char *prefix;                         /* of other files that are kept beside the jobs */
  void (*print)(const void *user, FILE *out); /* what the work is, for people */
  const void *user;
} ms_resume_request;

typedef struct ms_resume_folder ms_resume_folder;
/* `resume`: interrupted work that is there is gone on with; else it is refused. Other work, and a
   folder that another process works in, are always refused. */
ms_status ms_resume_folder_open(const ms_resume_request *request, int resume,
                                ms_resume_folder **out);
/* Lets go; what is kept stays unless `remove` is set. *folder becomes NULL. */
ms_status ms_resume_folder_close(ms_resume_folder **folder, int remove);
ms_kept_jobs *ms_resume_folder_jobs(const ms_resume_folder *folder);
/* Where other files are kept, and the identity as numbers. */
const char *ms_resume_folder_path(const ms_resume_folder *folder, double identity[2]);

#endif
