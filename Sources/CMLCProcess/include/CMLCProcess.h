/// Folders that go with their owner, programs that go with their caller, and an end that leaves neither behind.
///
/// One lock guards what exists: making, publishing and removing a folder and starting a program hold it. `mlc_end`
/// takes it and never gives it back, so that from then on no folder appears, none is half published, and no program
/// starts.
#ifndef CMLC_PROCESS_H
#define CMLC_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// Temporary folders.

typedef struct mlc_temporary mlc_temporary;

/// Makes a hidden folder in `folder` that only this process uses, and removes those there whose owner is gone. Null,
/// and the reason in `error`, when that cannot be.
///
/// The owner holds a lock (`flock`) on the folder itself; the system drops it when the process ends, however it ends.
/// So a folder that can be locked has no owner. Where a file system has no such locks nothing is taken for left over.
mlc_temporary *mlc_temporary_make(const char *folder, int32_t *error);
/// Absolute when `folder` is.
const char *mlc_temporary_path(const mlc_temporary *temporary);
/// Moves `name` out of the folder to `path`. A file replaces a file in one step. A folder replaces whatever is there,
/// which goes: the two are exchanged in one step where the system can, else one is moved after the other. 0, or an
/// error number; then `path` is as it was.
int32_t mlc_temporary_publish(mlc_temporary *temporary, const char *name, const char *path);
/// Removes the folder with all in it.
void mlc_temporary_remove(mlc_temporary *temporary);
/// Removes the temporary folders in `folder` whose owner is gone.
void mlc_temporary_sweep(const char *folder);
/// Removes a file or a folder with all in it, following no links; what cannot be removed stays.
void mlc_remove_tree(const char *path);

// Programs.

/// What a program may take; 0 or less leaves a limit as it is. None exceeds what this process may take itself.
typedef struct mlc_limits {
  /// Memory that the program can write to, and addresses that it can map, in bytes.
  int64_t memory, addresses;
  /// Of the processor for each process, and by the clock for all of them.
  int64_t cpu_seconds, wall_seconds;
  /// The longest file.
  int64_t file;
  int64_t descriptors;
  /// Forbids sockets, and what would get round that: `io_uring`, and other processes' memory and descriptors. Where the
  /// system has no filters the program runs without.
  bool isolated;
} mlc_limits;

typedef struct mlc_program {
  const char *path;
  char *const *arguments, *const *environment;
  /// Where it runs; here when null.
  const char *folder;
  /// Open files that become its descriptors 3, 4 …; it has no others but 0, which is empty, 1 and 2.
  const int32_t *files;
  int32_t file_count;
  /// Whether 1 and 2 are this process's; else 1 goes nowhere and 2 into `mlc_child_messages`.
  bool speaks;
  mlc_limits limits;
} mlc_program;

typedef struct mlc_child mlc_child;

/// How a program ended.
typedef enum mlc_end_kind {
  /// `value` is what `waitpid` gives.
  MLC_ENDED = 0,
  /// It could not be started: `value` is an error number.
  MLC_NOT_STARTED = 1,
  /// It was stopped as its time by the clock was over.
  MLC_TOO_LONG = 2,
  /// Who looked after it was killed.
  MLC_LOST = 3,
} mlc_end_kind;

typedef struct mlc_child_end {
  int32_t kind, value;
} mlc_child_end;

/// Starts a program in a group of its own. It ends, with all that it started, when `mlc_child_stop` says so, its time
/// is over, or this process is gone, even by SIGKILL: a process between the two sees the other end of a socket closed.
/// The thread that starts a program outlives it. Null, and the reason in `error`, when there are no more processes or
/// descriptors.
mlc_child *mlc_child_start(const mlc_program *program, int32_t *error);
/// Readable when the program has ended, with all that it started.
int32_t mlc_child_control(const mlc_child *child);
/// What it writes to standard error; -1 when it speaks itself.
int32_t mlc_child_messages(const mlc_child *child);
/// Waits for the end and frees `child`.
mlc_child_end mlc_child_finish(mlc_child *child);
typedef enum mlc_limit_kind {
  MLC_LIMIT_ADDRESSES,
  MLC_LIMIT_FILE,
  MLC_LIMIT_DESCRIPTORS,
  MLC_LIMIT_CPU,
} mlc_limit_kind;
/// What this process may take itself; INT64_MAX without a limit.
int64_t mlc_own_limit(mlc_limit_kind kind);
/// Whether this system can cut programs off from the network.
bool mlc_can_isolate(void);

// Threads.

/// Calls `body` with 0 ... count - 1, each once, on as many threads as there are cores or as can be had: on the calling
/// one alone where there are no others. Returns when all calls have.
void mlc_parallel_for(int64_t count, void *context, void (*body)(void *context, int64_t index));

// The end.

/// For commands, before they start threads: SIGINT, SIGTERM and SIGHUP end the process by `mlc_end`, but for those that
/// it was started to ignore; writing beyond a limit or to nobody fails instead of ending it; closed standard
/// descriptors are opened so that no file takes their place. Without a thread for the signals they end the process at
/// once.
void mlc_end_prepare(void);
/// Ends all programs, removes all temporary folders, and ends the process with `signal` as if nothing had been in its
/// way.
_Noreturn void mlc_end(int32_t signal);
/// Removes all temporary folders: nothing of them is used any more.
void mlc_end_folders(void);
/// For commands: a trap as memory runs out under a limit (`ulimit -v`) ends with code 5 and says so. Out of memory
/// means that half of what the limit allows, or more, is taken.
void mlc_end_as_memory_runs_out(void);

#endif
