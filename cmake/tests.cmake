# The tests: one executable a folder that mirrors a folder of the program, the end-to-end tests, and the benchmarks.
headcount_need(GTest)

# One test entry an executable, not one a test case: starting the process is most of what a case costs under the sanitizers.
# The case counts are in the result file that each leaves in results/, which ./test adds up.
set(results ${PROJECT_BINARY_DIR}/results)
set(environment
    ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1
    LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/mesa_leaks.supp:print_suppressions=0
    UBSAN_OPTIONS=print_stacktrace=1
    LIBGL_ALWAYS_SOFTWARE=1)
set(only)
set(patience 900)  # seconds
if(EMSCRIPTEN)  # node has what ships here, and a page has it elsewhere
    list(APPEND environment HEADCOUNT_ASSETS=${PROJECT_SOURCE_DIR}/assets)
    # What is claimed of files that Emscripten does not have: locks, pipes, hard links, a umask, other names of standard
    # output; what ships beside the sources; and a sentence in glibc's words.
    set(elsewhere FileLock.HasOneHolder* FileLock.IsHeldBy* WriteFile.WhereStandardOutputGoes* WriteFile.TheMode*
        WriteFile.WhatIsNoStoredFile* WriteFile.WhatWasRead* Checkpoint.WhatIsNoFileIsRefused*
        AssetsDirectory.HoldsThePresets* JsonFile.ALinkThatLeadsNowhere*)
    list(JOIN elsewhere : elsewhere)
    set(patience 3600)
    set(only --gtest_filter=-${elsewhere})
endif()

# What is tested is compiled as it is for users, and instrumented under the sanitizers. The tests themselves are not
# optimised, and of them addresses alone are checked: GoogleTest's macros would be most of what the build costs.
add_library(headcount_test_code INTERFACE)
target_link_libraries(headcount_test_code INTERFACE headcount_warnings GTest::gmock)
target_compile_options(headcount_test_code INTERFACE -O0)
if(HEADCOUNT_SANITIZE)
    target_compile_options(headcount_test_code INTERFACE -g0 -fno-sanitize=undefined)
endif()

function(headcount_tests folder)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES")
    cmake_path(GET folder FILENAME name)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp
                                                ${PROJECT_SOURCE_DIR}/tests/${folder}/*.hpp)
    # In node there is no window, and a pool of threads that waits for all of its work waits for ever.
    if(NOT sources OR (EMSCRIPTEN AND (NOT folder MATCHES "^core/" OR folder MATCHES "^core/(runtime|train)$")))
        return()
    endif()
    add_executable(tests_${name} ${sources})
    target_link_libraries(tests_${name} PRIVATE hc_${name} ${arg_USES} headcount_test_code GTest::gtest_main)
    # Of an inline function that several objects have, the first is linked: the program's come before the tests', which are
    # not optimised.
    if(UNIX AND NOT APPLE)
        set(archives)
        foreach(used hc_${name} ${arg_USES})
            get_property(used_archives GLOBAL PROPERTY headcount_archives_${used})
            list(APPEND archives ${used_archives})
        endforeach()
        list(REMOVE_DUPLICATES archives)
        target_link_options(tests_${name} PRIVATE LINKER:--whole-archive ${archives} LINKER:--no-whole-archive)
    endif()
    if(EMSCRIPTEN)
        headcount_web_node(tests_${name})
        target_link_options(tests_${name} PRIVATE -O0)
    endif()
    target_include_directories(tests_${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_definitions(tests_${name} PRIVATE
        HEADCOUNT_TESTS_DIR="${PROJECT_SOURCE_DIR}/tests" HEADCOUNT_ASSETS_DIR="${PROJECT_SOURCE_DIR}/assets")
    if(HEADCOUNT_PCH)
        if(NOT TARGET headcount_tests_pch)
            add_library(headcount_tests_pch OBJECT ${PROJECT_BINARY_DIR}/headcount_pch.cpp)
            target_link_libraries(headcount_tests_pch PRIVATE headcount_test_code nlohmann_json::nlohmann_json)
            target_precompile_headers(headcount_tests_pch PRIVATE ${HEADCOUNT_PRECOMPILED_HEADERS} <gtest/gtest.h> <gmock/gmock.h>)
        endif()
        target_precompile_headers(tests_${name} REUSE_FROM headcount_tests_pch)
    endif()
    add_test(NAME tests_${name} COMMAND tests_${name} --gtest_output=xml:${results}/tests_${name}.xml
        --gtest_brief=1 ${only} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(tests_${name} PROPERTIES TIMEOUT ${patience} LABELS unit ENVIRONMENT "${environment}")
endfunction()

headcount_tests(core/base)
headcount_tests(core/arch USES hc_files)
headcount_tests(core/families USES hc_files hc_analysis)
headcount_tests(core/graph USES hc_files hc_analysis)
headcount_tests(core/analysis USES hc_files)
headcount_tests(core/checkpoints)
headcount_tests(core/files)
headcount_tests(core/report USES hc_files)
headcount_tests(core/link USES hc_files)
headcount_tests(core/experiment)
headcount_tests(core/worksheet USES hc_grading)
headcount_tests(core/grading)
headcount_tests(core/handout)
headcount_tests(core/poster)
headcount_tests(core/claims)
headcount_tests(core/tours)
headcount_tests(core/ask USES hc_tours)
headcount_tests(core/tokenizer)
headcount_tests(core/runtime USES hc_files)
headcount_tests(core/workbook USES hc_files)
headcount_tests(core/diagnose USES hc_files)
headcount_tests(core/train)
headcount_tests(app/cli)
headcount_tests(app/state)
headcount_tests(app/ui)
headcount_tests(app/charts)
headcount_tests(app/canvas USES hc_files)
headcount_tests(app/parts)
headcount_tests(app/diagram)
headcount_tests(app/bars USES hc_views)
headcount_tests(app/manual USES hc_views)
headcount_tests(app/views USES hc_bars hc_cli)
headcount_tests(app/gl USES hc_state imgui_backends)
headcount_tests(app/shell USES hc_cli)
# In node, beside the tests, the engine's benchmark: how much slower it is there than here.
if(EMSCRIPTEN)
    headcount_need(benchmark)
    headcount_program(bench ${PROJECT_SOURCE_DIR}/tests/bench/engine.cpp ${PROJECT_SOURCE_DIR}/tests/bench/main.cpp
        USES hc_files hc_analysis benchmark::benchmark)
    target_compile_definitions(bench PRIVATE HEADCOUNT_ASSETS_DIR="${PROJECT_SOURCE_DIR}/assets")
    headcount_web_node(bench)
    return()
endif()

# The real program in a real window, driven from outside.
find_program(HEADCOUNT_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(HEADCOUNT_PYTHON NAMES python3 REQUIRED)
mark_as_advanced(HEADCOUNT_PYTHON)
# Mesa's GLX driver leaks in every program and is unloaded by then, so that no suppression could name it. What leaks in
# our own code, the unit tests show.
string(REPLACE detect_leaks=1 detect_leaks=0 e2e_environment "${environment}")
# Each file has a display of its own, so that they can run side by side.
file(GLOB e2e CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/e2e/test_*.py)
foreach(source IN LISTS e2e)
    cmake_path(GET source STEM name)
    string(REPLACE test_ e2e_ name ${name})
    add_test(NAME ${name} COMMAND ${HEADCOUNT_PYTHON} ${PROJECT_SOURCE_DIR}/tests/run_e2e.py ${results}/${name}.xml ${source}
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES TIMEOUT 10000 LABELS e2e
        ENVIRONMENT "${e2e_environment};HEADCOUNT=$<TARGET_FILE:headcount>")
endforeach()

# Damaged files. The sanitizers need more than the addresses that it leaves a program.
if(NOT HEADCOUNT_SANITIZE)
    add_test(NAME hostile COMMAND ${HEADCOUNT_PYTHON} ${PROJECT_SOURCE_DIR}/tests/fuzz/hostile.py $<TARGET_FILE:headcount>
        --result ${results}/hostile.xml)
    set_tests_properties(hostile PROPERTIES TIMEOUT 3600 LABELS hostile)
endif()

# Random events in a real window, always the same here: two games, side by side.
set(HEADCOUNT_MONKEY_EVENTS 3000 CACHE STRING "Random events in each of the two games that the tests play in the window")
foreach(seed 1 2)
    add_test(NAME monkey_${seed} COMMAND ${HEADCOUNT_PYTHON} ${PROJECT_SOURCE_DIR}/tests/e2e/monkey.py
        ${HEADCOUNT_MONKEY_EVENTS} ${seed}
        --result ${results}/monkey_${seed}.xml)
    set_tests_properties(monkey_${seed} PROPERTIES TIMEOUT 7200 LABELS monkey
        ENVIRONMENT "${e2e_environment};HEADCOUNT=$<TARGET_FILE:headcount>")
endforeach()

# Benchmarks: one program of tests/bench/*.cpp, and the bare one that the start of ours is compared with.
headcount_need(benchmark)
file(GLOB bench CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/bench/*.cpp)
list(REMOVE_ITEM bench ${PROJECT_SOURCE_DIR}/tests/bench/bare.cpp)
headcount_program(bench ${bench} USES hc_shell benchmark::benchmark)
target_compile_definitions(bench PRIVATE HEADCOUNT_ASSETS_DIR="${PROJECT_SOURCE_DIR}/assets"
    HEADCOUNT_TESTS_DIR="${PROJECT_SOURCE_DIR}/tests")
headcount_program(bench_bare ${PROJECT_SOURCE_DIR}/tests/bench/bare.cpp USES hc_ui hc_gl imgui_backends)
# Each file has settings of its own, by the same names.
set_target_properties(bench bench_bare PROPERTIES EXCLUDE_FROM_ALL ON UNITY_BUILD OFF)
