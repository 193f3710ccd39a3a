#include "Internal.h"

#include <errno.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

// MARK: No network

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define FAIL(number, error)                               \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1),    \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
/// Leaves calls of other architectures alone, and takes the bit from numbers that marks the x32 form.
#define ONLY(architecture)                                                \
  LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (architecture), 1, 0),  \
    ALLOW, LOAD(nr), BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~UINT32_C(0x40000000))
// These have one number everywhere.
#define EVERYWHERE FAIL(425 /* io_uring_setup */, ENOSYS), FAIL(438 /* pidfd_getfd */, EACCES), ALLOW

#if defined(__x86_64__)
#define MINE AUDIT_ARCH_X86_64
#define OTHER AUDIT_ARCH_I386
/// socketcall, socket, connect, ptrace, process_vm_readv, process_vm_writev.
#define OTHERS                                                                                       \
  FAIL(102, EACCES), FAIL(359, EACCES), FAIL(362, EACCES), FAIL(26, EACCES), FAIL(347, EACCES),  \
    FAIL(348, EACCES)
#else
#define MINE AUDIT_ARCH_AARCH64
#define OTHER AUDIT_ARCH_ARM
/// socket, connect, ptrace, process_vm_readv, process_vm_writev.
#define OTHERS FAIL(281, EACCES), FAIL(283, EACCES), FAIL(26, EACCES), FAIL(376, EACCES), FAIL(377, EACCES)
#endif

static struct sock_filter mine[] = {
  ONLY(MINE),
  FAIL(SYS_socket, EACCES),
  FAIL(SYS_connect, EACCES),
  FAIL(SYS_ptrace, EACCES),
  FAIL(SYS_process_vm_readv, EACCES),
  FAIL(SYS_process_vm_writev, EACCES),
  EVERYWHERE,
};
/// For programs of 32 bits, whose calls have numbers of their own.
static struct sock_filter others[] = {ONLY(OTHER), OTHERS, EVERYWHERE};

static bool install(struct sock_filter *rules, size_t count) {
  struct sock_fprog program = {.len = (unsigned short)count, .filter = rules};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/// False where the system has no filters.
static bool isolate(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && install(mine, sizeof mine / sizeof *mine)
    && install(others, sizeof others / sizeof *others);
}
#else
static bool isolate(void) { return false; }
#endif

bool mlc_can_isolate(void) {
  pid_t process = fork();
  if (process < 0) return false;
  if (process == 0) _exit(isolate() ? 0 : 1);
  int status = 1;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
  return status == 0;
}

// MARK: Limits

/// The softer limit is the wanted one; `grace` more is the hard one, which for the processor's time is what kills.
static bool limit(int resource, int64_t wanted, int64_t grace) {
  struct rlimit now;
  if (wanted <= 0) return true;
  if (getrlimit(resource, &now) != 0) return false;
  rlim_t soft = (rlim_t)wanted, hard = (rlim_t)(wanted + grace);
  if (now.rlim_max != RLIM_INFINITY && hard > now.rlim_max) hard = now.rlim_max;
  if (soft > hard) soft = hard;
  return setrlimit(resource, &(struct rlimit){.rlim_cur = soft, .rlim_max = hard}) == 0;
}

int64_t mlc_own_limit(mlc_limit_kind kind) {
  struct rlimit own;
  int status = kind == MLC_LIMIT_ADDRESSES ? getrlimit(RLIMIT_AS, &own)
    : kind == MLC_LIMIT_FILE ? getrlimit(RLIMIT_FSIZE, &own)
    : kind == MLC_LIMIT_DESCRIPTORS ? getrlimit(RLIMIT_NOFILE, &own)
                                    : getrlimit(RLIMIT_CPU, &own);
  return status != 0 || own.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)own.rlim_cur;
}

bool mlc_confine(const mlc_limits *limits) {
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return false;
  if (limits->isolated) isolate();
  // The stack of this process may not grow under the limits of memory: they come last.
  return limit(RLIMIT_CPU, limits->cpu_seconds, 2) && limit(RLIMIT_FSIZE, limits->file, 0)
    && limit(RLIMIT_NOFILE, limits->descriptors, 0) && limit(RLIMIT_DATA, limits->memory, 0)
    && limit(RLIMIT_AS, limits->addresses, 0);
}
