#include "Internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

// The process between the caller and a program. It is a copy of a process that may have had many threads, so that
// nothing here allocates or takes a lock.

enum { GRACE_MS = 500 };

static volatile sig_atomic_t is_told_to_end;
static void note(int signal) {
  if (signal == SIGTERM) is_told_to_end = 1;
}

static int64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void die_with_parent(int signal, pid_t parent) {
#if defined(__linux__)
  prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
#endif
  if (getppid() != parent) _exit(1);
}

// MARK: Descriptors

static void close_range_of(unsigned low, unsigned high) {
  if (low > high) return;
#if defined(SYS_close_range)
  if (syscall(SYS_close_range, low, high, 0) == 0) return;
#endif
  struct rlimit most;
  if (getrlimit(RLIMIT_NOFILE, &most) != 0 || most.rlim_cur > 1 << 20) most.rlim_cur = 1 << 20;
  for (unsigned descriptor = low; descriptor <= high && descriptor < most.rlim_cur; descriptor++)
    close((int)descriptor);
}

/// Closes all descriptors from 3 on but those kept.
static void close_others(const int32_t *kept, int count) {
  unsigned low = 3;
  for (;;) {
    unsigned next = ~0u;
    for (int i = 0; i < count; i++)
      if (kept[i] >= (int32_t)low && (unsigned)kept[i] < next) next = (unsigned)kept[i];
    if (next == ~0u) break;
    close_range_of(low, next - 1);
    low = next + 1;
  }
  close_range_of(low, ~0u);
}

/// Descriptors 3, 4 … become the program's files, and `ready` one behind them.
static bool place_files(const mlc_program *program, int32_t *ready) {
  enum { MOST = 8 };
  int32_t copies[MOST], free_from = 3 + program->file_count;
  if (program->file_count > MOST) return false;
  for (int i = 0; i < program->file_count; i++) {
    copies[i] = fcntl(program->files[i], F_DUPFD_CLOEXEC, free_from);
    if (copies[i] < 0) return false;
  }
  *ready = fcntl(*ready, F_DUPFD_CLOEXEC, free_from);
  if (*ready < 0) return false;
  for (int i = 0; i < program->file_count; i++)
    if (dup2(copies[i], 3 + i) < 0) return false;
  close_range_of((unsigned)free_from, (unsigned)*ready - 1);
  close_range_of((unsigned)*ready + 1, ~0u);
  return true;
}

// MARK: The program's process

static _Noreturn void become(
  const mlc_program *program, int32_t messages, int32_t nowhere, int32_t ready, pid_t parent) {
  setpgid(0, 0);
  die_with_parent(SIGKILL, parent);
  sigset_t none;
  sigemptyset(&none);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  // In the background of a terminal it may still speak.
  if (program->speaks) signal(SIGTTOU, SIG_IGN);
  sigprocmask(SIG_SETMASK, &none, NULL);
  bool placed = dup2(nowhere, 0) == 0 && (program->speaks || (dup2(nowhere, 1) == 1 && dup2(messages, 2) == 2));
  placed = placed && place_files(program, &ready) && (!program->folder || chdir(program->folder) == 0);
  if (placed && mlc_confine(&program->limits)) execve(program->path, program->arguments, program->environment);
  int32_t error = errno ? errno : EPERM;
  while (write(ready, &error, sizeof error) < 0 && errno == EINTR) {}
  _exit(127);
}

// MARK: Looking after it

/// Waits for a signal, or for the caller to be gone, at most until `deadline`; false when it is gone.
static bool wait_for_news(int32_t control, int64_t deadline, const sigset_t *open) {
  if (is_told_to_end) return false;
  int64_t left = deadline - now_ms();
  if (left < 0) left = 0;
  struct pollfd caller = {.fd = control, .events = POLLIN};
#if defined(__linux__)
  struct timespec time = {.tv_sec = left / 1000, .tv_nsec = left % 1000 * 1000000};
  int count = ppoll(&caller, 1, &time, open);
#else
  (void)open;
  int count = poll(&caller, 1, left < 20 ? (int)left : 20);
#endif
  return !(count > 0 && caller.revents) && !is_told_to_end;
}

/// Whether the program is a zombie by `deadline`; earlier false when the caller is gone. Its number stays taken, so
/// that its group is its own.
static bool has_ended(pid_t process, int32_t control, int64_t deadline, const sigset_t *open, bool *is_wanted) {
  for (;;) {
    siginfo_t information = {.si_pid = 0};
    if (waitid(P_PID, (id_t)process, &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_pid == process)
      return true;
    if (now_ms() >= deadline) return false;
    if (*is_wanted) {
      *is_wanted = wait_for_news(control, deadline, open);
      if (!*is_wanted) return false;
    } else {
      nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
  }
}

/// Ends what the program started and left behind: its group, and what became a child of this process since.
static void end_descendants(pid_t group) {
  kill(-group, SIGKILL);
  for (int round = 0; round < 2000; round++) {
    pid_t gone;
    while ((gone = waitpid(-1, NULL, WNOHANG)) > 0) {}
    if (gone < 0 && errno == ECHILD) return;
#if defined(__linux__)
    char text[4096];
    int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    ssize_t count = list >= 0 ? read(list, text, sizeof text - 1) : 0;
    if (list >= 0) close(list);
    pid_t number = 0;
    for (ssize_t i = 0; i < count; i++) {
      if (text[i] >= '0' && text[i] <= '9') {
        number = number * 10 + (text[i] - '0');
      } else {
        if (number > 1) kill(number, SIGKILL);
        number = 0;
      }
    }
#endif
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}

static mlc_child_end look_after(const mlc_program *program, pid_t process, int32_t control, const sigset_t *open) {
  int64_t never = INT64_MAX / 2, seconds = program->limits.wall_seconds;
  int64_t deadline = seconds > 0 && seconds < 1 << 30 ? now_ms() + seconds * 1000 : never;
  bool is_wanted = true;
  mlc_child_end end = {.kind = MLC_ENDED};
  if (!has_ended(process, control, deadline, open, &is_wanted)) {
    end.kind = MLC_TOO_LONG;
    kill(-process, SIGTERM);
    is_wanted = false;
    has_ended(process, control, now_ms() + GRACE_MS, open, &is_wanted);
    kill(-process, SIGKILL);
    has_ended(process, control, never, open, &is_wanted);
  }
  kill(-process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
  if (end.kind == MLC_ENDED) end.value = status;
  end_descendants(process);
  return end;
}

static void listen_to(sigset_t *open) {
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  struct sigaction action = {.sa_handler = note};
  sigaction(SIGCHLD, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  // All stay blocked but while waiting.
  sigfillset(open);
  sigdelset(open, SIGCHLD);
  sigdelset(open, SIGTERM);
}

_Noreturn void mlc_supervise(
  const mlc_program *program, int32_t control, int32_t messages, int32_t nowhere, pid_t parent) {
  sigset_t open;
  setpgid(0, 0);
  listen_to(&open);
#if defined(__linux__)
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
  die_with_parent(SIGTERM, parent);
  int32_t kept[16] = {control, messages, nowhere};
  int count = 3;
  for (int i = 0; i < program->file_count && count < 16; i++) kept[count++] = program->files[i];
  close_others(kept, count);
  mlc_child_end end = {.kind = MLC_NOT_STARTED};
  int ready[2];
  pid_t self = getpid(), process = -1;
  if (pipe(ready) == 0) {
    fcntl(ready[1], F_SETFD, FD_CLOEXEC);
    // In this process's memory until it is the program: a copy of the tables of a large process's pages takes longer
    // than all else here.
    process = vfork();
    if (process == 0) {
      close(ready[0]);
      become(program, messages, nowhere, ready[1], self);
    }
    end.value = errno;
    close(ready[1]);
  } else {
    end.value = errno;
  }
  // Held by the program alone, so that the caller sees when it closes them.
  if (messages >= 0) close(messages);
  for (int i = 0; i < program->file_count; i++) close(program->files[i]);
  if (process > 0) {
    int32_t error = 0;
    ssize_t length;
    do length = read(ready[0], &error, sizeof error);
    while (length < 0 && errno == EINTR);
    mlc_child_end ended = look_after(program, process, control, &open);
    end = length == sizeof error ? (mlc_child_end){.kind = MLC_NOT_STARTED, .value = error} : ended;
  }
  while (write(control, &end, sizeof end) < 0 && errno == EINTR) {}
  _exit(0);
}
