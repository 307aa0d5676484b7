/* Templates of `microslip new ANALYSIS`. */
#ifndef MS_CLI_TEMPLATES_H
#define MS_CLI_TEMPLATES_H

enum { CLI_IMPACT = 1, CLI_SHAKER = 2 }; /* loads */

typedef struct cli_template {
  const char *name;
  const char *needs; /* templates that come before it, e.g. "modal_ringdown fit_modal", or NULL */
  const char *structure; /* its own, or "" for none; NULL: cli_template_structure */
  const char *text;      /* items of the list of analyses */
  int loads;             /* that the text names */
} cli_template;

extern const char cli_template_structure[];
extern const char cli_template_impact[], cli_template_shaker[];
extern const cli_template cli_templates[]; /* name is NULL after the last */

#endif
