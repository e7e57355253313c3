/* One source, two precisions. A module whose code is the same in float and in
 * double keeps it in `analysis/NAME.inc`, and its .c file includes that twice:
 *
 *   #define REAL_BITS 32
 *   #include "analysis/real.h"
 *   #include "analysis/NAME.inc"
 *   #undef REAL_BITS
 *   #define REAL_BITS 64
 *   #include "analysis/real.h"
 *   #include "analysis/NAME.inc"
 *
 * REAL is the type, REAL_NAME(f) is f_f32 or f_f64, REAL_MATH(sqrt) is sqrtf
 * or sqrt, REAL_BLAS(gemm) is cblas_sgemm or cblas_dgemm. There is no include
 * guard on purpose. */
#undef REAL
#undef REAL_NAME
#undef REAL_MATH
#undef REAL_BLAS
#undef REAL_EPSILON

#if REAL_BITS == 32
#define REAL float
#define REAL_NAME(name) name##_f32
#define REAL_MATH(name) name##f
#define REAL_BLAS(name) cblas_s##name
#define REAL_EPSILON 0x1p-23f
#elif REAL_BITS == 64
#define REAL double
#define REAL_NAME(name) name##_f64
#define REAL_MATH(name) name
#define REAL_BLAS(name) cblas_d##name
#define REAL_EPSILON 0x1p-52
#else
#error "define REAL_BITS as 32 or 64 before including analysis/real.h"
#endif
