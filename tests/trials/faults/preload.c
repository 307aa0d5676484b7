/* Faults for a whole command, by LD_PRELOAD: the n-th call of a kind fails, or kills the process.

     FAULT_KIND   open, read, write, fsync, rename: of files below FAULT_UNDER or with a relative
   path allocate: realloc() called by the command itself, which is its allocator full: as write, and
   every write after it (ENOSPC) kill: SIGKILL before the n-th write, fsync or rename FAULT_N
   counted from 1; 0: none fails FAULT_ERRNO  what errno becomes FAULT_LOG    receives "fired" when
   it happens, and the number of calls when the process ends

   Streams of the C library do not call read() and write() where one could step between: they are
   given functions that do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OPEN, READ, WRITE, FSYNC, RENAME, ALLOCATE, N_KIND, FULL, KILL };

static const char *const kind_name[] = { "open", "read", "write", "fsync", "rename", "allocate" };

static int kind = -1, fault_errno = EIO;
static long fault_n;
static atomic_long calls;
static const char *under, *log_path;
static uintptr_t code_begin, code_end; /* of the command */

/* ---- whether a call fails ---- */

static void tell(const char *text) {
  int fd = (int)syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0) return;
  if (syscall(SYS_write, fd, text, strlen(text)) < 0) errno = 0;
  syscall(SYS_close, fd);
}

static int fails(int what) {
  int counts = what == kind || (kind == FULL && what == WRITE) ||
               (kind == KILL && (what == WRITE || what == FSYNC || what == RENAME));
  if (!counts) return 0;
  long n = atomic_fetch_add(&calls, 1) + 1;
  if (fault_n < 1 || n < fault_n || (n > fault_n && kind != FULL)) return 0;
  if (n == fault_n) tell("fired\n");
  if (kind == KILL) syscall(SYS_kill, getpid(), SIGKILL);
  errno = fault_errno;
  return 1;
}

static int is_under(const char *path) {
  return path && (path[0] != '/' || (under && strncmp(path, under, strlen(under)) == 0));
}

static int fd_is_under(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (n <= 0) return 0;
  path[n] = '\0';
  return path[0] == '/' && is_under(path);
}

/* ---- start and end ---- */

static int find_code(struct dl_phdr_info *info, size_t size, void *user) {
  (void)size, (void)user;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X)) continue;
    code_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    code_end = code_begin + info->dlpi_phdr[i].p_memsz;
  }
  return 1; /* the first is the command */
}

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("FAULT_KIND"), *n = getenv("FAULT_N"), *number = getenv("FAULT_ERRNO");
  under = getenv("FAULT_UNDER");
  log_path = getenv("FAULT_LOG");
  dl_iterate_phdr(find_code, NULL);
  fault_n = n ? atol(n) : 0;
  if (number) fault_errno = atoi(number);
  for (int k = 0; name && k < N_KIND; k++) {
    if (strcmp(name, kind_name[k]) == 0) kind = k;
  }
  if (name && strcmp(name, "full") == 0) kind = FULL;
  if (name && strcmp(name, "kill") == 0) kind = KILL;
  unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void) {
  char text[32];
  snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
  if (log_path) tell(text);
}

/* ---- memory ---- */

void *__libc_realloc(void *pointer, size_t size);

void *realloc(void *pointer, size_t size) {
  uintptr_t from = (uintptr_t)__builtin_return_address(0);
  if (kind == ALLOCATE && from >= code_begin && from < code_end && fails(ALLOCATE)) return NULL;
  return __libc_realloc(pointer, size);
}

/* ---- files ---- */

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int open_counted(const char *path, int flags, mode_t mode) {
  if (is_under(path) && fails(OPEN)) return -1;
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
  va_end(args);
  return open_counted(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
  va_end(args);
  return open_counted(path, flags, mode);
}

ssize_t read(int fd, void *to, size_t n) {
  if (kind == READ && fd_is_under(fd) && fails(READ)) return -1;
  return syscall(SYS_read, fd, to, n);
}

ssize_t pread(int fd, void *to, size_t n, off_t at) {
  if (kind == READ && fd_is_under(fd) && fails(READ)) return -1;
  return syscall(SYS_pread64, fd, to, n, at);
}

ssize_t pread64(int fd, void *to, size_t n, off_t at) {
  return pread(fd, to, n, at);
}

ssize_t write(int fd, const void *from, size_t n) {
  if (kind != READ && fd_is_under(fd) && fails(WRITE)) return -1;
  return syscall(SYS_write, fd, from, n);
}

ssize_t pwrite(int fd, const void *from, size_t n, off_t at) {
  if (fd_is_under(fd) && fails(WRITE)) return -1;
  return syscall(SYS_pwrite64, fd, from, n, at);
}

ssize_t pwrite64(int fd, const void *from, size_t n, off_t at) {
  return pwrite(fd, from, n, at);
}

int fsync(int fd) {
  if (fd_is_under(fd) && fails(FSYNC)) return -1;
  return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to) {
  if (is_under(to) && fails(RENAME)) return -1;
  return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

/* ---- streams ---- */

enum { MAX_STREAM = 64 };

static struct {
  FILE *stream;
  int fd;
} opened[MAX_STREAM];

static ssize_t cookie_read(void *cookie, char *to, size_t n) {
  return read((int)(intptr_t)cookie, to, n);
}

static ssize_t cookie_write(void *cookie, const char *from, size_t n) {
  size_t done = 0;
  while (done < n) {
    ssize_t some = write((int)(intptr_t)cookie, from + done, n - done);
    if (some < 0) return (ssize_t)done; /* less than n: an error, to the stream */
    done += (size_t)some;
  }
  return (ssize_t)n;
}

static int cookie_seek(void *cookie, off64_t *at, int whence) {
  off_t place = lseek((int)(intptr_t)cookie, *at, whence);
  if (place < 0) return -1;
  *at = place;
  return 0;
}

static int cookie_close(void *cookie) {
  int fd = (int)(intptr_t)cookie;
  for (int i = 0; i < MAX_STREAM; i++) {
    if (opened[i].stream && opened[i].fd == fd) opened[i].stream = NULL;
  }
  return (int)syscall(SYS_close, fd);
}

FILE *fdopen(int fd, const char *mode) {
  const cookie_io_functions_t functions = { cookie_read, cookie_write, cookie_seek, cookie_close };
  if (!fd_is_under(fd)) return REAL(fdopen)(fd, mode);
  FILE *stream = fopencookie((void *)(intptr_t)fd, mode, functions);
  for (int i = 0; stream && i < MAX_STREAM; i++) {
    if (opened[i].stream) continue;
    opened[i].stream = stream;
    opened[i].fd = fd;
    break;
  }
  return stream;
}

FILE *fopen(const char *path, const char *mode) {
  if (!is_under(path) || mode[0] != 'r' || strchr(mode, '+')) return REAL(fopen)(path, mode);
  int fd = open_counted(path, O_RDONLY | O_CLOEXEC, 0);
  return fd >= 0 ? fdopen(fd, mode) : NULL;
}

FILE *fopen64(const char *path, const char *mode) {
  return fopen(path, mode);
}

int fileno(FILE *stream) {
  for (int i = 0; i < MAX_STREAM; i++) {
    if (opened[i].stream == stream) return opened[i].fd;
  }
  return REAL(fileno)(stream);
}
