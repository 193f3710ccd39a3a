#include "Internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

// A thread of its own waits for the signals (`sigwait`) and does what there is to do. It runs as any other thread does,
// while these go on: nothing it calls has to be safe within a signal handler, and no lock it takes can be held by a
// thread that it interrupted. Other threads inherit the mask and never see the signals.

static void *wait_for_signal(void *argument) {
  const sigset_t *signals = argument;
  int number = 0;
  while (sigwait(signals, &number) != 0) {}
  mlc_end(number);
}

static bool is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// As GNU's tools do: what is read from a closed input, or written to a closed output, fails.
static void open_standard(void) {
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    int opened = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != descriptor) close(opened);
  }
}

void mlc_end_prepare(void) {
  static sigset_t signals;
  open_standard();
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  sigemptyset(&signals);
  const int ends[] = {SIGINT, SIGTERM, SIGHUP};
  bool any = false;
  for (int i = 0; i < 3; i++) {
    if (is_ignored(ends[i])) continue;
    sigaddset(&signals, ends[i]);
    any = true;
  }
  if (!any) return;
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  pthread_t thread;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 256 << 10);
  pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
  if (pthread_create(&thread, &small, wait_for_signal, &signals) != 0) pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&small);
}

_Noreturn void mlc_end(int32_t number) {
  // Kept for good: see the header.
  pthread_mutex_lock(&mlc_lock);
  mlc_children_end();
  mlc_temporaries_remove();
  signal(number, SIG_DFL);
  sigset_t this;
  sigemptyset(&this);
  sigaddset(&this, number);
  pthread_sigmask(SIG_UNBLOCK, &this, NULL);
  raise(number);
  // A signal whose default is not to end.
  _exit(128 + number);
}
