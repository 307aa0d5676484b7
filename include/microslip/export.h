/* [core] Symbol visibility: what the shared library shows. */
#ifndef MICROSLIP_EXPORT_H
#define MICROSLIP_EXPORT_H

#if defined(__GNUC__)
#define MS_API                         __attribute__((visibility("default")))
#define MS_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define MS_API
#define MS_PRINTF(format_index, first)
#endif

#endif
