/* A backend as a shared library (spec/abi.md): define assay_backend(), and
 * `assay check --backend abi:./LIB.so` judges it. C11, and C++. */
#ifndef ASSAY_BACKEND_H_
#define ASSAY_BACKEND_H_

/* NOLINTBEGIN: as C has it. */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_BACKEND_VERSION 1

#if defined(__GNUC__)
#define ASSAY_BACKEND_EXPORT __attribute__((visibility("default")))
#else
#define ASSAY_BACKEND_EXPORT
#endif

/* Each struct begins with its size in bytes, as whoever fills it knows it.
 * Later versions put new members behind the others: look at one of those only
 * where the size says that it is there. Texts end with a zero byte. */

/* What AssayBackend.run returns. */
enum AssayStatus {
  ASSAY_DONE = 0,        /* the results are written */
  ASSAY_UNSUPPORTED = 1, /* the engine cannot run the program */
  ASSAY_REJECTED = 2,    /* it holds the program for invalid */
  ASSAY_FAILED = 3       /* something went wrong */
};

/* The language in which programs come. */
enum AssayProgram { ASSAY_PROGRAM_HLO = 0, ASSAY_PROGRAM_STABLEHLO = 1 };

/* Dense: row-major, without padding. Explicit: as the layouts of the shapes
 * say. */
enum AssayLayouts { ASSAY_LAYOUTS_DENSE = 0, ASSAY_LAYOUTS_EXPLICIT = 1 };

/* An array leaf of the parameters: "f32[2,3]", with a layout where layouts are
 * explicit. The bytes are aligned to 64. */
typedef struct AssayInput {
  size_t struct_size;
  const char* shape;
  const void* bytes;
  size_t size;
} AssayInput;

/* An array leaf of the result: the library writes exactly these bytes. They
 * hold 0xa5 before. */
typedef struct AssayResult {
  size_t struct_size;
  const char* shape;
  void* bytes;
  size_t size;
} AssayResult;

/* A place for why something is refused. */
typedef struct AssayMessage {
  size_t struct_size;
  char* text; /* empty; as snprintf() writes it */
  size_t size;
} AssayMessage;

/* A program and its data, all of which ends with the call. */
typedef struct AssayCase {
  size_t struct_size;
  const char* program;
  size_t program_size; /* without the zero byte behind it */
  const AssayInput* const* inputs;
  size_t input_count;
  const AssayResult* const* results;
  size_t result_count;
  const AssayMessage* message;
} AssayCase;

/* Who asks. */
typedef struct AssayHost {
  size_t struct_size;
  uint32_t version; /* the newest that it knows */
  const AssayMessage* message;
} AssayHost;

/* The library; it stays as it is until the process ends. */
typedef struct AssayBackend {
  size_t struct_size;
  uint32_t version;    /* ASSAY_BACKEND_VERSION, or what the host knows */
  uint32_t program;    /* AssayProgram */
  uint32_t layouts;    /* AssayLayouts */
  uint32_t devices;    /* 1: it runs programs of several devices; else 0 */
  const char* name;    /* at most 200 bytes */
  const char* release; /* the same; may be NULL */
  void* state;         /* handed to the functions */
  int (*run)(void* state, const AssayCase* one); /* AssayStatus */
  void (*end)(void* state); /* before the process ends; may be NULL */
  const char* tags; /* words with blanks between, as "no-f64"; may be NULL */
} AssayBackend;

/* What the library defines. NULL, and a message, where it cannot start. */
ASSAY_BACKEND_EXPORT const AssayBackend* assay_backend(const AssayHost* host);

#ifdef __cplusplus
}
#endif
/* NOLINTEND */

#endif
