/* Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random
   numbers: as easy as 1, 2, 3" (2011). key = seed; the upper half of the counter is the stream. */
#include <microslip/context.h>

#include <math.h>

static void multiply(uint32_t a, uint32_t b, uint32_t *high, uint32_t *low) {
  uint64_t product = (uint64_t)a * b;
  *high = (uint32_t)(product >> 32);
  *low = (uint32_t)product;
}

static void philox_block(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
  uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; round++) {
    uint32_t h0, l0, h1, l1;
    multiply(0xD2511F53u, c0, &h0, &l0);
    multiply(0xCD9E8D57u, c2, &h1, &l1);
    c0 = h1 ^ c1 ^ k0;
    c1 = l1;
    c2 = h0 ^ c3 ^ k1;
    c3 = l0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3;
}

void ms_random_start(ms_random *rng, uint64_t seed, uint64_t stream) {
  *rng = (ms_random) {
    .key = { (uint32_t)seed, (uint32_t)(seed >> 32) },
    .counter = { 0, 0, (uint32_t)stream, (uint32_t)(stream >> 32) },
    .used = 4,
  };
}

static uint32_t next32(ms_random *rng) {
  if (rng->used == 4) {
    philox_block(rng->counter, rng->key, rng->block);
    if (++rng->counter[0] == 0) rng->counter[1]++;
    rng->used = 0;
  }
  return rng->block[rng->used++];
}

uint64_t ms_random_bits(ms_random *rng) {
  uint64_t low = next32(rng);
  return low | (uint64_t)next32(rng) << 32;
}

double ms_random_uniform(ms_random *rng) {
  return ((double)(ms_random_bits(rng) >> 12) + 0.5) * 0x1p-52;
}

/* Marsaglia's polar method: two at a time. */
double ms_random_normal(ms_random *rng) {
  if (rng->has_spare) {
    rng->has_spare = 0;
    return rng->spare;
  }
  double x, y, s;
  do {
    x = 2.0 * ms_random_uniform(rng) - 1.0;
    y = 2.0 * ms_random_uniform(rng) - 1.0;
    s = x * x + y * y;
  } while (s >= 1.0 || s == 0.0);
  double scale = sqrt(-2.0 * log(s) / s);
  rng->spare = y * scale;
  rng->has_spare = 1;
  return x * scale;
}
