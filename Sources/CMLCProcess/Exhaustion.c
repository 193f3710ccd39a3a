#include "Internal.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// Swift's runtime traps where memory cannot be had. The handler calls only what may be called in one.

static rlim_t most;

/// The addresses that this process has mapped, in bytes; 0 where that cannot be read.
static rlim_t taken(void) {
  char text[32] = "";
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ssize_t count = file >= 0 ? read(file, text, sizeof text - 1) : 0;
  rlim_t pages = 0;
  for (ssize_t i = 0; i < count && text[i] >= '0' && text[i] <= '9'; i++) pages = pages * 10 + (rlim_t)(text[i] - '0');
  return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void end(int number) {
  static const char text[] =
    "mlc: error: memory ran out under the limit that this process has (ulimit -v) [memory.exhausted]\n";
  if (taken() >= most / 2 && write(STDERR_FILENO, text, sizeof text - 1) >= 0) _exit(5);
  signal(number, SIG_DFL);
  raise(number);
}

void mlc_end_as_memory_runs_out(void) {
  static char stack[64 << 10];
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  most = limit.rlim_cur;
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  struct sigaction action = {.sa_handler = end, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND};
  const int traps[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS};
  for (int i = 0; i < 5; i++) sigaction(traps[i], &action, NULL);
}
