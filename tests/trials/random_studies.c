/* Random studies: everything that must hold for any study, tried on many.

     random_studies [SEED [COUNT]]

   Study i has the seed SEED + i and needs nothing else to be made again: `random_studies SEED 1`.
   What fails is printed with its seed, and its files (those of one study alone in any case) stay
   under $TRIAL_KEEP, if that is set.
   $MICROSLIP is the command that is tried; docs in tests/trials/README.md. */
#include "trials/random_studies/trial.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Studies of a run among the other tests. */
enum { SHORT_COUNT = 60, SHORT_SEED = 1 };

static const struct {
  const char *name;
  int share; /* of 20 */
  void (*run)(trial *t);
} kinds[] = {
  { "study", 10, trial_kind_study },  { "integrators", 3, trial_kind_integrators },
  { "steady", 2, trial_kind_steady }, { "small", 3, trial_kind_small },
  { "cycle", 2, trial_kind_cycle },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const char *const verdicts[TRIAL_VERDICTS] = { "agrees",    "refused", "flagged",
                                                      "explained", "apart",   "failed" };

static int kind_of(trial *t) {
  int ticket = trial_pick(t, 20), kind = 0;
  while (ticket >= kinds[kind].share) ticket -= kinds[kind++].share;
  return kind;
}

/* In a process of its own: a crash of the library is a verdict, too. The answer goes through the
   pipe. */
static void run_trial(trial *t, int kind, int answer) {
  ms_context *ctx = NULL;
  if (ms_context_create(NULL, &ctx) != MS_SUCCESS) _exit(1);
  t->ctx = ctx;
  trial_begin(t);
  kinds[kind].run(t);
  ssize_t sent = write(answer, &t->verdict, sizeof t->verdict);
  sent += write(answer, t->reason, sizeof t->reason);
  _exit(sent == (ssize_t)(sizeof t->verdict + sizeof t->reason) ? 0 : 1);
}

static void remove_folder(const char *folder) {
  char command[TRIAL_PATH + 16];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (system(command) != 0) fprintf(stderr, "random_studies: cannot remove %s\n", folder);
}

/* Processor time of all children so far, s. */
static double children_time(void) {
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void fork_trial(trial *t, int kind) {
  int ends[2], status = 0;
  if (pipe(ends) != 0) abort();
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(1800);
    run_trial(t, kind, ends[1]);
  }
  close(ends[1]);
  if (read(ends[0], &t->verdict, sizeof t->verdict) != sizeof t->verdict ||
      read(ends[0], t->reason, sizeof t->reason) != sizeof t->reason) {
    t->verdict = TRIAL_FAILED;
    snprintf(t->reason, sizeof t->reason, "the library crashed while the study was made");
  }
  close(ends[0]);
  waitpid(child, &status, 0);
}

static void print_study(const trial *t) {
  char path[TRIAL_PATH + 16];
  size_t length = 0;
  snprintf(path, sizeof path, "%s/study.yaml", t->folder);
  char *text = trial_read(path, &length);
  for (char *line = text ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n"))
    printf("    %s\n", line);
  free(text);
}

static void print_table(const int count[KINDS][TRIAL_VERDICTS]) {
  printf("%-12s", "");
  for (int v = 0; v < TRIAL_VERDICTS; v++) printf("%10s", verdicts[v]);
  printf("\n");
  for (int k = 0; k < KINDS; k++) {
    printf("%-12s", kinds[k].name);
    for (int v = 0; v < TRIAL_VERDICTS; v++) printf("%10d", count[k][v]);
    printf("\n");
  }
}

/* The command from any folder. */
static void find_command(const char *command, char *path, size_t size) {
  char here[TRIAL_PATH];
  if (command[0] == '/' || !getcwd(here, sizeof here))
    snprintf(path, size, "%s", command);
  else
    snprintf(path, size, "%s/%s", here, command);
}

int main(int argc, char **argv) {
  char path[2 * TRIAL_PATH];
  static int count[KINDS][TRIAL_VERDICTS];
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : SHORT_SEED;
  long studies = argc > 2 ? strtol(argv[2], NULL, 10) : argc > 1 ? 1 : SHORT_COUNT;
  const char *command = getenv("MICROSLIP"), *keep = getenv("TRIAL_KEEP");
  const char *place = keep ? keep : getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
  int failed = 0;
  if (!command) {
    fprintf(stderr, "random_studies: set MICROSLIP to the command, build/microslip for one\n");
    return 2;
  }
  find_command(command, path, sizeof path);
  signal(SIGPIPE, SIG_IGN);
  for (long i = 0; i < studies; i++) {
    trial t = { .seed = seed + (uint64_t)i, .command = path };
    snprintf(t.folder, sizeof t.folder, "%s/random-study-%llu-%ld", place,
             (unsigned long long)t.seed, (long)getpid());
    if (access(path, X_OK) != 0 || mkdir(t.folder, 0777) != 0) {
      fprintf(stderr, "random_studies: no command '%s', or cannot make %s\n", command, t.folder);
      return 2;
    }
    ms_random_start(&t.random, t.seed, 0);
    int kind = kind_of(&t);
    double before = children_time();
    fork_trial(&t, kind);
    count[kind][t.verdict]++;
    failed += t.verdict == TRIAL_FAILED;
    if (t.verdict == TRIAL_FAILED || argc > 1)
      printf("%llu %s %s, %.1f s: %s\n", (unsigned long long)t.seed, kinds[kind].name,
             verdicts[t.verdict], children_time() - before, t.reason);
    if (t.verdict == TRIAL_FAILED) print_study(&t);
    if (!keep || (t.verdict != TRIAL_FAILED && studies > 1)) remove_folder(t.folder);
    fflush(stdout);
  }
  print_table((const int(*)[TRIAL_VERDICTS])count);
  return failed ? 1 : 0;
}
