#include "analysis/head_fisher.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/linalg.h"
#include "report/base/memory.h"

#define REAL_BITS 32
#include "analysis/real.h"
#include "analysis/head_fisher.inc"
#undef REAL_BITS
#define REAL_BITS 64
#include "analysis/real.h"
#include "analysis/head_fisher.inc"
