/* Text: UTF-8, how wide it is, where it breaks, and how it is written into XML. */
#include "report/internal.h"

#include <stdio.h>
#include <string.h>

enum {
  UNKNOWN = 0xFFFDu,
  START = 2 /* the level before the first run: none is open */
};

/* ---- characters ---- */

/* The number of bytes that follow, by the first; -1 for a byte that cannot be first. */
static int following(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xC2 && first < 0xE0) return 1;
  if (first >= 0xE0 && first < 0xF0) return 2;
  if (first >= 0xF0 && first < 0xF5) return 3;
  return -1;
}

/* What XML 1.0 allows, less the encodings that are longer than need be. */
static int allowed(uint32_t c, int bytes) {
  static const uint32_t smallest[] = { 0, 0x80, 0x800, 0x10000 };
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c >= smallest[bytes] && c <= 0x10FFFF && !(c >= 0xD800 && c < 0xE000) && c != 0xFFFE &&
         c != 0xFFFF;
}

uint32_t ms_text_next(const char **text) {
  static const unsigned char mask[] = { 0x7F, 0x1F, 0x0F, 0x07 };
  unsigned char first = (unsigned char)**text;
  if (!first) return 0;
  ++*text;
  int more = following(first);
  if (more < 0) return UNKNOWN;
  uint32_t c = first & mask[more];
  for (int i = 0; i < more; i++) {
    unsigned char byte = (unsigned char)(*text)[i];
    if ((byte & 0xC0) != 0x80) return UNKNOWN;
    c = c << 6 | (byte & 0x3F);
  }
  *text += more;
  return allowed(c, more) ? c : UNKNOWN;
}

/* The character that a raised one stands for; 0 if it is not raised. */
static uint32_t raised_to_plain(uint32_t c) {
  if (c == 0xB9) return '1';
  if (c == 0xB2 || c == 0xB3) return c - 0xB2 + '2';
  if (c == 0x2070 || (c >= 0x2074 && c <= 0x2079)) return c - 0x2070 + '0';
  if (c == 0x207A) return '+';
  return c == 0x207B ? 0x2212 : 0;
}

/* ---- width ---- */

/* In units of the size. */
static double character_width(uint32_t c) {
  if (raised_to_plain(c)) return 0.46;
  if (c < 0x80 && strchr("ijl.,:;'|!I[]() ", (int)c)) return 0.37;
  if (c < 0x80 && strchr("mwMW%@", (int)c)) return 0.95;
  if (c >= 'A' && c <= 'Z') return 0.70;
  if (c >= 0x1100) return c >= 0x2E80 ? 1.0 : 0.8;
  return 0.61;
}

double ms_text_width(const char *text, const char *end, double size) {
  double width = 0.0;
  while (*text && (!end || text < end)) width += character_width(ms_text_next(&text));
  return width * size;
}

/* ---- lines ---- */

const char *ms_text_skip(const char *text) {
  return text + strspn(text, " \t\r\n");
}

/* A word that is wider than the line has one to itself. */
const char *ms_text_line(const char *text, double size, double width) {
  const char *end = text + strcspn(text, " \t\r\n");
  for (;;) {
    const char *word = ms_text_skip(end);
    const char *next = word + strcspn(word, " \t\r\n");
    if (!*word || ms_text_width(text, next, size) > width) return end;
    end = next;
  }
}

int ms_text_count_lines(const char *text, double size, double width) {
  int n = 0;
  if (!text) return 0;
  for (text = ms_text_skip(text); *text; n++) text = ms_text_skip(ms_text_line(text, size, width));
  return n;
}

/* ---- writing ---- */

static void put_utf8(FILE *out, uint32_t c) {
  if (c < 0x80) {
    fputc((int)c, out);
    return;
  }
  int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  uint32_t lead = more == 1 ? 0xC0u : more == 2 ? 0xE0u : 0xF0u;
  fputc((int)(lead | c >> 6 * more), out);
  while (more-- > 0) fputc((int)(0x80u | (c >> 6 * more & 0x3Fu)), out);
}

static void put_escaped(FILE *out, uint32_t c) {
  switch (c) {
  case '&':
    fputs("&amp;", out);
    break;
  case '<':
    fputs("&lt;", out);
    break;
  case '>':
    fputs("&gt;", out);
    break;
  case '"':
    fputs("&quot;", out);
    break;
  case '\'':
    fputs("&#39;", out);
    break;
  default:
    put_utf8(out, c);
  }
}

void ms_text_escape(FILE *out, const char *text) {
  for (uint32_t c = ms_text_next(&text); c; c = ms_text_next(&text)) put_escaped(out, c);
}

/* ---- drawing: raised, lowered and plain runs ---- */

/* dy moves all that follows, so each run moves by its difference from the one before. */
static void change_level(FILE *out, int from, int to, double size) {
  static const double shift[] = { 0.22, 0.0, -0.34 }; /* of the size: an index, none, an exponent */
  static const char *const class[] = { " class=\"small\"", "", " class=\"small\"" };
  if (from != START) fputs("</tspan>", out);
  fprintf(out, "<tspan%s dy=\"", class[to + 1]);
  ms_svg_number(out, size * (shift[to + 1] - (from == START ? 0.0 : shift[from + 1])));
  fputs("\">", out);
}

static int is_letter(uint32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= 0x370 && c < 0x400);
}

static int is_index(uint32_t c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == 0x221E;
}

/* Is the underscore before `rest` that of a symbol, such as F_S? Its base is a single letter. */
static int opens_index(uint32_t before, uint32_t last, const char *rest) {
  return is_letter(last) && !is_letter(before) && before != '_' && is_index(ms_text_next(&rest));
}

static const char *find_symbol(const char *name, size_t length);

static size_t count_letters(const char *text) {
  size_t n = 0;
  while (is_letter((unsigned char)text[n])) n++;
  return n;
}

/* The Greek letter that a word of running text names: "omega", "zeta_0"; NULL for others. Names
   with dots or slashes are keys and files; "gamma" alone is a distribution. */
static const char *find_greek(const char *text, uint32_t last, size_t *n) {
  if (is_index(last) || last == '_' || last == '.' || last == '/' || last == '-') return NULL;
  *n = count_letters(text);
  const char next = text[*n], *symbol = find_symbol(text, *n);
  if (!symbol || (unsigned char)*symbol < 0x80 || strncmp(text, "inf", *n) == 0) return NULL;
  if (next == '_') return is_index((unsigned char)text[*n + 1]) ? symbol : NULL;
  if ((next >= '0' && next <= '9') || next == '/' ||
      (next == '.' && is_letter((unsigned char)text[*n + 1])))
    return NULL;
  return *text >= 'a' && strncmp(text, "gamma", *n) != 0 ? symbol : NULL;
}

/* Digits of an exponent behind '^'; 0: it is none. */
static size_t count_exponent(const char *text) {
  const size_t sign = *text == '-', n = strspn(text + sign, "0123456789");
  return n > 0 ? sign + n : 0;
}

void ms_text_html(FILE *out, const char *text) {
  uint32_t before = 0, last = 0;
  int lowered = 0;
  while (text && *text) {
    size_t n = 0;
    const char *greek = find_greek(text, last, &n);
    if (greek) {
      fputs(greek, out);
      text += n;
      before = 0, last = ms_text_next(&greek);
      continue;
    }
    uint32_t c = ms_text_next(&text);
    int index = c == '_' && opens_index(before, last, text);
    if (lowered && !is_index(c)) fputs("</sub>", out), lowered = 0;
    if (index && strncmp(text, "inf", 3) == 0 && count_letters(text) == 3) {
      fputs("<sub>\u221E</sub>", out);
      text += 3;
    } else if (index) {
      fputs("<sub>", out), lowered = 1;
    } else if (c == '^' && (n = count_exponent(text)) > 0) {
      fputs("<sup>", out);
      if (*text == '-') fputs("\u2212", out);
      fprintf(out, "%.*s</sup>", (int)(n - (*text == '-')), text + (*text == '-'));
      text += n;
    } else {
      put_escaped(out, c);
    }
    before = last, last = c;
  }
  if (lowered) fputs("</sub>", out);
}

void ms_text_draw(FILE *out, const char *text, const char *end, double size) {
  int level = START;
  uint32_t before = 0, last = 0; /* the two characters before c */
  while (*text && (!end || text < end)) {
    uint32_t c = ms_text_next(&text), plain = raised_to_plain(c);
    int index = c == '_' && opens_index(before, last, text);
    int next = plain ? 1 : index || (level == -1 && is_index(c)) ? -1 : 0;
    if (next != (level == START ? 0 : level)) {
      change_level(out, level, next, size);
      level = next;
    }
    if (!index) put_escaped(out, plain ? plain : c);
    before = last, last = c;
  }
  if (level != START) fputs("</tspan>", out);
}

/* ---- names and units as people write them ---- */

/* What a name stands for where it is alone or in front of an index. */
static const char *find_symbol(const char *name, size_t length) {
  static const char *const symbol[][2] = {
    { "alpha", "α" }, { "beta", "β" },  { "gamma", "γ" },  { "delta", "δ" }, { "epsilon", "ε" },
    { "zeta", "ζ" },  { "eta", "η" },   { "theta", "θ" },  { "kappa", "κ" }, { "lambda", "λ" },
    { "mu", "μ" },    { "nu", "ν" },    { "xi", "ξ" },     { "rho", "ρ" },   { "sigma", "σ" },
    { "tau", "τ" },   { "phi", "φ" },   { "chi", "χ" },    { "psi", "ψ" },   { "omega", "ω" },
    { "Delta", "Δ" }, { "Gamma", "Γ" }, { "Lambda", "Λ" }, { "Sigma", "Σ" }, { "Phi", "Φ" },
    { "Psi", "Ψ" },   { "Omega", "Ω" }, { "inf", "∞" },    { "mac", "MAC" }, { "rms", "RMS" },
  };
  for (size_t i = 0; i < sizeof symbol / sizeof *symbol; i++) {
    if (strlen(symbol[i][0]) == length && strncmp(name, symbol[i][0], length) == 0)
      return symbol[i][1];
  }
  return NULL;
}

/* Up to n bytes more at the end of a text that keeps its terminator. */
static void append(char *text, size_t size, const char *part, size_t n) {
  const size_t at = strlen(text);
  if (at + 1 < size) snprintf(text + at, size - at, "%.*s", (int)n, part);
}

void ms_text_symbol(const char *name, char *text, size_t size) {
  int place = 0; /* of a part in its word */
  text[0] = '\0';
  for (size_t n; *name; name += n) {
    n = strcspn(name, "_ /");
    const char *symbol = find_symbol(name, n);
    const int letter = n == 1 || (symbol && (unsigned char)*symbol >= 0x80);
    append(text, size, symbol ? symbol : name, symbol ? strlen(symbol) : n);
    if (name[n] == '_') append(text, size, place == 0 && letter ? "_" : " ", 1);
    if (name[n] == ' ' || name[n] == '/') append(text, size, name + n, 1);
    place = name[n] == '_' ? place + 1 : 0;
    n += name[n] != '\0';
  }
}

void ms_text_unit(const char *unit, char *text, size_t size) {
  static const char *const sign[][2] = {
    { " sqrt(", "√" }, { "sqrt(", "√" }, { "^-1", "⁻¹" }, { "^-2", "⁻²" },
    { "^2", "²" },     { "^3", "³" },    { "^4", "⁴" },   { "*", "·" },
  };
  int root = 0;
  text[0] = '\0';
  while (*unit) {
    size_t n = 1, i = 0;
    const size_t count = sizeof sign / sizeof *sign;
    while (i < count && strncmp(unit, sign[i][0], strlen(sign[i][0])) != 0) i++;
    if (i < count) n = strlen(sign[i][0]);
    root |= i < 2;
    if (root && *unit == ')') {
      root = 0;
    } else {
      append(text, size, i < count ? sign[i][1] : unit, i < count ? strlen(sign[i][1]) : 1);
    }
    unit += n;
  }
}
