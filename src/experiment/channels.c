/* Channels of a run in time, by name. */
#include "experiment/channels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "structure/impl.h"

static const struct quantity {
  const char *unit, *about; /* about: of a rotation */
  const char *label, *suffix, *meaning;
} quantities[MS_N_QUANTITY] = {
  [MS_DISPLACEMENT] = { "m", "rad", "displacement", "displacement",
                        "displacement of this degree of freedom" },
  [MS_VELOCITY] = { "m/s", "rad/s", "velocity", "velocity", "velocity of this degree of freedom" },
  [MS_ACCELERATION] = { "m/s^2", "rad/s^2", "acceleration", "acceleration",
                        "acceleration of this degree of freedom" },
  [MS_ABSOLUTE] = { "m/s^2", "rad/s^2", "absolute acceleration", "absolute",
                    "acceleration of this degree of freedom, that of the base included" },
  [MS_JOINT_Z] = { "m", "rad", "joint displacement", "z", "displacement across this joint" },
  [MS_JOINT_F] = { "N", "N m", "joint force", "f", "force of this joint" },
  [MS_JOINT_N] = { "N", "N", "normal load", "N", "normal load of this joint, preload included" },
  [MS_MODAL] = { "m sqrt(kg)", NULL, "modal displacement", "displacement",
                 "modal coordinate of this mode" },
  [MS_MODAL_VELOCITY] = { "m/s sqrt(kg)", NULL, "modal velocity", "velocity",
                          "modal velocity of this mode" },
  [MS_MODAL_ACCELERATION] = { "m/s^2 sqrt(kg)", NULL, "modal acceleration", "acceleration",
                              "modal acceleration of this mode" },
  [MS_LOAD_FORCE] = { "N", "N m", "load", "", "force or moment of this load" },
  [MS_LOAD_MODAL] = { "N/sqrt(kg)", NULL, "modal load", "", "modal force of this load" },
  [MS_LOAD_BASE] = { "m/s^2", NULL, "base acceleration", "", "acceleration of the base" },
};

const char *ms_quantity_unit(ms_quantity q, int turns) {
  return turns ? quantities[q].about : quantities[q].unit;
}

const char *ms_quantity_meaning(ms_quantity q) {
  return quantities[q].meaning;
}

const char *ms_quantity_label(ms_quantity q) {
  return quantities[q].label;
}

int ms_channel_place_length(const ms_channel *c) {
  const char *dot = strrchr(c->name, '.');
  const int names_quantity = dot && strcmp(dot + 1, quantities[c->quantity].suffix) == 0;
  return (int)(names_quantity ? dot - c->name : (ptrdiff_t)strlen(c->name));
}

ms_channel_extent ms_channel_measure(ptrdiff_t n, const double *x) {
  ms_channel_extent e = { 0 };
  for (ptrdiff_t i = 0; i < n; i++) {
    e.lowest = i ? fmin(e.lowest, x[i]) : x[0];
    e.highest = i ? fmax(e.highest, x[i]) : x[0];
    e.rms += x[i] * x[i] / (double)n;
  }
  e.rms = sqrt(e.rms);
  e.peak = fmax(fabs(e.lowest), fabs(e.highest));
  return e;
}

/* ---- names ---- */

/* The quantity in [first, last] of that suffix; an empty one is the first. */
static int find_suffix(const char *suffix, int first, int last) {
  if (!*suffix) return first;
  for (int q = first; q <= last; q++) {
    if (strcmp(quantities[q].suffix, suffix) == 0) return q;
  }
  return -1;
}

static ptrdiff_t find_coordinate(const ms_structure *s, const char *name) {
  ptrdiff_t i;
  return ms_structure_find(s, name, &i) == MS_SUCCESS && i != MS_GROUND ? i : -1;
}

/* The load on the last axis of a joint with a normal spring. */
static int find_load_of(ms_joint *joint, const char *suffix, ptrdiff_t first, ms_channel *out) {
  ms_joint_contact contact;
  if (suffix[1] || !ms_joint_get_loaded_law(joint)) return 0;
  (void)ms_joint_get_contact(joint, &contact);
  out->quantity = MS_JOINT_N;
  out->index = first + ms_joint_info(joint)->n_axis - 1;
  out->offset = contact.N_0;
  return 1;
}

/* Whether the axis is between rotations; weights on rotations alone are arms of a displacement. */
static int turns_axis(const ms_structure *s, int joint, long axis) {
  const ms_attachment *attachment = &ms_structure_view(s).attachment[joint];
  const ptrdiff_t at =
      attachment->to[axis] == MS_GROUND ? attachment->from[axis] : attachment->to[axis];
  return !attachment->mapping_row[axis] && at != MS_GROUND &&
         ms_name_is_rotation(ms_structure_get_name(s, at));
}

/* "z", "f", "z2", "N": the quantity and the axis of joint `name`. */
static int find_joint(const ms_structure *s, const char *name, const char *suffix,
                      ms_channel *out) {
  ptrdiff_t first = 0;
  if (*suffix != 'z' && *suffix != 'f' && *suffix != 'N') return 0;
  long axis = suffix[1] ? suffix[1] - '0' : 1;
  for (int j = 0; j < ms_structure_count_joints(s); j++) {
    int n_axis = ms_joint_info(ms_structure_get_joint(s, j))->n_axis;
    if (strcmp(ms_structure_get_joint_name(s, j), name) == 0) {
      if (*suffix == 'N') return find_load_of(ms_structure_get_joint(s, j), suffix, first, out);
      out->quantity = *suffix == 'z' ? MS_JOINT_Z : MS_JOINT_F;
      out->index = first + axis - 1;
      if (axis < 1 || axis > n_axis || (suffix[1] && suffix[2])) return 0;
      out->turns = turns_axis(s, j, axis - 1);
      return 1;
    }
    first += n_axis;
  }
  return 0;
}

static int find_mode(const ms_structure *s, const char *name, const char *suffix, ms_channel *out) {
  char *end;
  if (name[0] != 'q' || name[1] < '1' || name[1] > '9') return 0;
  long mode = strtol(name + 1, &end, 10);
  int q = find_suffix(suffix, MS_MODAL, MS_MODAL_ACCELERATION);
  if (*end || mode > ms_structure_get_size(s) || q < 0) return 0;
  out->quantity = (ms_quantity)q;
  out->index = mode - 1;
  return 1;
}

static int find_load(const ms_acting_load *load, int n, const char *name, ms_channel *out) {
  for (int i = 0; i < n; i++) {
    if (strcmp(load[i].name, name) != 0) continue;
    out->quantity = load[i].base ? MS_LOAD_BASE : load[i].modal ? MS_LOAD_MODAL : MS_LOAD_FORCE;
    out->index = i;
    out->turns = out->quantity == MS_LOAD_FORCE && load[i].moment;
    return 1;
  }
  return 0;
}

/* What the part before the dot names, by the suffix behind it. */
static int find_part(const ms_structure *s, const char *name, const char *suffix, ms_channel *out) {
  out->index = find_coordinate(s, name);
  if (out->index < 0) return find_joint(s, name, suffix, out) || find_mode(s, name, suffix, out);
  int q = find_suffix(suffix, MS_DISPLACEMENT, MS_ABSOLUTE);
  out->quantity = q >= 0 ? (ms_quantity)q : MS_DISPLACEMENT;
  return q >= 0;
}

/* ---- lists ---- */

void ms_channels_free(ms_context *ctx, ms_channels *c) {
  for (int i = 0; i < c->n; i++) ms_free(ctx, &c->channel[i].name);
  ms_free(ctx, &c->channel);
  c->n = 0;
}

int ms_channels_find(const ms_channels *c, const char *name) {
  for (int i = 0; i < c->n; i++) {
    if (strcmp(c->channel[i].name, name) == 0) return i;
  }
  return -1;
}

static ms_status append(ms_context *ctx, const ms_structure *s, const char *name, ms_channel like,
                        ms_channels *c) {
  MS_TRY(ms_resize(ctx, c->n + 1, sizeof *c->channel, &c->channel));
  if (like.quantity <= MS_ABSOLUTE) {
    like.turns = ms_name_is_rotation(ms_structure_get_name(s, like.index));
  }
  c->channel[c->n] = like;
  MS_TRY(ms_text_copy(ctx, name, &c->channel[c->n].name));
  c->n++;
  return MS_SUCCESS;
}

/* Names of degrees of freedom may have dots themselves: the whole word goes first. */
ms_status ms_channels_add(ms_context *ctx, const ms_structure *s, int n_load,
                          const ms_acting_load *load, const char *word, ms_channels *c) {
  ms_channel found = { .quantity = MS_DISPLACEMENT, .index = find_coordinate(s, word) };
  if (ms_channels_find(c, word) >= 0) {
    return ms_fail(ctx, MS_ERR_NAME, "channel '%s' is there already", word);
  }
  if (found.index < 0 && !find_load(load, n_load, word, &found)) {
    char *name;
    MS_TRY(ms_text_copy(ctx, word, &name));
    char *dot = strrchr(name, '.');
    if (dot) *dot = '\0';
    const int known = find_part(s, name, dot ? dot + 1 : "", &found);
    ms_free(ctx, &name);
    const char *first = ms_structure_get_name(s, 0);
    if (!known) {
      return ms_fail(ctx, MS_ERR_NAME,
                     "there is no channel '%s'; channels are coordinates (%s, %s.velocity, "
                     ".acceleration, .absolute), joints (NAME.z, NAME.f, NAME.z2, NAME.N), modes "
                     "(q1, q1.velocity) and loads",
                     word, first, first);
    }
  }
  return append(ctx, s, word, found, c);
}

/* A channel of a joint, NAME.z2, by its suffix; one that it does not have is left out. */
static ms_status add_of_joint(ms_context *ctx, const ms_structure *s, const char *joint,
                              const char *suffix, ms_channels *c) {
  ms_channel channel = { .name = NULL };
  size_t size = strlen(joint) + strlen(suffix) + 2;
  char *name;
  if (!find_joint(s, joint, suffix, &channel)) return MS_SUCCESS;
  MS_TRY(ms_allocate(ctx, (ptrdiff_t)size, 1, &name));
  snprintf(name, size, "%s.%s", joint, suffix);
  ms_status status = append(ctx, s, name, channel, c);
  ms_free(ctx, &name);
  return status;
}

ms_status ms_channels_add_all(ms_context *ctx, const ms_structure *s, ms_channels *c) {
  static const char *const suffix[] = { "z", "f", "z2", "f2", "z3", "f3", "N" };
  for (ptrdiff_t i = 0; i < ms_structure_get_size(s); i++) {
    ms_channel channel = { .quantity = MS_DISPLACEMENT, .index = i };
    MS_TRY(append(ctx, s, ms_structure_get_name(s, i), channel, c));
  }
  for (int j = 0; j < ms_structure_count_joints(s); j++) {
    const char *joint = ms_structure_get_joint_name(s, j);
    for (size_t k = 0; k < sizeof suffix / sizeof *suffix; k++) {
      MS_TRY(add_of_joint(ctx, s, joint, suffix[k], c));
    }
  }
  return MS_SUCCESS;
}

/* ---- values ---- */

static double absolute(const ms_acting_load *load, int n, double t, ptrdiff_t i, double a) {
  for (int k = 0; k < n; k++) {
    if (load[k].base) a += load[k].base[i] * ms_load_eval(load[k].load, t);
  }
  return a;
}

void ms_channels_sample(const ms_channels *channels, const ms_transient *run,
                        const ms_acting_load *load, int n_load, ptrdiff_t n_coordinate,
                        double *work, double *out) {
  const ms_channel *channel = channels->channel;
  const double *modal[3], *joint[2];
  double *u[3] = { work, work + n_coordinate, work + 2 * n_coordinate };
  double t = ms_transient_get_time(run);
  ms_transient_get_coordinates(run, u[0], u[1], u[2]);
  ms_transient_get_modal(run, &modal[0], &modal[1], &modal[2]);
  ms_transient_get_joints(run, &joint[0], &joint[1]);
  for (int c = 0; c < channels->n; c++) {
    ms_quantity q = channel[c].quantity;
    ptrdiff_t i = channel[c].index;
    if (q == MS_ABSOLUTE) {
      out[c] = absolute(load, n_load, t, i, u[2][i]);
    } else if (q < MS_ABSOLUTE) {
      out[c] = u[q - MS_DISPLACEMENT][i];
    } else if (q <= MS_JOINT_F) {
      out[c] = joint[q - MS_JOINT_Z][i];
    } else if (q == MS_JOINT_N) {
      out[c] = joint[1][i] + channel[c].offset;
    } else if (q <= MS_MODAL_ACCELERATION) {
      out[c] = modal[q - MS_MODAL][i];
    } else {
      out[c] = ms_load_eval(load[i].load, t);
    }
  }
}
