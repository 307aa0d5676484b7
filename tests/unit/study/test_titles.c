/* Every analysis has a title in words, and no two have the same. */
#include <ctype.h>
#include <string.h>

#include "study/study.h"
#include "support/check.h"

#define MS_ANALYSIS(name) extern const ms_analysis ms_analysis_##name;
#include "study/analyses.def"
#undef MS_ANALYSIS

static const ms_analysis *const all[] = {
#define MS_ANALYSIS(name) &ms_analysis_##name,
#include "study/analyses.def"
#undef MS_ANALYSIS
};

static void test_titles(void) {
  const size_t n = sizeof all / sizeof *all;
  for (size_t i = 0; i < n; i++) {
    const char *title = all[i]->title;
    CHECK(title != NULL);
    if (!title) continue;
    CHECK(isupper((unsigned char)title[0]) && !strchr(title, '_') && strlen(title) < 60);
    for (size_t k = 0; k < i; k++) CHECK(strcmp(title, all[k]->title) != 0);
  }
}

int main(void) {
  TEST(test_titles);
  return test_finish();
}
