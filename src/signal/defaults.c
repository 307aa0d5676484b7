/* The defaults of the methods' settings, for languages that see no macros. */
#include <microslip/signal.h>

#include "core/internal.h"

void ms_hilbert_default(ms_hilbert_settings *settings, size_t size) {
  ms_settings_fill(&(ms_hilbert_settings)MS_HILBERT_DEFAULT, settings, size);
}

void ms_stft_default(ms_stft_settings *settings, size_t size) {
  ms_settings_fill(&(ms_stft_settings)MS_STFT_DEFAULT, settings, size);
}

void ms_spectrogram_default(ms_spectrogram_settings *settings, size_t size) {
  ms_settings_fill(&(ms_spectrogram_settings)MS_SPECTROGRAM_DEFAULT, settings, size);
}

void ms_crossing_default(ms_crossing_settings *settings, size_t size) {
  ms_settings_fill(&(ms_crossing_settings)MS_CROSSING_DEFAULT, settings, size);
}

void ms_ring_default(ms_ring_settings *settings, size_t size) {
  ms_settings_fill(&(ms_ring_settings)MS_RING_DEFAULT, settings, size);
}

void ms_frf_default(ms_frf_settings *settings, size_t size) {
  ms_settings_fill(&(ms_frf_settings)MS_FRF_DEFAULT, settings, size);
}

void ms_sweep_default(ms_sweep_settings *settings, size_t size) {
  ms_settings_fill(&(ms_sweep_settings)MS_SWEEP_DEFAULT, settings, size);
}

void ms_decimator_default(ms_decimator_settings *settings, size_t size) {
  ms_settings_fill(&(ms_decimator_settings)MS_DECIMATOR_DEFAULT, settings, size);
}
