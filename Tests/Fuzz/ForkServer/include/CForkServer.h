/// A program that was started once and answers each request in a copy of itself: what starting it costs is paid once.
#ifndef CFORK_SERVER_H
#define CFORK_SERVER_H

#include <stdbool.h>
#include <stdint.h>

/// What a copy does and may take. Its files come beside the request, and are its descriptors 3 and 4.
typedef struct mlc_fork_request {
  int64_t file_bytes, address_bytes;
  /// Of the processor, and by the clock.
  int64_t milliseconds, wall_seconds;
  int64_t descriptors;
  bool reads_data;
} mlc_fork_request;

/// Answers the requests that standard input, a socket, brings, until it is closed. `work` never returns.
void mlc_fork_serve(void (*work)(const mlc_fork_request *request));

/// Starts the server at `path`; -1 when it cannot be.
int32_t mlc_fork_server(const char *path);
/// Has the server do `request` with two open files. Gives what `waitpid` gives of the copy; -1 when the server is gone.
int32_t mlc_fork_ask(int32_t server, const mlc_fork_request *request, int32_t input, int32_t output);

#endif
