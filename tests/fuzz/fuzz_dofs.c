/* Mutated maps of a matrix's rows: whatever comes in, each label once or a clean refusal comes out.
 */
#include <microslip/io.h>

#include <string.h>

#include "support/fuzz.h"

static const char *fault_of_dofs(const ms_dofs *d) {
  char name[32];
  if (d->n < 1) return "accepted without labels";
  for (ptrdiff_t i = 0; i < d->n; i++) {
    if (d->dof[i].dof < 1 || d->dof[i].dof > 99) return "no such label";
    ms_dof_name(d->dof[i], name);
    if (strlen(name) >= sizeof name - 1) return "a name is cut";
    for (ptrdiff_t k = 0; k < i; k++) {
      if (d->dof[k].node == d->dof[i].node && d->dof[k].dof == d->dof[i].dof)
        return "a label twice";
    }
  }
  return NULL;
}

static const char *fault_of_refusal(ms_context *ctx, ms_status status, const char *path) {
  const char *message = ms_context_message(ctx);
  if (status != MS_ERR_FORMAT) return "refused with the wrong status";
  if (strncmp(message, path, strlen(path)) != 0) return "the message lacks the name";
  return strpbrk(message, "\r\n") ? "the message is more than one line" : NULL;
}

static const char *fault_of(const char *text, size_t length, long *accepted) {
  const char *path = test_fuzz_file("fuzzed.txt", text, length);
  ms_dofs dofs = { .n = 0 };
  test_bounded memory;
  ms_context *ctx = test_fuzz_open(&memory, length);
  ms_status status = ms_dofs_read(ctx, path, &dofs);
  const char *fault =
      status == MS_SUCCESS ? fault_of_dofs(&dofs) : fault_of_refusal(ctx, status, path);
  if (status != MS_SUCCESS && dofs.dof) fault = "a leftover";
  *accepted += status == MS_SUCCESS;
  ms_dofs_free(ctx, &dofs);
  return test_fuzz_close(&memory, &ctx, fault);
}

static const test_token seeds[] = {
  TOKEN("12 1\n12 2\n13 1\n"),
  TOKEN("% rows\n12, x\n12, rz\n7, y\n"),
  TOKEN("n12.x\nn12.ry\nn3.rz\n"),
  TOKEN("* by node\r\n5 6\r\n\r\n4 6\r\n"),
  TOKEN(""),
};

static const test_token tokens[] = {
  TOKEN("\n"), TOKEN("n"),  TOKEN(".x"),  TOKEN(".d99"), TOKEN(","), TOKEN("99999999999999999999"),
  TOKEN("%"),  TOKEN("-1"), TOKEN("0"),   TOKEN("7"),    TOKEN(" "), TOKEN("2147483648"),
  TOKEN("\0"), TOKEN("rx"), TOKEN("100"),
};

MS_FUZZ_MAIN(fault_of, seeds, tokens)
