/* microslip completion: scripts for bash, zsh and fish, from the commands' own texts: the options
   of a command are those that its help names. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

typedef void word_fn(const char *word, int length, const char *command);

static void put_word(const char *word, int length, const char *command) {
  (void)command;
  printf(" %.*s", length, word);
}

static void put_fish_option(const char *word, int length, const char *command) {
  printf("complete -c microslip -n '__fish_seen_subcommand_from %s' -l %.*s\n", command, length - 2,
         word + 2);
}

static void put_fish_word(const char *word, int length, const char *command) {
  printf("complete -c microslip -n '__fish_seen_subcommand_from %s' -a %.*s\n", command, length,
         word);
}

/* Each "--name" in the help of a command, once. */
static void each_option(const cli_command *c, word_fn *put) {
  for (const char *at = c->usage; (at = strstr(at, "--")); at += 2) {
    const int n = 2 + (int)strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-");
    const char *before = c->usage;
    while ((before = strstr(before, "--")) != at && strncmp(before, at, (size_t)n) != 0) before++;
    if (n > 2 && before == at) put(at, n, c->name);
  }
}

/* What a command takes beside files: names of analyses, of laws, of these and loads, or shells. */
static void each_name(const cli_command *c, word_fn *put) {
  const int help = !strcmp(c->name, "help"), new = !strcmp(c->name, "new");
  const int law = !strcmp(c->name, "laws") || !strcmp(c->name, "joint");
  static const char *const shells[] = { "bash", "zsh", "fish" };
  ms_analysis_info info;
  for (int i = 0; (help || new) && ms_study_get_kind(i, &info); i++) {
    put(info.name, (int)strlen(info.name), c->name);
  }
  for (int i = 0; (help || law) && i < ms_joint_count_laws(); i++) {
    const char *name = ms_joint_get_law(i)->name;
    put(name, (int)strlen(name), c->name);
  }
  for (int i = 0; help && i < ms_load_count_kinds(); i++) {
    const char *name = ms_load_get_kind(i)->name;
    put(name, (int)strlen(name), c->name);
  }
  for (int i = 0; !strcmp(c->name, "completion") && i < 3; i++) {
    put(shells[i], (int)strlen(shells[i]), c->name);
  }
}

static void put_commands(void) {
  for (int i = 0; i < cli_count_commands(); i++) printf(" %s", cli_get_command(i)->name);
}

/* "run) words=..." for each command. */
static void put_cases(const char *begin, const char *end) {
  for (int i = 0; i < cli_count_commands(); i++) {
    const cli_command *c = cli_get_command(i);
    printf("    %s) %s", c->name, begin);
    each_name(c, put_word);
    each_option(c, put_word);
    printf(" --help%s ;;\n", end);
  }
}

static void put_bash(void) {
  printf(
      "# bash completion of microslip: source it, or save it as\n"
      "# ~/.local/share/bash-completion/completions/microslip\n"
      "_microslip() {\n"
      "  local words=\n"
      "  case ${COMP_WORDS[1]} in\n");
  put_cases("words=\"", "\"");
  printf(
      "  esac\n"
      "  [[ $COMP_CWORD == 1 ]] && words=\"");
  put_commands();
  printf(
      " --help --version\"\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
      "}\n"
      "complete -o default -F _microslip microslip\n");
}

static void put_zsh(void) {
  printf(
      "#compdef microslip\n"
      "# zsh completion of microslip: save it as _microslip in a folder of $fpath.\n"
      "_microslip() {\n"
      "  local -a known\n"
      "  case $words[2] in\n");
  put_cases("known=(", ")");
  printf(
      "  esac\n"
      "  (( CURRENT == 2 )) && known=(");
  put_commands();
  printf(
      " --help --version)\n"
      "  compadd -a known\n"
      "  (( CURRENT > 2 )) && _files\n"
      "}\n"
      "compdef _microslip microslip\n");
}

static void put_fish(void) {
  printf("# fish completion of microslip: save it as ~/.config/fish/completions/microslip.fish\n");
  for (int i = 0; i < cli_count_commands(); i++) {
    const cli_command *c = cli_get_command(i);
    printf("complete -c microslip -n __fish_use_subcommand -f -a %s -d '%s'\n", c->name,
           c->summary);
    each_name(c, put_fish_word);
    each_option(c, put_fish_option);
  }
}

static ms_status run(ms_context *ctx, int argc, char **argv) {
  cli_args args = { .command = "completion", .argc = argc, .argv = argv };
  const char *shell = cli_has_more(&args) && cli_is_word(&args) ? argv[args.at++] : "";
  if (cli_has_more(&args)) return cli_fail_unknown(ctx, &args);
  if (!strcmp(shell, "bash")) {
    put_bash();
  } else if (!strcmp(shell, "zsh")) {
    put_zsh();
  } else if (!strcmp(shell, "fish")) {
    put_fish();
  } else {
    return ms_fail(ctx, MS_ERR_ARGUMENT, "completion needs a shell: bash, zsh or fish%s%s%s",
                   shell[0] ? ", not '" : "", shell, shell[0] ? "'" : "");
  }
  return MS_SUCCESS;
}

const cli_command cli_command_completion = {
  .name = "completion",
  .summary = "a script that completes commands, options and names in a shell",
  .usage =
      "microslip completion bash|zsh|fish\n\n"
      "Prints a script with which the shell completes commands, their options, and the names of "
      "analyses,\n"
      "laws and loads. Its first lines say where to save it; to use it now in bash:\n"
      "  source <(microslip completion bash)\n",
  .run = run,
};
