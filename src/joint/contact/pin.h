/* An elastic stop on both sides of a gap: o is how far the displacement has run into a stop,

     o = u - plus for u > plus,   u + minus for u < -minus,   0 between;     F = k K o. */
#ifndef MS_JOINT_CONTACT_PIN_H
#define MS_JOINT_CONTACT_PIN_H

typedef struct ms_pin {
  double K, plus, minus;
} ms_pin;

static inline double ms_pin_overlap(const ms_pin *p, double u) {
  if (u > p->plus) return u - p->plus;
  return u < -p->minus ? u + p->minus : 0.0;
}

/* Of the touching stop, 0 in the gap; without any gap there is a spring, at u = 0 too. Where one
   stop alone touches at u = 0 the slope there is that of the open side. */
static inline double ms_pin_stiffness(const ms_pin *p, double u) {
  return u > p->plus || u < -p->minus || p->plus + p->minus == 0.0 ? p->K : 0.0;
}

static inline double ms_pin_energy(const ms_pin *p, double u) {
  double o = ms_pin_overlap(p, u);
  return 0.5 * p->K * o * o;
}

#endif
