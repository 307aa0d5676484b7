/* microslip schema: the study file as JSON Schema. */
#include "cli.h"

static ms_status run(ms_context *ctx, int argc, char **argv) {
  cli_args args = { .command = "schema", .argc = argc, .argv = argv };
  if (cli_has_more(&args)) return cli_fail_unknown(ctx, &args);
  return ms_study_write_schema(ctx, stdout);
}

const cli_command cli_command_schema = {
  .name = "schema",
  .summary = "the study file as JSON Schema, for editors and validators",
  .usage =
      "microslip schema\n\n"
      "Prints the JSON Schema (2020-12) of study files. Editors with a YAML language server use it "
      "to complete\n"
      "keys, to show what they mean and to mark mistakes; docs/guide/study.md says how.\n",
  .run = run,
};
