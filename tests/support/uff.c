#include "support/uff.h"

#include <stdint.h>
#include <string.h>

static void print_axis(FILE *out, const ms_uff58_axis *axis) {
  fprintf(out, "%10d%5d%5d%5d %-20.20s %-20.20s\n", axis->kind, axis->length, axis->force,
          axis->temperature, axis->label, axis->unit);
}

static void print_header(FILE *out, const ms_uff58_function *f) {
  for (int i = 0; i < 5; i++) fprintf(out, "%s\n", f->id[i]);
  fprintf(out, "%5d%10d%5d%10d %-10.10s%10d%4d %-10.10s%10d%4d\n", f->type, f->number, f->version,
          f->load_case, f->response_name, f->response_node, f->response_direction,
          f->reference_name, f->reference_node, f->reference_direction);
  int kind = f->is_complex ? (f->is_double ? 6 : 5) : (f->is_double ? 4 : 2);
  fprintf(out, "%10d%10td%10d%13.5E%13.5E%13.5E\n", kind, f->n, f->is_even, f->x_first, f->x_step,
          f->z);
  print_axis(out, &f->abscissa);
  print_axis(out, &f->ordinate);
  print_axis(out, &f->denominator);
  print_axis(out, &f->z_axis);
}

static void print_values(FILE *out, const ms_uff58_function *f) {
  ptrdiff_t per_y = 1 + f->is_complex, width = 0;
  for (ptrdiff_t k = 0; k < f->n; k++) {
    if (!f->is_even) width += fprintf(out, "%13.5E", f->x[k]);
    for (ptrdiff_t i = 0; i < per_y; i++)
      width += fprintf(out, f->is_double ? "%20.12E" : "%13.5E", f->y[per_y * k + i]);
    if (width < 60 && k + 1 < f->n) continue;
    fputc('\n', out);
    width = 0;
  }
}

static void put_number(FILE *out, double value, int wide, int big) {
  unsigned char byte[8];
  float narrow = (float)value;
  uint32_t bits32;
  uint64_t bits;
  memcpy(&bits32, &narrow, sizeof bits32);
  memcpy(&bits, &value, sizeof bits);
  if (!wide) bits = bits32;
  int n = wide ? 8 : 4;
  for (int i = 0; i < n; i++) byte[big ? n - 1 - i : i] = (unsigned char)(bits >> 8 * i);
  fwrite(byte, 1, (size_t)n, out);
}

static void put_values(FILE *out, const ms_uff58_function *f, int big, int double_x) {
  ptrdiff_t per_y = 1 + f->is_complex;
  for (ptrdiff_t k = 0; k < f->n; k++) {
    if (!f->is_even) put_number(out, f->x[k], f->is_double && double_x, big);
    for (ptrdiff_t i = 0; i < per_y; i++) put_number(out, f->y[per_y * k + i], f->is_double, big);
  }
}

static ptrdiff_t count_bytes(const ms_uff58_function *f, int double_x) {
  ptrdiff_t y = (f->is_double ? 8 : 4) * (1 + f->is_complex);
  ptrdiff_t x = f->is_even ? 0 : f->is_double && double_x ? 8 : 4;
  return f->n * (x + y);
}

void test_uff_print(FILE *out, const ms_uff58_function *f, test_uff_form form, int double_x) {
  fprintf(out, "%6d\n%6d", -1, 58);
  if (form != UFF_ASCII)
    fprintf(out, "b%6d%6d%12d%12td%6d%6d%12d%12d", form == UFF_BIG ? 2 : 1, 2, 11,
            count_bytes(f, double_x), 0, 0, 0, 0);
  fputc('\n', out);
  print_header(out, f);
  if (form == UFF_ASCII) {
    print_values(out, f);
  } else {
    put_values(out, f, form == UFF_BIG, double_x);
  }
  fprintf(out, "%6d\n", -1);
}
