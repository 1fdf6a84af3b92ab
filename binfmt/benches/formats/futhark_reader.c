// The side of Futhark's own C runtime: reads and writes one array as a compiled program does, with the functions of `rts/c/values.h`, which
// `futhark.py` finds and does not bring along. A job is a line `read|text|binary type rank path out`: what is written goes into memory, and
// only then to the file `out` unless that is `-`. The answer is a line of JSON.

#define _GNU_SOURCE
#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static void futhark_panic(int status, const char *text, ...) {
  va_list args;
  va_start(args, text);
  vfprintf(stderr, text, args);
  va_end(args);
  exit(status);
}

#define SCALAR_FUN_ATTR static inline
#include "half.h"
#include "values.h"

static double seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static const struct primtype_info_t *type_of(const char *name) {
  for (const struct primtype_info_t **type = primtypes; *type != NULL; type++) {
    if (strcmp((*type)->type_name, name) == 0) return *type;
  }
  futhark_panic(1, "no type %s\n", name);
  return NULL;
}

// Writes into memory, as the other sides do.
static void write_to_memory(const struct primtype_info_t *type, int binary, void *data, int64_t *shape, int64_t rank, char **out, size_t *size) {
  FILE *memory = open_memstream(out, size);
  write_array(memory, binary, type, data, shape, (int8_t)rank);
  fclose(memory);
}

int main(void) {
  char verb[16], type_name[16], path[4096], out_path[4096];
  int64_t rank;
  while (scanf("%15s %15s %" SCNd64 " %4095s %4095s", verb, type_name, &rank, path, out_path) == 5) {
    const struct primtype_info_t *type = type_of(type_name);
    void *data = NULL;
    int64_t shape[8] = {0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) futhark_panic(1, "cannot open %s\n", path);
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
    if (read_array(file, type, &data, shape, rank)) futhark_panic(1, "cannot read %s\n", path);
    char *out = NULL;
    size_t size = 0;
    if (strcmp(verb, "read") != 0) {
      cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
      write_to_memory(type, strcmp(verb, "binary") == 0, data, shape, rank, &out, &size);
    }
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, wall = seconds(CLOCK_MONOTONIC) - wall;
    fclose(file);
    if (strcmp(out_path, "-") != 0) {
      FILE *copy = fopen(out_path, "wb");
      fwrite(out, 1, size, copy);
      fclose(copy);
    }
    free(data);
    free(out);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"cpu\": %.9f, \"wall\": %.9f, \"bytes\": %zu, \"peak\": %ld}\n", cpu, wall, size, usage.ru_maxrss);
    fflush(stdout);
  }
  return 0;
}
