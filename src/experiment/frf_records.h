/* Records of a test for its frequency response, as a YAML file names them. */
#ifndef MS_EXPERIMENT_FRF_RECORDS_H
#define MS_EXPERIMENT_FRF_RECORDS_H

#include <microslip/experiment.h>

#include "io/yaml/tables.h"

/* How blocks are averaged. */
typedef struct ms_frf_blocks {
  int window;
  ptrdiff_t length;
  double overlap, force_end, decay;
} ms_frf_blocks;

#define MS_ROWS_BLOCKS                                                                           \
  MS_CHOICE(ms_frf_blocks, window, "hann|rectangular|hammer", MS_OPTIONAL, "window of a block"), \
      MS_COUNT(ms_frf_blocks, length, MS_FROM(8), MS_ELSE("an eighth of the record"),            \
               "samples in a block"),                                                            \
      MS_NUMBER(ms_frf_blocks, overlap, NULL, MS_BELOW_ONE, MS_DEFAULT(0.5),                     \
                "part of a block that the next one shares"),                                     \
      MS_NUMBER(ms_frf_blocks, force_end, "s", MS_POSITIVE, MS_ELSE("the end of the block"),     \
                "hammer: time in a block from which on the input is zero"),                      \
      MS_NUMBER(ms_frf_blocks, decay, "1/s", MS_POSITIVE, MS_ELSE("no decay"),                   \
                "hammer: rate at which a block fades")

typedef struct ms_frf_records {
  ms_record input, output;
  double scale;     /* of the input's numbers */
  ptrdiff_t before; /* samples before the first pulse; 0: no offset subtracted */
  double offset[2]; /* of input and output, that were subtracted */
} ms_frf_records;

/* Settings for so many samples, dt s apart, that are to resolve a range (Hz); node: the blocks'
   mapping. */
ms_status ms_frf_use_blocks(const ms_yaml *yaml, struct fy_node *node, const ms_frf_blocks *blocks,
                            ptrdiff_t samples, double dt, const double range[2],
                            ms_frf_settings *out);
/* What a mapping with these keys says; is_base: the input is an acceleration of the ground. Both
   records are to be freed even after a failure. */
extern const ms_param_list ms_frf_measured_keys;
ms_status ms_frf_read_records(const ms_key_source *from, struct fy_node *node,
                              ms_response_kind kind, int is_base, const double range[2],
                              ms_frf_records *out, ms_frf_settings *settings);

#endif
