/* [core] Tolerances of a method: the numbers of its algorithm that seldom need another value. They
   are one list, MS_X_TOLERANCES(X), of name, default and reason; the struct `tol` in the method's
   settings and the defaults are made of it. All are finite and above 0, or the method refuses them.
   docs/decisions/0014-tolerances.md has all lists, and the test that notices each. */
#ifndef MICROSLIP_TOLERANCE_H
#define MICROSLIP_TOLERANCE_H

#define MS_TOLERANCE_FIELD(name, value, reason)   double name;
#define MS_TOLERANCE_DEFAULT(name, value, reason) value,

#endif
