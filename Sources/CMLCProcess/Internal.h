/// What the parts of this target share.
#ifndef CMLC_PROCESS_INTERNAL_H
#define CMLC_PROCESS_INTERNAL_H

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CMLCProcess.h"

#include <pthread.h>

/// Guards the two lists below.
extern pthread_mutex_t mlc_lock;

/// Removes every temporary folder. The caller holds the lock.
void mlc_temporaries_remove(void);
/// Ends every program and waits until it is gone. The caller holds the lock.
void mlc_children_end(void);
/// In a program's process, last before it begins: takes the limits upon itself. False when one cannot be.
bool mlc_confine(const mlc_limits *limits);
/// In the process that looks after a program. Never returns.
_Noreturn void mlc_supervise(
  const mlc_program *program, int32_t control, int32_t messages, int32_t nowhere, pid_t parent);

#endif
