#include "CMLCKernelABI.h"
