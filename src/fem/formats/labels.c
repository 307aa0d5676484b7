/* From the numbers of a file to indices: open addressing, linear probing, at most half full. */
#include "fem/formats/reader.h"

ms_status ms_grow(ms_context *ctx, ptrdiff_t n, ptrdiff_t *capacity, size_t size, void *p) {
  if (n <= *capacity) return MS_SUCCESS;
  ptrdiff_t wanted = n > 2 * *capacity ? n : 2 * *capacity;
  if (wanted < 16) wanted = 16;
  MS_TRY(ms_resize(ctx, wanted, size, p));
  *capacity = wanted;
  return MS_SUCCESS;
}

static size_t spread(ptrdiff_t key) {
  uint64_t x = (uint64_t)key * UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)(x ^ x >> 29);
}

static ptrdiff_t place_of(const ms_labels *l, ptrdiff_t key) {
  size_t mask = (size_t)l->capacity - 1, i = spread(key) & mask;
  while (l->value[i] >= 0 && l->key[i] != key) i = (i + 1) & mask;
  return (ptrdiff_t)i;
}

static ms_status enlarge(ms_context *ctx, ms_labels *l) {
  ms_labels next = { .capacity = l->capacity ? 2 * l->capacity : 64, .n = l->n };
  ms_status status = ms_allocate(ctx, next.capacity, sizeof *next.key, &next.key);
  if (status == MS_SUCCESS)
    status = ms_allocate(ctx, next.capacity, sizeof *next.value, &next.value);
  if (status != MS_SUCCESS) {
    ms_labels_free(ctx, &next);
    return status;
  }
  for (ptrdiff_t i = 0; i < next.capacity; i++) next.value[i] = -1;
  for (ptrdiff_t i = 0; i < l->capacity; i++) {
    if (l->value[i] < 0) continue;
    ptrdiff_t k = place_of(&next, l->key[i]);
    next.key[k] = l->key[i];
    next.value[k] = l->value[i];
  }
  ms_labels_free(ctx, l);
  *l = next;
  return MS_SUCCESS;
}

ms_status ms_labels_put(ms_context *ctx, ms_labels *l, ptrdiff_t key, int32_t value,
                        int32_t *before) {
  if (2 * (l->n + 1) > l->capacity) MS_TRY(enlarge(ctx, l));
  ptrdiff_t i = place_of(l, key);
  *before = l->value[i];
  if (*before >= 0) return MS_SUCCESS;
  l->key[i] = key;
  l->value[i] = value;
  l->n++;
  return MS_SUCCESS;
}

int32_t ms_labels_get(const ms_labels *l, ptrdiff_t key) {
  return l->n ? l->value[place_of(l, key)] : -1;
}

void ms_labels_free(ms_context *ctx, ms_labels *l) {
  ms_free(ctx, &l->key);
  ms_free(ctx, &l->value);
  *l = (ms_labels) { 0 };
}
