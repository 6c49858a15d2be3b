/* A backend: adds, subtracts, multiplies and negates arrays of f32 (spec/abi.md).
 *
 *   cc -std=c11 -shared -fPIC -I backends/abi \
 *      backends/abi/examples/elementwise.c -o elementwise.so
 *   assay check --backend abi:./elementwise.so */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay_backend.h"

enum { MOST_VALUES = 64, MOST_NAME = 64 };

typedef struct Value {
  char name[MOST_NAME];
  float *elements;
  size_t count;
} Value;

/* The values of a program's instructions so far. */
typedef struct Values {
  Value list[MOST_VALUES];
  size_t count;
} Values;

static int refuse(const AssayCase *one, const char *what) {
  snprintf(one->message->text, one->message->size, "%s", what);
  return ASSAY_UNSUPPORTED;
}

static const Value *find(const Values *values, const char *name) {
  for (size_t i = 0; i < values->count; ++i) {
    if (strcmp(values->list[i].name, name) == 0) return &values->list[i];
  }
  return NULL;
}

/* The operand that stands next in "f32[2]{0} %x, f32[2]{0} %y)". */
static const Value *next_operand(const Values *values, const char **text) {
  char name[MOST_NAME];
  const char *end = strchr(*text, ')');
  const char *start = strchr(*text, '%');
  if (start == NULL || end == NULL || start > end) return NULL;
  if (sscanf(start, "%%%63[^,) ]", name) != 1) return NULL;
  *text = start + 1;
  return find(values, name);
}

static float apply(const char *op, float x, float y) {
  if (strcmp(op, "add") == 0) return x + y;
  if (strcmp(op, "subtract") == 0) return x - y;
  if (strcmp(op, "multiply") == 0) return x * y;
  return -x;
}

static int is_known(const char *op) {
  return strcmp(op, "add") == 0 || strcmp(op, "subtract") == 0 ||
         strcmp(op, "multiply") == 0 || strcmp(op, "negate") == 0;
}

/* Fills the value with a parameter's, or returns 0. */
static int take_parameter(const AssayCase *one, const char *text,
                          Value *value) {
  const size_t number = strtoul(text, NULL, 10);
  if (number >= one->input_count) return 0;
  value->count = one->inputs[number]->size / sizeof(float);
  value->elements = malloc(one->inputs[number]->size + 1);
  if (value->elements == NULL) return 0;
  memcpy(value->elements, one->inputs[number]->bytes,
         one->inputs[number]->size);
  return 1;
}

/* Fills the value with what the operation makes of its operands, or returns 0. */
static int compute(const Values *values, const char *op, const char *operands,
                   Value *value) {
  const Value *x = next_operand(values, &operands);
  const Value *y = strcmp(op, "negate") == 0 ? x
                                             : next_operand(values, &operands);
  if (!is_known(op) || x == NULL || y == NULL || x->count != y->count) return 0;
  value->count = x->count;
  value->elements = malloc(x->count * sizeof(float) + 1);
  if (value->elements == NULL) return 0;
  for (size_t i = 0; i < x->count; ++i) {
    value->elements[i] = apply(op, x->elements[i], y->elements[i]);
  }
  return 1;
}

/* Runs "ROOT %r = f32[2]{0} add(f32[2]{0} %x, f32[2]{0} %y)"; the value is the
 * last one of the list. */
static int run_line(const AssayCase *one, const char *line, Values *values) {
  char op[MOST_NAME], shape[MOST_NAME];
  int at = 0;
  Value value = {{0}, NULL, 0};
  if (values->count == MOST_VALUES) return refuse(one, "a long program");
  if (strncmp(line, "ROOT ", 5) == 0) line += 5;
  if (sscanf(line, "%%%63[^ ] = %63[^ ] %63[a-z-](%n", value.name, shape, op,
             &at) != 3 || at == 0) {
    return refuse(one, "the form of the program");
  }
  if (strncmp(shape, "f32[", 4) != 0) return refuse(one, shape);
  if (!(strcmp(op, "parameter") == 0 ? take_parameter(one, line + at, &value)
                                     : compute(values, op, line + at, &value))) {
    return refuse(one, op);
  }
  values->list[values->count++] = value;
  return ASSAY_DONE;
}

static int run_lines(const AssayCase *one, Values *values) {
  const char *entry = strstr(one->program, "ENTRY ");
  const char *line = entry == NULL ? NULL : strchr(entry, '\n');
  while (line != NULL) {
    line += 1 + strspn(line + 1, " ");
    if (*line == '}' || *line == '\0') break;
    const int status = run_line(one, line, values);
    if (status != ASSAY_DONE) return status;
    if (strncmp(line, "ROOT ", 5) == 0) {
      const Value *root = &values->list[values->count - 1];
      if (one->result_count != 1 ||
          one->results[0]->size != root->count * sizeof(float)) break;
      memcpy(one->results[0]->bytes, root->elements, one->results[0]->size);
      return ASSAY_DONE;
    }
    line = strchr(line, '\n');
  }
  return refuse(one, "the form of the program");
}

static int run(void *state, const AssayCase *one) {
  Values values = {.count = 0};
  (void)state;
  const int status = run_lines(one, &values);
  for (size_t i = 0; i < values.count; ++i) free(values.list[i].elements);
  return status;
}

const AssayBackend *assay_backend(const AssayHost *host) {
  static const AssayBackend backend = {
      .struct_size = sizeof(AssayBackend), .version = ASSAY_BACKEND_VERSION,
      .program = ASSAY_PROGRAM_HLO, .layouts = ASSAY_LAYOUTS_DENSE,
      .name = "elementwise", .run = run};
  (void)host;
  return &backend;
}
