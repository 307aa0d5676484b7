/* Runs of the command with limits of time and memory, and the files they leave. */
#include "trials/random_studies/trial.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A study of this size takes well under a second; a machine that is busy takes its time. */
static const rlim_t cpu_seconds = 60;
static const double wall_seconds = 600.0;
#ifndef MS_TRIAL_SANITIZED
static const rlim_t memory_bytes = (rlim_t)4 << 30;
#endif

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void limit(int resource, rlim_t value) {
  struct rlimit both = { value, value };
  setrlimit(resource, &both);
}

static void become_command(const trial *t, const char *file, const char *out_folder,
                           const char *threads, const char *resume) {
  int out = -1, error = -1;
  if (chdir(t->folder) == 0) {
    out = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    error = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  }
  if (out < 0 || error < 0) _exit(126);
  dup2(out, STDOUT_FILENO);
  dup2(error, STDERR_FILENO);
  limit(RLIMIT_CPU, cpu_seconds);
  limit(RLIMIT_CORE, 0);
  if (t->fe)
    setenv("ASAN_OPTIONS", "allocator_may_return_null=1:detect_leaks=0", 1); /* those of MPI */
#ifndef MS_TRIAL_SANITIZED /* which reserves all the memory there is */
  limit(RLIMIT_AS, memory_bytes);
#endif
  execl(t->command, t->command, "run", file, "--out", out_folder, "--threads", threads, resume,
        (char *)NULL);
  _exit(127);
}

/* Whether something was kept for --resume. */
static int is_begun(const char *folder, const char *out) {
  char path[2 * TRIAL_PATH];
  snprintf(path, sizeof path, "%s/%s/.resume", folder, out);
  DIR *directory = opendir(path);
  int entries = 0;
  while (directory && readdir(directory)) entries++;
  if (directory) closedir(directory);
  return entries > 3; /* ., .. and what says which study it is */
}

/* Waits for the child; 1 if it had to be killed for the time it took. */
static int wait_for(pid_t child, const trial *t, const char *out, int interrupt, int *status) {
  double start = now();
  struct timespec nap = { 0, 1000000 };
  while (waitpid(child, status, WNOHANG) == 0) {
    if (now() - start > wall_seconds) {
      kill(child, SIGKILL);
      waitpid(child, status, 0);
      return 1;
    }
    if (interrupt && is_begun(t->folder, out)) {
      kill(child, interrupt);
      interrupt = 0;
    }
    nanosleep(&nap, NULL);
    if (nap.tv_nsec < 50000000 && !interrupt) nap.tv_nsec += nap.tv_nsec / 4;
  }
  return WIFSIGNALED(*status) && WTERMSIG(*status) == SIGXCPU;
}

trial_run trial_run_study(trial *t, const char *file, const char *out, int threads, int resume,
                          int interrupt) {
  char count[16], path[TRIAL_PATH + 16];
  trial_run run = { 0, 0, 0, "" };
  int status = 0;
  snprintf(count, sizeof count, "%d", threads);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) become_command(t, file, out, count, resume ? "--resume" : NULL);
  run.timeout = wait_for(child, t, out, interrupt, &status);
  run.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  run.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  snprintf(path, sizeof path, "%s/stderr", t->folder);
  size_t length = 0;
  char *text = trial_read(path, &length);
  snprintf(run.text, sizeof run.text, "%s", text ? text : "");
  free(text);
  return run;
}

int trial_run_checked(trial *t, const char *file, const char *out, int threads) {
  trial_run run = trial_run_study(t, file, out, threads, 0, 0);
  if (run.timeout) return !trial_judge(t, TRIAL_FAILED, "%s: hangs", out);
  if (run.signal)
    return !trial_judge(t, TRIAL_FAILED, "%s: crash, signal %d: %s", out, run.signal, run.text);
  if (run.code > 2)
    return !trial_judge(t, TRIAL_FAILED, "%s: exit %d: %s", out, run.code, run.text);
  trial_check_results(t, out, &run);
  return run.code < 2 && t->verdict != TRIAL_FAILED;
}

char *trial_read(const char *path, size_t *length) {
  FILE *in = fopen(path, "rb");
  char *text = NULL;
  size_t size = 0, n = 0;
  *length = 0;
  while (in && !feof(in) && !ferror(in)) {
    if (n + 1 >= size) {
      char *more = realloc(text, size = 2 * size + 65536);
      if (!more) abort();
      text = more;
    }
    n += fread(text + n, 1, size - n - 1, in);
    text[n] = '\0';
  }
  if (in) fclose(in);
  *length = n;
  return text;
}
