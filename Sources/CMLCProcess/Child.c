#include "Internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

struct mlc_child {
  pid_t supervisor;
  /// This process's end of a socket: the supervisor ends the program when it is closed, and writes into it how the
  /// program ended.
  int32_t control;
  int32_t messages;
  struct mlc_child *next;
};

static struct mlc_child *first;

static void forget(int descriptor) {
  if (descriptor >= 0) close(descriptor);
}

/// A file for reading nothing and writing what nobody reads. Where there are no devices, as in a bare root, an empty
/// one without a name, whose end is where it was last written to.
static int open_nowhere(void) {
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
#if defined(__linux__)
  if (nowhere < 0) nowhere = (int)syscall(SYS_memfd_create, "nowhere", 1u /* MFD_CLOEXEC */);
#endif
  return nowhere;
}

/// Opens what a child takes; false when there are no more descriptors.
static bool open_all(const mlc_program *program, int control[2], int messages[2], int *nowhere) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, control) != 0) return false;
  if (!program->speaks && pipe(messages) != 0) return false;
  for (int i = 0; i < 2; i++) {
    fcntl(control[i], F_SETFD, FD_CLOEXEC);
    if (messages[i] >= 0) fcntl(messages[i], F_SETFD, FD_CLOEXEC);
  }
  *nowhere = open_nowhere();
  return *nowhere >= 0;
}

/// The caller holds the lock, so that a program that starts is one that `mlc_children_end` ends.
static pid_t start(const mlc_program *program, int32_t control, int32_t messages, int32_t nowhere) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid(), process = fork();
  if (process == 0) mlc_supervise(program, control, messages, nowhere, parent);
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return process;
}

mlc_child *mlc_child_start(const mlc_program *program, int32_t *error) {
  int control[2] = {-1, -1}, messages[2] = {-1, -1}, nowhere = -1;
  mlc_child *child = calloc(1, sizeof *child);
  bool ready = child && open_all(program, control, messages, &nowhere);
  pid_t process = -1;
  *error = errno;
  if (ready) {
    pthread_mutex_lock(&mlc_lock);
    process = start(program, control[1], messages[1], nowhere);
    *error = errno;
    if (process > 0) {
      *child = (mlc_child){.supervisor = process, .control = control[0], .messages = messages[0], .next = first};
      first = child;
    }
    pthread_mutex_unlock(&mlc_lock);
  }
  forget(control[1]);
  forget(messages[1]);
  forget(nowhere);
  if (process > 0) return child;
  forget(control[0]);
  forget(messages[0]);
  free(child);
  return NULL;
}

int32_t mlc_child_control(const mlc_child *child) { return child->control; }
int32_t mlc_child_messages(const mlc_child *child) { return child->messages; }

mlc_child_end mlc_child_finish(mlc_child *child) {
  mlc_child_end end = {.kind = MLC_LOST};
  ssize_t count;
  do count = read(child->control, &end, sizeof end);
  while (count < 0 && errno == EINTR);
  if (count != sizeof end) end = (mlc_child_end){.kind = MLC_LOST};
  pthread_mutex_lock(&mlc_lock);
  for (mlc_child **place = &first; *place; place = &(*place)->next) {
    if (*place != child) continue;
    *place = child->next;
    break;
  }
  // Closed before waiting: a supervisor that is stopped would wait for it.
  close(child->control);
  pthread_mutex_unlock(&mlc_lock);
  while (waitpid(child->supervisor, NULL, 0) < 0 && errno == EINTR) {}
  forget(child->messages);
  free(child);
  return end;
}

void mlc_children_end(void) {
  for (mlc_child *child = first; child; child = child->next) shutdown(child->control, SHUT_RDWR);
  for (mlc_child *child = first; child; child = child->next) {
    siginfo_t information;
    // Left to be waited for: who started the program may be doing so.
    while (waitid(P_PID, (id_t)child->supervisor, &information, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
  }
}
