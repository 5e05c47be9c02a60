# The fuzz targets: one program a file of tests/fuzz, each a test that runs for HEADCOUNT_FUZZ_SECONDS (20 by default).
if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "libFuzzer comes with clang: configure with the preset fuzz")
endif()
file(GLOB targets CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/*.cpp)
# Whatever make_corpus.py reads: what ships, and the sources that its words are from.
file(GLOB_RECURSE material CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/assets/*.json ${PROJECT_SOURCE_DIR}/tests/golden/tokenizers/*.json
    ${PROJECT_SOURCE_DIR}/tests/golden/gguf_headers/*.json ${PROJECT_SOURCE_DIR}/core/*.cpp ${PROJECT_SOURCE_DIR}/app/state/*.cpp)

set(seeds ${PROJECT_BINARY_DIR}/seeds)
set(make_corpus ${PROJECT_SOURCE_DIR}/tests/fuzz/make_corpus.py)
add_custom_command(OUTPUT ${seeds}/made DEPENDS ${make_corpus} ${material} VERBATIM
    COMMENT "Writing what the fuzz targets begin with"
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${seeds}
    COMMAND ${HEADCOUNT_PYTHON} ${make_corpus} ${seeds}
    COMMAND ${CMAKE_COMMAND} -E touch ${seeds}/made)
# The fuzz targets alone, for those who do not want to wait for the tests.
add_custom_target(fuzz ALL DEPENDS ${seeds}/made)

foreach(source IN LISTS targets)
    cmake_path(GET source STEM name)
    headcount_program(fuzz_${name} ${source} USES hc_checkpoints hc_diagnose hc_files hc_graph hc_lesson hc_runtime hc_state
        hc_tokenizer hc_train)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzz fuzz_${name})
    add_test(NAME fuzz_${name} COMMAND ${HEADCOUNT_PYTHON} ${PROJECT_SOURCE_DIR}/tests/fuzz/run.py
        $<TARGET_FILE:fuzz_${name}> ${seeds} ${PROJECT_BINARY_DIR}/results/fuzz_${name}.xml)
    set_tests_properties(fuzz_${name} PROPERTIES LABELS fuzz
        ENVIRONMENT "ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1;UBSAN_OPTIONS=print_stacktrace=1")
endforeach()
