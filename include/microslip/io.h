/* [io] Files: tables with named columns, and writing without ever leaving half a file. */
#ifndef MICROSLIP_IO_H
#define MICROSLIP_IO_H

#include <stdio.h>

#include <microslip/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tables: equally long columns, each with a name ------------------------------------------ */

typedef struct ms_table ms_table;

/* A table with no columns. */
MS_API ms_status ms_table_create(ms_context *ctx, ms_table **out);
MS_API void ms_table_destroy(ms_table **table);
/* values (n of them) are copied; n must be the table's length unless it is the first column.
   unit may be NULL. Names are unique; neither name nor unit may be empty or hold brackets, control
   characters or blanks at its ends, so that a heading "name [unit]" can be read back. */
MS_API ms_status ms_table_add_column(ms_table *table, const char *name, const char *unit,
                                     const double *values, ptrdiff_t n);
MS_API ptrdiff_t ms_table_get_rows(const ms_table *table);
MS_API ptrdiff_t ms_table_get_columns(const ms_table *table);
/* NULL if there is no such column or, for the unit, if it has none. Owned by the table. */
MS_API const char *ms_table_get_name(const ms_table *table, ptrdiff_t column);
MS_API const char *ms_table_get_unit(const ms_table *table, ptrdiff_t column);
/* NULL if there is no such column of numbers. Owned by the table. */
MS_API const double *ms_table_get_column(const ms_table *table, const char *name);
/* The same of a column that need not be there: *out is NULL if there is none. One of that name
   without numbers is refused, and so is a heading that differs in capitals or small letters alone,
   or has its unit in round brackets: nobody would see that such a column is not read. */
MS_API ms_status ms_table_find_column(const ms_table *table, const char *name, const double **out);
/* NULL if there is no such column of words, or no such row. Owned by the table. */
MS_API const char *ms_table_get_word(const ms_table *table, const char *name, ptrdiff_t row);
/* Line of the file that row came from (1-based), 0 if it came from none. */
MS_API ptrdiff_t ms_table_get_line(const ms_table *table, ptrdiff_t row);

/* All of it as arrays, which are the table's; it must not change afterwards. */
MS_API ms_status ms_table_get_all(ms_table *table, ms_columns *out);

/* Reads a table; the format is chosen by the file's ending (.csv, .tsv, .txt, .dat; see
   formats.def). Every failure says file:line and what would be right.
   CSV: the first line names the columns, `u` or `u [m]`, in quotes if need be; every other line is
   a row of finite numbers. The header decides the separator: comma, semicolon, tab or blanks. Blank
   lines and lines that begin with # are skipped. *out is NULL after a failure. */
MS_API ms_status ms_table_read(ms_context *ctx, const char *path, ms_table **out);
/* The same, and a column whose first cell is no number is one of words, read as they stand or from
   between double quotes; in the other columns every cell must be a number as before. */
MS_API ms_status ms_table_read_words(ms_context *ctx, const char *path, ms_table **out);
/* CSV from memory; `name` stands for the file in messages. */
MS_API ms_status ms_table_parse_csv(ms_context *ctx, const char *name, const char *text,
                                    size_t length, ms_table **out);
MS_API ms_status ms_table_parse_words(ms_context *ctx, const char *name, const char *text,
                                      size_t length, ms_table **out);
/* Writes beside, then renames. Refuses values that are not finite and a table without rows. Reads
   back bit for bit. */
MS_API ms_status ms_table_write_csv(const ms_table *table, const char *path);
/* Aligned columns with units in the heading, nine digits, for people. */
MS_API ms_status ms_table_print(const ms_table *table, FILE *out);

/* ---- matrices ------------------------------------------------------------------------------- */

/* A sparse matrix as a list of entries, counted from 0, each at most once. Of a symmetric matrix
   only the lower triangle is listed (row >= col). Plain data: the arrays are freed by
   ms_triplets_free. */
typedef struct ms_triplets {
  ptrdiff_t n_row, n_col; /* size of the matrix */
  ptrdiff_t n;            /* number of entries */
  ptrdiff_t *row, *col;
  double *value;
  int symmetric;
} ms_triplets;

/* Frees the arrays and empties the struct; NULL is accepted. */
MS_API void ms_triplets_free(ms_context *ctx, ms_triplets *triplets);

/* Reads a matrix into *values, column-major, value (i, j) at i + n_row*j, to be freed by ms_free;
   both triangles of a symmetric one. The format is chosen by the file's ending (see formats.def):
   .mtx, .mm    Matrix Market: real or integer, coordinate or array, general or symmetric. An entry
                given twice is refused, not summed; a symmetric file may list either triangle.
   .mtx         also what Abaqus writes, see ms_triplets_read_labelled.
   .csv and the other endings of tables: one row per line, with or without a line of names.
   Every failure says file:line and what would be right; *values is NULL then. A dense matrix may
   have 2^28 values. That it is square, symmetric or definite is for the caller to check. */
MS_API ms_status ms_matrix_read(ms_context *ctx, const char *path, ptrdiff_t *n_row,
                                ptrdiff_t *n_col, double **values);
/* The same as triplets in the order of the file, of any size. From formats other than coordinate
   files zeros are left out; from CSV a matrix that is symmetric to the last bit becomes so. */
MS_API ms_status ms_triplets_read(ms_context *ctx, const char *path, ms_triplets *out);
/* Triplets of a dense column-major matrix, without its zeros; symmetric if it is to the last bit.
 */
MS_API ms_status ms_triplets_from_dense(ms_context *ctx, ptrdiff_t n_row, ptrdiff_t n_col,
                                        const double *values, ms_triplets *out);
/* A Matrix Market coordinate file, written beside and renamed; reads back bit for bit. A dense
   matrix that is symmetric to the last bit is written as such. Refuses what is not finite. */
MS_API ms_status ms_triplets_write_mtx(ms_context *ctx, const char *path,
                                       const ms_triplets *triplets);
MS_API ms_status ms_matrix_write_mtx(ms_context *ctx, const char *path, ptrdiff_t n_row,
                                     ptrdiff_t n_col, const double *values);

/* ---- labels of matrices ---- */

/* What a row stands for: a node by its number, and a degree of freedom, 1 to 6 for ux uy uz rx ry
   rz (others, as Abaqus counts them, to 99). */
typedef struct ms_dof {
  ptrdiff_t node;
  int dof;
} ms_dof;

typedef struct ms_dofs {
  ptrdiff_t n;
  ms_dof *dof;
} ms_dofs;

MS_API void ms_dofs_free(ms_context *ctx, ms_dofs *dofs);
/* "n12.x", "n12.rz"; beyond 6 "n12.d11". */
MS_API void ms_dof_name(ms_dof dof, char text[32]);
/* A map of a matrix's rows from a text file: a line for each, "12 1", "12, x" or "n12.x", in the
   matrix's order, each once. Lines that begin with %, # or * are comments. */
MS_API ms_status ms_dofs_read(ms_context *ctx, const char *path, ms_dofs *out);
/* As ms_triplets_read, and from files of Abaqus (.mtx from *MATRIX OUTPUT with FORMAT=MATRIX INPUT
   or LABELS) the labels too, sorted by node and degree of freedom, as the rows are; none (n = 0)
   from other files. Either triangle of a symmetric matrix may be in the file, or both. */
MS_API ms_status ms_triplets_read_labelled(ms_context *ctx, const char *path, ms_triplets *out,
                                           ms_dofs *dofs);
/* Whether a file is a matrix with labels, by its ending and its beginning; 0 if it cannot be read.
 */
MS_API int ms_matrix_has_labels(const char *path);
/* Of two sorted lists all, once. */
MS_API ms_status ms_dofs_join(ms_context *ctx, const ms_dofs *a, const ms_dofs *b, ms_dofs *out);
/* The matrix of the sorted labels `from` becomes one of the sorted labels `to`, which have all of
   them; rows that are new are empty. A matrix with another number of rows than labels, as one
   without labels, is MS_ERR_ARGUMENT. */
MS_API ms_status ms_triplets_relabel(ms_context *ctx, ms_triplets *triplets, const ms_dofs *from,
                                     const ms_dofs *to);
/* The labels of two such files, all of them once; and such a file on the rows of `dofs`. */
MS_API ms_status ms_dofs_join_files(ms_context *ctx, const char *first, const char *second,
                                    ms_dofs *out);
MS_API ms_status ms_triplets_read_on(ms_context *ctx, const char *path, const ms_dofs *dofs,
                                     ms_triplets *out);
/* All the values, column-major, to be freed by ms_free; a matrix of more than 2^28 is
   MS_ERR_OVERFLOW. */
MS_API ms_status ms_triplets_to_dense(ms_context *ctx, const ms_triplets *triplets,
                                      double **values);

/* ---- measured functions: universal files, dataset 58 ---------------------------------------- */

/* One axis of a function. Texts are UTF-8, without blanks at their ends, "" or "NONE" if unknown.
 */
typedef struct ms_uff58_axis {
  int kind; /* specific data type: 8 displacement, 11 velocity, 12 acceleration, 13 excitation
               force, 17 time, 18 frequency, 0 unknown, ... */
  int length, force, temperature; /* exponents of the units */
  char label[41], unit[41];
} ms_uff58_axis;

/* One measured function. The values are as they stand in the file, in the units of the labels. */
typedef struct ms_uff58_function {
  char id[5][161]; /* the five lines of text, the third by custom date and time */
  int type; /* 1 time response, 2 auto spectrum, 3 cross spectrum, 4 frequency response, ... */
  int number, version, load_case;
  char response_name[21], reference_name[21];
  int response_node, response_direction; /* 1 to 3: +x, +y, +z; 4 to 6 rotations; negative: - */
  int reference_node, reference_direction;
  int is_complex, is_double, is_binary, is_even; /* of the file; values here are always doubles */
  ptrdiff_t n;                                   /* number of samples */
  double x_first, x_step; /* abscissa, if is_even: sample k is at x_first + k*x_step; else 0 */
  double z;               /* value on the z axis */
  ms_uff58_axis abscissa, ordinate, denominator, z_axis;
  const double *x; /* n of them; NULL if is_even */
  const double *y; /* n, or if is_complex n pairs of real and imaginary part; owned by the file */
  ptrdiff_t line;  /* of the file where the function begins */
} ms_uff58_function;

/* All functions of a file. */
typedef struct ms_uff58 ms_uff58;

/* Reads every dataset 58, ASCII or binary (58b; either byte order, IEEE), single or double, real or
   complex, evenly spaced or not. Other datasets are skipped. A file without any function is
   refused, as is everything that is cut off, miscounted or not finite, with file:line, in binary
   data with file:byte, and what would be right. */
MS_API ms_status ms_uff58_read(ms_context *ctx, const char *path, ms_uff58 **out);
MS_API void ms_uff58_destroy(ms_uff58 **file);
MS_API ptrdiff_t ms_uff58_get_count(const ms_uff58 *file);
/* NULL if there is none with this index (from 0). Owned by the file. */
MS_API const ms_uff58_function *ms_uff58_get(const ms_uff58 *file, ptrdiff_t index);
/* "time response", "frequency response", ...; "unknown" for a type that has no name here. */
MS_API const char *ms_uff58_type_text(int type);

/* ---- measured records: one channel of a file, in SI units ----------------------------------- */

/* What a channel holds. */
typedef enum ms_record_kind {
  MS_RECORD_UNKNOWN = -1,
  MS_RECORD_DISPLACEMENT, /* m */
  MS_RECORD_VELOCITY,     /* m/s */
  MS_RECORD_ACCELERATION, /* m/s^2 */
  MS_RECORD_FORCE         /* N; only where it is asked for */
} ms_record_kind;

/* "displacement", "velocity", "acceleration", "force"; NULL for anything else. */
MS_API const char *ms_record_kind_text(ms_record_kind kind);
/* From one of the first three words; MS_ERR_NAME if it is none of them. */
MS_API ms_status ms_record_parse_kind(ms_context *ctx, const char *word, ms_record_kind *out);
/* What a unit measures, and its size in SI units: "mm" is a displacement of 1e-3. Known are m, cm,
   mm, um, nm, in, ft; each over s and s^2; g and mg (standard gravity). "m/s2", a raised 2, the
   sign for micro and units all in capitals are read as well. MS_ERR_NAME for any other. A record
   that is asked for as a force may be in N, mN, kN or lbf. */
MS_API ms_status ms_record_parse_unit(ms_context *ctx, const char *unit, ms_record_kind *kind,
                                      double *factor);

typedef struct ms_record_request {
  const char *channel; /* NULL: the only one */
  ms_record_kind kind; /* unknown: as the unit or the file says */
  const char *unit;    /* NULL: as the file says */
  double rate_hz;      /* samples per second; 0: as the file says */
  const char *table;   /* a channel table; NULL: FILE.channels.csv, if it is there */
} ms_record_request;

#define MS_RECORD_REQUEST_DEFAULT \
  { NULL, MS_RECORD_UNKNOWN, NULL, 0.0, NULL }

/* Sample k, of n, was taken at time + k*dt. Plain data: freed by ms_record_free. */
typedef struct ms_record {
  double *x; /* SI */
  ptrdiff_t n;
  double dt, time; /* s */
  ms_record_kind kind;
  double factor; /* from the file's unit to SI */
  char channel[64], unit[48];
} ms_record;

/* Reads one channel in time of a file of measured data; microslip/measurement.h says which files.
   A channel is named as ms_measurement_channel.name has it, by its heading or line of text, or in a
   universal file by the response's name or its place, "12+Z", where no other channel in time, or
   none of the kind that is asked for, has it; "#3" is the third in the file.
   rate_hz is that of a file without times; where a file's step has six digits, it replaces it and
   must agree with it to 1e-4. Kind and unit are never guessed: where neither the request nor the
   file tells, the message asks. Times may stray from an even grid by MS_RECORD_SLACK of a step.
   Failures say file and line. */
#define MS_RECORD_SLACK 0.05
MS_API ms_status ms_record_read(ms_context *ctx, const char *path, const ms_record_request *request,
                                ms_record *out);
/* Frees the samples and empties the struct; NULL is accepted. */
/* MS_ERR_FORMAT unless input and output of a test have the same samples. */
MS_API ms_status ms_record_check_same(ms_context *ctx, const ms_record *input,
                                      const ms_record *output);
MS_API void ms_record_free(ms_context *ctx, ms_record *record);

/* Several channels of one file, sampled at the same times: channel c in x + n*c. */
typedef struct ms_record_set {
  double *x; /* SI */
  ptrdiff_t n;
  double dt, time; /* s */
} ms_record_set;
/* kind: what each channel holds, may be NULL. MS_ERR_ARGUMENT where a channel has another number of
   samples than the first, or a step that differs by more than MS_RECORD_SAME_STEP of it. */
#define MS_RECORD_SAME_STEP 1e-6
MS_API ms_status ms_record_read_set(ms_context *ctx, const char *path, ptrdiff_t n_request,
                                    const ms_record_request *request, ms_record_set *out,
                                    ms_record_kind *kind);
MS_API void ms_record_set_free(ms_context *ctx, ms_record_set *set);

/* ---- output files: write beside, then rename ------------------------------------------------ */

typedef struct ms_outfile ms_outfile;

/* The stream writes to a temporary file in the same folder as path. If path is a symbolic link, the
   file it points to is the one replaced; a replaced file keeps its permissions. What exists and is
   no plain file (a device, /dev/stdout, a pipe that somebody reads) is written to directly instead;
   a pipe that nobody reads is refused. */
MS_API ms_status ms_outfile_open(ms_context *ctx, const char *path, ms_outfile **out);
MS_API FILE *ms_outfile_stream(ms_outfile *file);
/* Flushes, checks for write errors and renames; whatever happens *file is NULL afterwards and no
   temporary file is left. */
MS_API ms_status ms_outfile_commit(ms_outfile **file);
/* Throws the temporary file away and sets *file to NULL. */
MS_API void ms_outfile_discard(ms_outfile **file);
/* Files of this process that are being written beside their place. While there are none, a process
   that ends leaves nothing half-written. May be called from a signal handler. */
MS_API int ms_outfile_count(void);

/* What `fill` prints into the stream, as a text in memory: the whole of it or a failure, also where
   memory is short. *out ends in NUL and is the caller's to ms_free. */
typedef ms_status (*ms_print_fn)(ms_context *ctx, const void *user, FILE *stream);
MS_API ms_status ms_print_text(ms_context *ctx, ms_print_fn fill, const void *user, char **out,
                               size_t *length);

/* ---- streams: rows of numbers that survive a killed process ---------------------------------- */

/* An append-only file of rows, each with a checksum, for what a long run produces. Rows that were
   appended are in the file after a flush at the latest, which also waits for the disk; a process
   that is killed leaves every row written so far whole, and at most one half row behind them, which
   reading leaves out. One process writes at a time. */
typedef struct ms_stream ms_stream;

/* Makes a new file, in place of any file with that name. names[j] is the heading of column j,
   unique and not empty, `u` or `u [m]`. */
MS_API ms_status ms_stream_create(ms_context *ctx, const char *path, ptrdiff_t n_column,
                                  const char *const *names, ms_stream **out);
/* Goes on after the first `rows` rows and deletes what is behind them. Refuses a file with fewer
   valid rows. */
MS_API ms_status ms_stream_reopen(ms_context *ctx, const char *path, ptrdiff_t rows,
                                  ms_stream **out);
/* To read only: as many rows as are valid from the beginning on. */
MS_API ms_status ms_stream_open(ms_context *ctx, const char *path, ms_stream **out);
/* n rows, one after the other: value j of row i at j + n_column*i. Refuses values that are not
   finite, and then appends none of the rows. After MS_ERR_FILE (a full disk) ms_stream_get_rows
   says how many rows were taken; they are kept, and the next append or flush tries again. */
MS_API ms_status ms_stream_append(ms_stream *stream, const double *rows, ptrdiff_t n);
/* Everything appended is on the disk when this returns MS_SUCCESS. */
MS_API ms_status ms_stream_flush(ms_stream *stream);
/* Flushes if need be; *stream is NULL afterwards whatever happens. */
MS_API ms_status ms_stream_close(ms_stream **stream);
/* Lets go without writing what was not yet written; for clean-up after a failure. NULL is accepted.
 */
MS_API void ms_stream_discard(ms_stream **stream);

MS_API ptrdiff_t ms_stream_get_rows(const ms_stream *stream);
MS_API ptrdiff_t ms_stream_get_columns(const ms_stream *stream);
/* NULL if there is no such column. Owned by the stream. */
MS_API const char *ms_stream_get_name(const ms_stream *stream, ptrdiff_t column);
/* Rows first to first + n - 1, laid out as for append, from a stream opened to read. */
MS_API ms_status ms_stream_read_rows(ms_stream *stream, ptrdiff_t first, ptrdiff_t n, double *rows);
/* The same rows of one column. */
MS_API ms_status ms_stream_read_column(ms_stream *stream, ptrdiff_t column, ptrdiff_t first,
                                       ptrdiff_t n, double *values);

/* ---- checkpoints: named arrays of numbers, whole or not there ---------------------------------
 */

typedef struct ms_block {
  const char *name; /* unique and not empty */
  ptrdiff_t n;
  const double *values; /* any bits: a state may hold infinities */
} ms_block;

/* Written beside, then renamed, with a checksum: after a crash the file is the old or the new one.
   For a resumable run flush the streams first, then write the checkpoint with their numbers of
   rows. */
MS_API ms_status ms_checkpoint_write(ms_context *ctx, const char *path, const ms_block *blocks,
                                     ptrdiff_t n);

typedef struct ms_checkpoint ms_checkpoint;

/* Refuses a file that is cut off, changed, or from a machine with another byte order. */
MS_API ms_status ms_checkpoint_read(ms_context *ctx, const char *path, ms_checkpoint **out);
MS_API void ms_checkpoint_destroy(ms_checkpoint **checkpoint);
MS_API ptrdiff_t ms_checkpoint_get_count(const ms_checkpoint *checkpoint);
/* Block `index` (from 0), or the one of this name; owned by the checkpoint. */
MS_API ms_status ms_checkpoint_get(const ms_checkpoint *checkpoint, ptrdiff_t index, ms_block *out);
MS_API ms_status ms_checkpoint_find(const ms_checkpoint *checkpoint, const char *name,
                                    ms_block *out);

/* ---- results: one HDF5 file ------------------------------------------------------------------ */

/* A tree of groups with datasets at its ends, each found by a path such as "analyses/modes/omega":
   names with slashes between, none at the beginning or end. The same calls give the same bytes, on
   one machine: no times are stored. Matrices are column-major in memory and stored column after
   column, as HDF5 sees it with the dimensions (columns, rows): MATLAB and Octave show them as they
   are here, h5py shows the transpose, one row for each column. Large arrays are in chunks and
   compressed. HDF5 prints nothing; its words are in the message. Use one file from one thread at a
   time, and where HDF5 was built without thread support only one file. */
typedef struct ms_results ms_results;

/* A new file, written beside its place: it is at path after ms_results_commit, not before. */
MS_API ms_status ms_results_create(ms_context *ctx, const char *path, ms_results **out);
/* Whether NaN may be written, to stand for a value that is missing: 0, no, is the default.
   Infinities are always refused. */
MS_API void ms_results_set_allow_nan(ms_results *results, int allow);

/* Each makes one dataset, and the groups on the way to it; a path that is taken is refused. Numbers
   may be none. */
MS_API ms_status ms_results_write_vector(ms_results *results, const char *path, ptrdiff_t n,
                                         const double *values);
MS_API ms_status ms_results_write_matrix(ms_results *results, const char *path, ptrdiff_t n_row,
                                         ptrdiff_t n_col, const double *values);
MS_API ms_status ms_results_write_integers(ms_results *results, const char *path, ptrdiff_t n,
                                           const int64_t *values);
/* A list of texts, UTF-8; ends of NUL. */
MS_API ms_status ms_results_write_texts(ms_results *results, const char *path, ptrdiff_t n,
                                        const char *const *texts);
/* A matrix that need not fit into memory: column(user, j, values) gives the n_row values of column
   j, for j = 0, 1, ...; what it returns, if not MS_SUCCESS, ends the work. If this fails once
   values were to be written, the file can only be discarded. */
typedef ms_status (*ms_column_fn)(void *user, ptrdiff_t j, double *values);
MS_API ms_status ms_results_write_columns(ms_results *results, const char *path, ptrdiff_t n_row,
                                          ptrdiff_t n_col, ms_column_fn column, void *user);

/* Attributes of a group or dataset that exists ("" is the file itself): "unit", "description", ...
   Each may be set once. */
MS_API ms_status ms_results_set_text(ms_results *results, const char *path, const char *name,
                                     const char *text);
MS_API ms_status ms_results_set_number(ms_results *results, const char *path, const char *name,
                                       double value);

/* Closes the file and renames it into its place. *results is NULL afterwards whatever happens. */
MS_API ms_status ms_results_commit(ms_results **results);

/* To read only. */
MS_API ms_status ms_results_open(ms_context *ctx, const char *path, ms_results **out);
/* Lets go of a file, and of one not yet committed throws it away; *results becomes NULL. */
MS_API void ms_results_close(ms_results **results);

typedef enum ms_results_kind {
  MS_RESULTS_NOTHING, /* there is nothing of that path */
  MS_RESULTS_GROUP,
  MS_RESULTS_NUMBERS,
  MS_RESULTS_INTEGERS,
  MS_RESULTS_TEXTS
} ms_results_kind;
MS_API ms_status ms_results_get_kind(ms_results *results, const char *path, ms_results_kind *kind);
/* Number of groups and datasets in a group ("": at the top), and the name of one of them, in
   alphabetical order; the name is to be freed by ms_free. */
MS_API ms_status ms_results_get_count(ms_results *results, const char *group, ptrdiff_t *n);
MS_API ms_status ms_results_get_name(ms_results *results, const char *group, ptrdiff_t index,
                                     char **name);

/* Arrays are to be freed by ms_free, and NULL after a failure. A vector is a matrix of one column.
   Integers can be read as numbers. */
MS_API ms_status ms_results_read_matrix(ms_results *results, const char *path, ptrdiff_t *n_row,
                                        ptrdiff_t *n_col, double **values);
MS_API ms_status ms_results_read_integers(ms_results *results, const char *path, ptrdiff_t *n,
                                          int64_t **values);
/* One block of memory: the list of texts and behind it the texts; one ms_free frees all. */
MS_API ms_status ms_results_read_texts(ms_results *results, const char *path, ptrdiff_t *n,
                                       char ***texts);
/* MS_ERR_NAME if there is no such attribute. */
MS_API ms_status ms_results_get_text(ms_results *results, const char *path, const char *name,
                                     char **text);
MS_API ms_status ms_results_get_number(ms_results *results, const char *path, const char *name,
                                       double *value);

/* ---- folders -------------------------------------------------------------------------------- */

/* Makes the folder if it is missing, and those it is in. Refuses a path that is a file or a folder
   one may not write to. */
MS_API ms_status ms_folder_prepare(ms_context *ctx, const char *path);
/* The same question without making anything: could it be made, as far as that can be known? */
MS_API ms_status ms_folder_check(ms_context *ctx, const char *path);
/* folder/name in *out, to be freed by ms_free; the folder may be "" for the current one. */
MS_API ms_status ms_folder_path(ms_context *ctx, const char *folder, const char *name, char **out);
/* Removes what processes that were killed while they wrote an ms_outfile there have left, as far as
   that can be done. Files that a process of this machine is writing stay. */
MS_API void ms_folder_tidy(const char *path);

/* ---- numbers as text ------------------------------------------------------------------------ */

/* The shortest of 15, 16 and 17 digits that reads back as the same double, with a decimal point
   whatever the locale; text needs 32 bytes. */
MS_API void ms_format_double(double value, char *text);

#ifdef __cplusplus
}
#endif
#endif
