#define _GNU_SOURCE
#include "CForkServer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/// A copy has so many files, from this descriptor on.
enum { FILES = 2, FIRST = 3 };

/// Room for the descriptors beside a request.
typedef union {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(FILES * sizeof(int))];
} descriptors_room;

static struct msghdr message(struct iovec *content, descriptors_room *room) {
  memset(room, 0, sizeof *room);
  return (struct msghdr){.msg_iov = content, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof *room};
}

// MARK: The server

/// False once nobody asks any more.
static bool receive(mlc_fork_request *request, int files[FILES]) {
  struct iovec content = {.iov_base = request, .iov_len = sizeof *request};
  descriptors_room room;
  struct msghdr received = message(&content, &room);
  ssize_t count;
  do count = recvmsg(0, &received, MSG_CMSG_CLOEXEC);
  while (count < 0 && errno == EINTR);
  struct cmsghdr *header = CMSG_FIRSTHDR(&received);
  if (count != sizeof *request || !header || header->cmsg_len != CMSG_LEN(FILES * sizeof(int))) return false;
  memcpy(files, CMSG_DATA(header), FILES * sizeof(int));
  return true;
}

static void limit(int resource, int64_t most) {
  if (most > 0) setrlimit(resource, &(struct rlimit){.rlim_cur = (rlim_t)most, .rlim_max = (rlim_t)most});
}

static _Noreturn void work_on(
  const mlc_fork_request *request, int files[FILES], void (*work)(const mlc_fork_request *)) {
  int copies[FILES], nowhere = open("/dev/null", O_RDWR);
  for (int i = 0; i < FILES; i++) copies[i] = fcntl(files[i], F_DUPFD_CLOEXEC, FIRST + FILES);
  for (int i = 0; i < FIRST; i++) dup2(nowhere, i);
  for (int i = 0; i < FILES; i++) dup2(copies[i], FIRST + i);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  alarm((unsigned)request->wall_seconds);
  struct timeval time = {.tv_sec = request->milliseconds / 1000, .tv_usec = request->milliseconds % 1000 * 1000};
  setitimer(ITIMER_PROF, &(struct itimerval){.it_value = time}, NULL);
  limit(RLIMIT_FSIZE, request->file_bytes);
  limit(RLIMIT_NOFILE, request->descriptors);
  limit(RLIMIT_AS, request->address_bytes);
  work(request);
  _exit(1);
}

void mlc_fork_serve(void (*work)(const mlc_fork_request *request)) {
  mlc_fork_request request;
  int files[FILES];
  while (receive(&request, files)) {
    pid_t copy = fork();
    if (copy == 0) work_on(&request, files, work);
    for (int i = 0; i < FILES; i++) close(files[i]);
    int32_t status = -1;
    if (copy > 0)
      while (waitpid(copy, &status, 0) < 0 && errno == EINTR) {}
    if (write(0, &status, sizeof status) != sizeof status) return;
  }
}

// MARK: Who asks

int32_t mlc_fork_server(const char *path) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t server;
  char *arguments[] = {(char *)path, NULL};
  int error = posix_spawn(&server, path, &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error == 0) return ends[0];
  close(ends[0]);
  return -1;
}

int32_t mlc_fork_ask(int32_t server, const mlc_fork_request *request, int32_t input, int32_t output) {
  struct iovec content = {.iov_base = (void *)request, .iov_len = sizeof *request};
  descriptors_room room;
  struct msghdr sent = message(&content, &room);
  struct cmsghdr *header = CMSG_FIRSTHDR(&sent);
  *header = (struct cmsghdr){
    .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(FILES * sizeof(int))};
  memcpy(CMSG_DATA(header), (int[FILES]){input, output}, FILES * sizeof(int));
  if (sendmsg(server, &sent, MSG_NOSIGNAL) != sizeof *request) return -1;
  int32_t status = -1;
  ssize_t count;
  do count = read(server, &status, sizeof status);
  while (count < 0 && errno == EINTR);
  return count == sizeof status ? status : -1;
}
