/* Templates of `microslip new ANALYSIS`. */
#ifndef MS_CLI_TEMPLATES_H
#define MS_CLI_TEMPLATES_H

typedef struct cli_template {
  const char *name;
  const char *needs;     /* templates that come before it, e.g. "modal_ringdown fit_modal" */
  const char *structure; /* its own; NULL: cli_template_structure */
  const char *text;      /* items of the list of analyses */
} cli_template;

extern const char cli_template_head[], cli_template_structure[], cli_template_loads[];
extern const cli_template cli_templates[]; /* name is NULL after the last */

#endif
