/* Keys of what a test brings. */
#include "io/yaml/test_keys.h"

static const ms_param part_rows[] = {
  MS_WORD(ms_attached_options, at, MS_REQUIRED,
          "degree of freedom, or a node, whose translations all have the mass"),
  MS_NUMBER(ms_attached_options, mass, "kg", MS_NOT_NEGATIVE, MS_DEFAULT(0.0),
            "of a sensor or tip"),
  MS_NUMBER(ms_attached_options, stiffness, "N/m", MS_NOT_NEGATIVE, MS_DEFAULT(0.0),
            "of a stinger or spring"),
  MS_CHOICE(ms_attached_options, direction, "none|x|y|z", MS_OPTIONAL,
            "of the stiffness at a node that moves in several"),
  MS_WORD(ms_attached_options, to, MS_ELSE("the ground"),
          "degree of freedom at the other end of the spring"),
};
const ms_param_list ms_attached_part_keys = MS_LIST_OF(part_rows);
static const ms_param part_row[] = { MS_EACH("mapping", &ms_attached_part_keys,
                                             "a sensor, tip or spring") };
const ms_param_list ms_attached_keys = MS_LIST_OF(part_row);

static const ms_param swept_rows[] = {
  MS_WORD(ms_swept_options, force, MS_REQUIRED, "channel of the force"),
  MS_WORD(ms_swept_options, channel, MS_REQUIRED, "channel of the response at the sensor"),
  MS_COUNT(ms_swept_options, periods, MS_FROM(2), MS_DEFAULT(8), "periods that make a row"),
  MS_COUNT(ms_swept_options, rows, MS_FROM(3), MS_DEFAULT(60),
           "at most, evenly spread over the sweep"),
};
const ms_param_list ms_swept_keys = MS_LIST_OF(swept_rows);

static const ms_param measured_keys[] = {
  { .name = "file",
    .kind = MS_PARAM_PATH,
    .required = 1,
    .meaning = "table of frequency, force, amplitude and phase, the unit of each in its heading" },
  MS_SINE_COLUMNS,
  MS_ROW_SWEPT,
};
const ms_param_list ms_measured_sine_keys = MS_LIST_OF(measured_keys);
