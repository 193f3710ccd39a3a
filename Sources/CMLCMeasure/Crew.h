#ifndef CMLC_CREW_H
#define CMLC_CREW_H

#include "CMLCMeasure.h"

/// Seconds on a clock that only goes forward.
double crew_seconds(void);

#endif
