/* The figures of a page as files of their own. */
#include <stdio.h>
#include <string.h>

#include <microslip/result.h>

#include "report/page.h"

static ms_status write_one(const ms_page *page, const ms_page_block *block, const char *folder,
                           const char *section, int number, const ms_figure_format *format) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  char name[128], *path;
  int length = snprintf(name, sizeof name, "%.100s", section);
  for (int i = 0; i < length; i++) {
    if (!strchr(allowed, name[i])) name[i] = '-';
  }
  snprintf(name + length, sizeof name - (size_t)length, "-%d", number);
  MS_TRY(ms_folder_path(page->ctx, folder, name, &path));
  ms_figure *shown = NULL;
  ms_status status =
      page->display ? ms_figure_convert(block->figure, page->display, &shown) : MS_SUCCESS;
  if (status == MS_SUCCESS) status = ms_figure_write(shown ? shown : block->figure, path, format);
  ms_figure_destroy(&shown);
  ms_free(page->ctx, &path);
  return status;
}

ms_status ms_page_write_figures(const ms_page *page, const char *folder,
                                const ms_figure_format *format) {
  if (!page) return MS_ERR_ARGUMENT;
  if (!folder) return ms_fail(page->ctx, MS_ERR_ARGUMENT, "page '%s': no folder", page->title);
  const char *section = "figure";
  int number = 0;
  MS_TRY(ms_folder_prepare(page->ctx, folder));
  for (ptrdiff_t i = 0; i < page->n_block; i++) {
    const ms_page_block *block = &page->block[i];
    if (block->kind == MS_BLOCK_SECTION)
      section = block->name ? block->name : block->text, number = 0;
    if (block->kind != MS_BLOCK_FIGURE) continue;
    MS_TRY(write_one(page, block, folder, section, ++number, format));
  }
  return MS_SUCCESS;
}

ms_status ms_page_write_results(const ms_page *page, ms_results *results, const char *group) {
  int number = 0;
  for (ptrdiff_t i = 0; page && i < page->n_block; i++) {
    const ms_page_block *block = &page->block[i];
    char path[256];
    if (block->kind != MS_BLOCK_FIGURE) continue;
    snprintf(path, sizeof path, "%.200s/%d", group, ++number);
    MS_TRY(ms_figure_write_results(block->figure, block->text, results, path));
  }
  return MS_SUCCESS;
}
