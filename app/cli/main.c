/* The command: finds what was asked for, runs it, turns the status into one line and an exit code.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

#define MS_COMMAND(name) extern const cli_command cli_command_##name;
#include "commands.def"
#undef MS_COMMAND

#define MS_COMMAND(name) &cli_command_##name,
static const cli_command *const commands[] = {
#include "commands.def"
};
#undef MS_COMMAND

enum { N_COMMANDS = sizeof commands / sizeof *commands };

int cli_count_commands(void) {
  return N_COMMANDS;
}

const cli_command *cli_get_command(int index) {
  return commands[index];
}

void cli_print_help(FILE *out) {
  fprintf(out, "microslip %s: dynamics of structures with bolted and frictional joints\n\n",
          ms_version());
  for (int i = 0; i < N_COMMANDS; i++) {
    fprintf(out, "  microslip %-10s %s\n", commands[i]->name, commands[i]->summary);
  }
  fprintf(out, "\nmicroslip COMMAND --help says more; the manual is microslip(1).\n");
}

static const cli_command *find_command(const char *name) {
  for (int i = 0; i < N_COMMANDS; i++) {
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  }
  return NULL;
}

static int is_help(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int asks_help(int argc, char **argv) {
  for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return 1;
  }
  return 0;
}

/* One line, whatever the user's words held; the quoted line of a study file and its caret, which
   begin with two blanks, keep theirs. */
static void print_message(const char *text) {
  fputs("microslip: ", stderr);
  for (; *text; text++) {
    int quote = *text == '\n' && text[1] == ' ' && text[2] == ' ';
    fputc(iscntrl((unsigned char)*text) && !quote ? '?' : *text, stderr);
  }
  fputc('\n', stderr);
}

static int fail_command(const char *name) {
  char text[512];
  int n = snprintf(text, sizeof text, "unknown command '%.200s'; there are", name);
  for (int i = 0; i < N_COMMANDS; i++) {
    n += snprintf(text + n, sizeof text - (size_t)n, "%s %s", i ? "," : "", commands[i]->name);
  }
  print_message(text);
  return CLI_BAD_INPUT;
}

/* What the user gave is wrong, or else the work could not be done. */
static int exit_code(ms_status status) {
  switch (status) {
  case MS_SUCCESS:
    return CLI_OK;
  case MS_NOT_CONVERGED:
  case MS_STEP_REJECTED:
    return CLI_FAILED;
  case MS_CANCELLED:
    return CLI_SIGNAL + cli_get_signal();
  case MS_ERR_MEMORY:
  case MS_ERR_DISK:
    return CLI_NO_RESOURCE;
  default:
    return CLI_BAD_INPUT;
  }
}

/* Under mpirun the first process speaks for all, unless they do not hear each other any more. The
   others end without a fault: mpirun would stop the first before it has said anything. */
static int tell_status(ms_context *ctx, ms_status status) {
  int code = exit_code(status);
  if (!cli_is_first() && !ms_context_is_alone(ctx)) return CLI_OK;
  if (status != MS_SUCCESS) print_message(ms_context_message(ctx));
  if (ms_context_is_alone(ctx)) {
    const ms_communicator *comm = ms_context_get_communicator(ctx);
    comm->abort(comm->self, code);
  }
  return code;
}

static int run_command(const cli_command *command, int argc, char **argv) {
  ms_context *ctx;
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) {
    fprintf(stderr, "microslip: out of memory\n");
    return CLI_NO_RESOURCE;
  }
  ms_status status = command->run(ctx, argc, argv);
  int code = tell_status(ctx, status);
  ms_context_destroy(&ctx);
  return code;
}

/* An output that is full or closed is no fault of the input. */
static int finish(int code) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  if (code == CLI_OK) print_message("the output could not be written");
  return CLI_NO_RESOURCE;
}

int main(int argc, char **argv) {
  const cli_command *command = argc > 1 ? find_command(argv[1]) : NULL;
  int together = command && command->together && !asks_help(argc, argv);
  if (!together && !cli_is_first()) return CLI_OK;
  if (argc < 2 || is_help(argv[1])) {
    cli_print_help(argc < 2 ? stderr : stdout);
    return argc < 2 ? CLI_BAD_INPUT : finish(CLI_OK);
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("microslip %s\n", ms_version());
    return finish(CLI_OK);
  }
  if (!command) return fail_command(argv[1]);
  if (asks_help(argc, argv)) {
    fputs(command->usage, stdout);
    return finish(CLI_OK);
  }
  return finish(run_command(command, argc - 2, argv + 2));
}
