/* A folder of its own for a test program, and files in it. */
#ifndef MS_TEST_FILES_H
#define MS_TEST_FILES_H

#include <stddef.h>

/* Makes the folder; ends the program if it cannot. */
void test_folder_open(void);
/* Removes the folder and all files in it, one level of folders deep. */
void test_folder_close(void);
/* Number of entries in the folder. */
int test_folder_count(void);

/* The path of a file in the folder; eight paths can be in use at a time. */
const char *test_path(const char *name);
/* Writes n bytes, or a whole text; both check that it went well. */
void test_put_bytes(const char *path, const void *bytes, size_t n);
void test_put(const char *path, const char *text);
/* The whole file with a NUL behind it, to be freed by free(); *n is 0 and the result NULL if there
   is none. */
char *test_get(const char *path, size_t *n);

#endif
