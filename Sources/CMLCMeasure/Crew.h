#ifndef CMLC_CREW_H
#define CMLC_CREW_H

#include "CMLCMeasure.h"

/// Seconds on a clock that only goes forward.
double crew_seconds(void);

/// The sum of what `work` answers on `threads` threads that begin together, the caller's one of them.
double crew_run(double (*work)(void *context, int32_t index), void *context, int32_t threads);

#endif
