/* Real FFT by FFTW. Its planner is the one part that is not safe to call from several threads, so
   plans are made and destroyed behind a lock; running a plan needs none. */
#include <limits.h>
#include <pthread.h>

#include "signal/internal.h"

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static ms_status make_plans(ms_context *ctx, ms_fft *fft) {
  int n = (int)fft->n;
  pthread_mutex_lock(&planner); /* estimate: the same plan, and so the same digits, every time */
  fft->forward = fftw_plan_dft_r2c_1d(n, fft->real, fft->spectrum, FFTW_ESTIMATE);
  fft->inverse = fftw_plan_dft_c2r_1d(n, fft->spectrum, fft->real, FFTW_ESTIMATE);
  pthread_mutex_unlock(&planner);
  if (fft->forward && fft->inverse) return MS_SUCCESS;
  return ms_fail(ctx, MS_ERR_MEMORY, "out of memory: no plan for an FFT of %td points", fft->n);
}

ms_status ms_fft_open(ms_context *ctx, ptrdiff_t n, ms_fft *fft) {
  *fft = (ms_fft) { .n = n };
  if (n > INT_MAX / 2)
    return ms_fail(ctx, MS_ERR_OVERFLOW, "%td points are too many for one FFT; decimate first", n);
  ms_status status = ms_allocate(ctx, n, sizeof *fft->real, &fft->real);
  if (status == MS_SUCCESS)
    status = ms_allocate(ctx, n / 2 + 1, sizeof *fft->spectrum, &fft->spectrum);
  if (status == MS_SUCCESS) status = make_plans(ctx, fft);
  if (status != MS_SUCCESS) ms_fft_close(ctx, fft);
  return status;
}

void ms_fft_close(ms_context *ctx, ms_fft *fft) {
  pthread_mutex_lock(&planner);
  if (fft->forward) fftw_destroy_plan(fft->forward);
  if (fft->inverse) fftw_destroy_plan(fft->inverse);
  pthread_mutex_unlock(&planner);
  ms_free(ctx, &fft->real);
  ms_free(ctx, &fft->spectrum);
  *fft = (ms_fft) { .n = 0 };
}

void ms_fft_forward(ms_fft *fft) {
  fftw_execute(fft->forward);
}

void ms_fft_inverse(ms_fft *fft) {
  fftw_execute(fft->inverse);
}

ms_status ms_fft_sum(ms_context *ctx, ptrdiff_t n, fftw_complex *z) {
  if (n > INT_MAX / 2)
    return ms_fail(ctx, MS_ERR_OVERFLOW, "%td points are too many for one FFT", n);
  pthread_mutex_lock(&planner);
  fftw_plan plan = fftw_plan_dft_1d((int)n, z, z, FFTW_BACKWARD, FFTW_ESTIMATE);
  pthread_mutex_unlock(&planner);
  if (!plan)
    return ms_fail(ctx, MS_ERR_MEMORY, "out of memory: no plan for an FFT of %td points", n);
  fftw_execute(plan);
  pthread_mutex_lock(&planner);
  fftw_destroy_plan(plan);
  pthread_mutex_unlock(&planner);
  return MS_SUCCESS;
}

static ptrdiff_t divide_out(ptrdiff_t n, ptrdiff_t factor) {
  while (n % factor == 0) n /= factor;
  return n;
}

ptrdiff_t ms_fft_good_size(ptrdiff_t n) {
  ptrdiff_t size = n < 2 ? 2 : n + n % 2;
  while (divide_out(divide_out(divide_out(divide_out(size, 2), 3), 5), 7) != 1) size += 2;
  return size;
}
