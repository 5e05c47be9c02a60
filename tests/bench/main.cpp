// The benchmarks' entry: Debian's library with a main of its own is not there on every system.
#include <benchmark/benchmark.h>

BENCHMARK_MAIN();
