/* The defaults of the methods' settings, for languages that see no macros. */
#include <microslip/signal.h>

ms_hilbert_settings ms_hilbert_default(void) {
  return (ms_hilbert_settings)MS_HILBERT_DEFAULT;
}

ms_stft_settings ms_stft_default(void) {
  return (ms_stft_settings)MS_STFT_DEFAULT;
}

ms_spectrogram_settings ms_spectrogram_default(void) {
  return (ms_spectrogram_settings)MS_SPECTROGRAM_DEFAULT;
}

ms_crossing_settings ms_crossing_default(void) {
  return (ms_crossing_settings)MS_CROSSING_DEFAULT;
}

ms_ring_settings ms_ring_default(void) {
  return (ms_ring_settings)MS_RING_DEFAULT;
}

ms_frf_settings ms_frf_default(void) {
  return (ms_frf_settings)MS_FRF_DEFAULT;
}

ms_sweep_settings ms_sweep_default(void) {
  return (ms_sweep_settings)MS_SWEEP_DEFAULT;
}

ms_decimator_settings ms_decimator_default(void) {
  return (ms_decimator_settings)MS_DECIMATOR_DEFAULT;
}
