/* Colours. The series follow Okabe and Ito's palette, which readers with any common colour vision
   can tell apart; those too pale for their background are darkened (or lightened) until the
   contrast is at least 3:1. Order: blue, vermillion, green, purple, orange, sky, yellow, grey. */
#include "report/internal.h"

#include <math.h>

static const ms_colours light = {
  .background = 0xFFFFFF,
  .text = 0x1B2330,
  .muted = 0x566173,
  .axis = 0x7B8594,
  .zero = 0xBCC4CF,
  .grid = 0xE6EAEF,
  .series = { 0x0072B2, 0xD55E00, 0x009E73, 0xC0609A, 0xB87A00, 0x3A97D0, 0x8A7F00, 0x6B7583 },
};

static const ms_colours dark = {
  .background = 0x12171F,
  .text = 0xE8ECF2,
  .muted = 0xA3AEBD,
  .axis = 0x78849A,
  .zero = 0x46505F,
  .grid = 0x262E3A,
  .series = { 0x4C9FE0, 0xF5803E, 0x2CC295, 0xE08DBC, 0xE69F00, 0x8CD3FA, 0xF0E442, 0xAEB8C6 },
};

const ms_colours *ms_colours_get(int is_dark) {
  return is_dark ? &dark : &light;
}

/* One sRGB channel (0 to 255) as linear light. */
static double linear_light(uint32_t channel) {
  double c = (double)(channel & 0xFFu) / 255.0;
  return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(uint32_t rgb) {
  return 0.2126 * linear_light(rgb >> 16) + 0.7152 * linear_light(rgb >> 8) +
         0.0722 * linear_light(rgb);
}

double ms_colour_contrast(uint32_t a, uint32_t b) {
  double la = luminance(a), lb = luminance(b);
  return (fmax(la, lb) + 0.05) / (fmin(la, lb) + 0.05);
}
