/* Axes: what range to show, where the ticks stand and how they are labelled. Labels are written
   from whole numbers, tick = n 10^e, so that they are exact and know no locale. */
#include "report/internal.h"
#include "report/tolerance.h"

#include <math.h>
#include <string.h>

static const double no_size = 1e-290;
enum { MOST_DECIMALS = 18, MANY_TICKS = 60 };

static double power_of_ten(int e) {
  return e >= 0 ? pow(10.0, e) : 1.0 / pow(10.0, -e);
}

/* n 10^e, rounded once. */
static double decimal(long long n, int e) {
  return e >= 0 ? (double)n * pow(10.0, e) : (double)n / pow(10.0, -e);
}

/* ---- range ---- */

static void spread_linear(double *low, double *high) {
  double largest = fmax(fabs(*low), fabs(*high));
  double span = *high - *low;
  if (largest < no_size) {
    *low = -1.0, *high = 1.0;
  } else if (span <= ms_report_tol.alike * largest) {
    *low -= ms_report_tol.flat * largest, *high += ms_report_tol.flat * largest;
  } else { /* air, but not across zero: what cannot be negative should not look as if it could */
    double a = *low - ms_report_tol.air * span, b = *high + ms_report_tol.air * span;
    *low = *low >= 0.0 && a < 0.0 ? 0.0 : a;
    *high = *high <= 0.0 && b > 0.0 ? 0.0 : b;
  }
}

static void spread_log(double *low, double *high) {
  double a = log10(*low), b = log10(*high);
  double air = b - a <= ms_report_tol.alike
                   ? log10(1.0 + ms_report_tol.flat)
                   : fmin(ms_report_tol.air * (b - a), 1.0); /* 600 decades fit in a double */
  *low = pow(10.0, a - air);
  *high = pow(10.0, b + air);
}

/* ---- labels ---- */

/* n 10^e in digits, with a true minus sign; e is small enough for that to be sensible. */
static void write_decimal(long long n, int e, char *text, size_t size) {
  const char *minus = n < 0 ? "\u2212" : "";
  long long whole = n < 0 ? -n : n;
  if (n == 0 || e >= 0) {
    snprintf(text, size, "%s%lld%.*s", minus, whole, n == 0 ? 0 : e, "000000");
    return;
  }
  char fraction[MOST_DECIMALS + 1] = "";
  for (int i = (e < -MOST_DECIMALS ? MOST_DECIMALS : -e) - 1; i >= 0; i--, whole /= 10)
    fraction[i] = (char)('0' + whole % 10);
  snprintf(text, size, "%s%lld.%s", minus, whole, fraction);
}

/* The power k of ten as raised digits. */
static void write_raised(int k, char *text, size_t size) {
  static const char *const raised[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  char plain[12];
  snprintf(plain, sizeof plain, "%d", k);
  text[0] = '\0';
  for (const char *c = plain; *c; c++) {
    const char *mark = *c == '-' ? "⁻" : raised[*c - '0'];
    if (strlen(text) + strlen(mark) < size) strcat(text, mark);
  }
}

static void write_power(int k, int plain, char *text, size_t size) {
  if (plain || k == 0 || k == 1) {
    write_decimal(1, k, text, size);
    return;
  }
  char raised[24];
  write_raised(k, raised, sizeof raised);
  snprintf(text, size, "10%s", raised);
}

void ms_axis_read(const ms_axis *axis, double value, char *text, size_t size) {
  const double shown = value / power_of_ten(axis->exponent);
  int e = shown != 0.0 ? (int)floor(log10(fabs(shown))) - 2 : 0;
  long long n = llround(shown / power_of_ten(e));
  for (; n != 0 && n % 10 == 0; e++) n /= 10;
  const int far = n != 0 && (e > 4 || e < -6);
  write_decimal(n, far ? 0 : e, text, size);
  if (!far) return;
  char raised[24];
  write_raised(e, raised, sizeof raised);
  const size_t at = strlen(text);
  snprintf(text + at, size - at, "\u00d710%s", raised);
}

void ms_axis_title(const ms_axis *axis, const char *label, const char *unit, char *text,
                   size_t size) {
  char factor[32] = "";
  if (axis->exponent != 0) {
    char raised[24];
    write_raised(axis->exponent, raised, sizeof raised);
    snprintf(factor, sizeof factor, "10%s", raised);
  }
  char name[160], people[64]; /* as people write them */
  ms_text_symbol(label ? label : "", name, sizeof name);
  ms_text_unit(unit ? unit : "", people, sizeof people);
  label = name, unit = people;
  if (!*unit && !*factor)
    snprintf(text, size, "%s", label);
  else
    snprintf(text, size, "%s%s[%s%s%s]", label, *label ? " " : "", factor,
             *factor && *unit ? " " : "", unit);
}

/* ---- ticks ---- */

static ms_tick *add_tick(ms_axis *axis, double value) {
  ms_tick *tick = &axis->tick[axis->n];
  if (axis->n < MS_AXIS_MAX_TICKS) axis->n++; /* more than fit are more than anyone could see */
  tick->value = value;
  tick->label[0] = '\0';
  return tick;
}

/* Values such as 0.02 or 4500 are read with ease; others are given in thousands, millionths... */
static int common_exponent(double low, double high) {
  int e = (int)floor(log10(fmax(fabs(low), fabs(high))));
  return e >= 4 || e <= -3 ? 3 * (int)floor(e / 3.0) : 0;
}

/* The step m 10^e with m = 1, 2 or 5 that is nearest (in ratio) to raw. */
static void nice_step(double raw, int *m, int *e) {
  *e = (int)floor(log10(raw));
  double ratio = raw / power_of_ten(*e);
  *m = ratio < sqrt(2.0) ? 1 : ratio < sqrt(10.0) ? 2 : 5;
  if (ratio < sqrt(50.0)) return;
  *m = 1;
  ++*e;
}

static void linear_ticks(ms_axis *axis, int target) {
  int m, e;
  nice_step((axis->high - axis->low) / target, &m, &e);
  double step = decimal(m, e);
  axis->exponent = common_exponent(axis->low, axis->high);
  long long first = (long long)ceil(axis->low / step - ms_report_tol.tick_margin);
  long long last = (long long)floor(axis->high / step + ms_report_tol.tick_margin);
  for (long long i = first; i <= last; i++) {
    ms_tick *tick = add_tick(axis, decimal(i * m, e));
    write_decimal(i * m, e - axis->exponent, tick->label, sizeof tick->label);
  }
}

static int inside(const ms_axis *axis, double value) {
  return value >= axis->low && value <= axis->high;
}

static void minor_ticks(ms_axis *axis, int decade, int skip_2_and_5) {
  for (int m = 2; m < 10; m++) {
    double value = decimal(m, decade);
    if (skip_2_and_5 && (m == 2 || m == 5)) continue;
    if (inside(axis, value)) add_tick(axis, value);
  }
}

/* Labels at 1, 2 and 5 of each decade; returns how many there are in the range. */
static int one_two_five_ticks(ms_axis *axis, int first, int last) {
  static const int mantissa[] = { 1, 2, 5 };
  int count = 0;
  axis->exponent = common_exponent(axis->low, axis->high);
  for (int k = first - 1; k <= last; k++) {
    for (int i = 0; i < 3; i++) {
      if (!inside(axis, decimal(mantissa[i], k))) continue;
      ms_tick *tick = add_tick(axis, decimal(mantissa[i], k));
      write_decimal(mantissa[i], k - axis->exponent, tick->label, sizeof tick->label);
      count++;
    }
    minor_ticks(axis, k, 1);
  }
  return count;
}

/* Decades if at least two are in sight, else 1-2-5 if that gives three labels, else as linear. */
static void log_ticks(ms_axis *axis, int target) {
  int first = (int)ceil(log10(axis->low) - ms_report_tol.tick_margin);
  int last = (int)floor(log10(axis->high) + ms_report_tol.tick_margin);
  if (last > first) {
    /* Labels at every decade, or at every stride-th where there are many. */
    int stride = (last - first) / (target + 2) + 1;
    int plain = first >= -2 && last <= 3;
    for (int k = first - 1; k <= last; k++) {
      if (k >= first && k % stride == 0) {
        ms_tick *tick = add_tick(axis, decimal(1, k));
        write_power(k, plain, tick->label, sizeof tick->label);
      } else if (k >= first && last - first < MANY_TICKS) {
        add_tick(axis, decimal(1, k));
      }
      if (stride == 1) minor_ticks(axis, k, 0);
    }
    return;
  }
  if (one_two_five_ticks(axis, first, last) >= 3) return;
  axis->n = 0;
  linear_ticks(axis, target);
}

void ms_axis_setup(ms_axis *axis, int log, double low, double high, int target) {
  memset(axis, 0, sizeof *axis);
  if (low > high) low = log ? 1.0 : 0.0, high = log ? 10.0 : 1.0;
  axis->log = log;
  axis->low = low, axis->high = high;
  if (target < 3) target = 3;
  (log ? spread_log : spread_linear)(&axis->low, &axis->high);
  (log ? log_ticks : linear_ticks)(axis, target);
}

void ms_axis_name_rows(ms_axis *axis, ptrdiff_t n, char *const *name) {
  axis->n = 0;
  axis->exponent = 0;
  for (ptrdiff_t i = n - 1; i >= 0; i--) {
    const double value = (double)(n - i);
    if (value < axis->low || value > axis->high) continue;
    ms_tick *tick = add_tick(axis, value);
    /* As much of a name as a label holds, in whole characters. */
    size_t size = sizeof tick->label;
    const char *end = name[i];
    for (const char *next = name[i]; *next; end = next) {
      ms_text_next(&next);
      if ((size_t)(next - name[i]) >= size) break;
    }
    snprintf(tick->label, size, "%.*s", (int)(end - name[i]), name[i]);
  }
}

double ms_axis_place(const ms_axis *axis, double value) {
  if (axis->log) return log(value / axis->low) / log(axis->high / axis->low);
  return (value - axis->low) / (axis->high - axis->low);
}
