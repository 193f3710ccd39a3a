#include "CMLCKernelABI.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MLC_SANITIZES_THREADS 1
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#endif
#endif

void mlc_lock_taken(void *lock) {
#if defined(MLC_SANITIZES_THREADS)
  __tsan_acquire(lock);
#else
  (void)lock;
#endif
}

void mlc_lock_given_back(void *lock) {
#if defined(MLC_SANITIZES_THREADS)
  __tsan_release(lock);
#else
  (void)lock;
#endif
}
