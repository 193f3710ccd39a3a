#include "CProtobufScan.h"
