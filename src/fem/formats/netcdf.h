/* Arrays of a netCDF file: classic (CDF-1, 2 and 5) by our own reader, netCDF-4 by HDF5. */
#ifndef MS_FEM_NETCDF_H
#define MS_FEM_NETCDF_H

#include <stddef.h>
#include <stdint.h>

#include <microslip/context.h>
#include <microslip/io.h>

/* A variable of a classic file. */
typedef struct ms_netcdf_variable {
  char *name;
  int type;
  int rank;
  ptrdiff_t size[2];
  int is_record;   /* has a value for each time */
  uint64_t begin;  /* byte of the file */
  char *elem_type; /* its attribute of that name, or NULL */
} ms_netcdf_variable;

typedef struct ms_netcdf {
  ms_context *ctx;
  const char *path;
  const unsigned char *bytes;
  size_t length;
  ms_results *hdf5; /* NULL: classic */
  ms_netcdf_variable *variable;
  ptrdiff_t n, capacity;
} ms_netcdf;

int ms_netcdf_sniff(const char *bytes, size_t length); /* 0 no, 1 classic, 2 HDF5 */
ms_status ms_netcdf_open(ms_context *ctx, const char *path, const char *bytes, size_t length,
                         ms_netcdf *out);
void ms_netcdf_close(ms_netcdf *file);

ms_status ms_netcdf_has(const ms_netcdf *file, const char *name, int *has);
/* All values of a variable of one or two dimensions, n_row rows of n_col; n_col is 1 for one
   dimension. To be freed by ms_free. */
ms_status ms_netcdf_numbers(const ms_netcdf *file, const char *name, ptrdiff_t *n_row,
                            ptrdiff_t *n_col, double **values);
/* The same, of whole numbers that fit into 53 bits. */
ms_status ms_netcdf_integers(const ms_netcdf *file, const char *name, ptrdiff_t *n_row,
                             ptrdiff_t *n_col, ptrdiff_t **values);
/* n texts of `width` bytes each, the rest of them NUL, in one block. */
ms_status ms_netcdf_texts(const ms_netcdf *file, const char *name, ptrdiff_t n, ptrdiff_t *width,
                          char **texts);
/* The attribute elem_type of a variable, to be freed; refused if it has none. */
ms_status ms_netcdf_element(const ms_netcdf *file, const char *name, char **text);

#endif
