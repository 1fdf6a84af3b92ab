#!/bin/sh
# Calls rustc, which was told as the first word: with coverage counters for what is fuzzed, and not for its dependencies.
# What is built for the host (the derive) has no `--target`.
case " $* " in
  *" --crate-name binfmt"*" --target "*)
    exec "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
      -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
      -Cllvm-args=-sanitizer-coverage-trace-compares ;;
esac
exec "$@"
