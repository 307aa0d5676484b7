/* Leaks in programs that use MPI. It keeps memory until the program ends, in libraries that are
   gone by then, so that no list of names can leave it out. What is allocated between the first two
   calls is not looked at, and the search is made while MPI still runs. */
#ifndef MS_TEST_FEM_LEAKS_H
#define MS_TEST_FEM_LEAKS_H

void test_leaks_ignore(void);
void test_leaks_watch(void);
/* test_finish, and then the search. */
int test_leaks_finish(void);

#endif
