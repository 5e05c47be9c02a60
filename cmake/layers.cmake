# Folders as targets: a folder's library links only what it may use, and the includes are checked against that.

# One precompiled header for all layers: of the standard headers and of libraries, those that nearly every file uses.
set(HEADCOUNT_PRECOMPILED_HEADERS <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <filesystem> <functional> <iomanip>
    <map> <memory> <optional> <ranges> <span> <sstream> <string> <string_view> <thread> <unordered_map> <utility> <variant>
    <vector> <nlohmann/json.hpp>)

# headcount_own_code(target [QUICK | FAST]): with QUICK a release is optimised less, and compiled in two thirds of the time;
# with FAST a page's code is compiled to run fast, and not to be small. A precompiled header is taken only where it was
# made with the same optimisation, so there is one for each.
function(headcount_own_code target)
    set(level)
    if("FAST" IN_LIST ARGN AND EMSCRIPTEN AND CMAKE_BUILD_TYPE STREQUAL Release)
        set(level -O3)
    elseif("QUICK" IN_LIST ARGN AND NOT EMSCRIPTEN AND CMAKE_BUILD_TYPE STREQUAL Release)
        set(level -Og)
    endif()
    set(pch headcount_pch${level})
    target_compile_options(${target} PRIVATE ${level})
    target_link_libraries(${target} PRIVATE headcount_warnings)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
    if(HEADCOUNT_PCH)
        if(NOT TARGET ${pch})
            file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${pch}.cpp CONTENT "// Something to compile the precompiled header for.\n")
            add_library(${pch} OBJECT ${PROJECT_BINARY_DIR}/${pch}.cpp)
            target_compile_options(${pch} PRIVATE ${level})
            target_link_libraries(${pch} PRIVATE headcount_warnings nlohmann_json::nlohmann_json)
            target_precompile_headers(${pch} PRIVATE ${HEADCOUNT_PRECOMPILED_HEADERS})
        endif()
        target_precompile_headers(${target} REUSE_FROM ${pch})
    endif()
endfunction()

# headcount_layer(target folder [QUICK | FAST] [WITH subfolder...] USES target...): a static library of the folder's
# sources, and of the subfolders' that stand with them; while there are none, only its links.
function(headcount_layer target folder)
    cmake_parse_arguments(PARSE_ARGV 2 arg "QUICK;FAST" "" "WITH;USES")
    set(folders ${folder})
    foreach(subfolder IN LISTS arg_WITH)
        list(APPEND folders ${folder}/${subfolder})
    endforeach()
    list(TRANSFORM folders REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/\\1/*.cpp" OUTPUT_VARIABLE source_globs)
    list(TRANSFORM folders REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/\\1/*.hpp" OUTPUT_VARIABLE header_globs)
    file(GLOB sources CONFIGURE_DEPENDS ${source_globs})
    file(GLOB headers CONFIGURE_DEPENDS ${header_globs})
    if(sources)
        add_library(${target} STATIC ${sources} ${headers})
        headcount_own_code(${target} ${ARGN})
        target_link_libraries(${target} PUBLIC ${arg_USES})
        # libFuzzer steers by what it sees covered: of the engine and of what reads saved files. These are the parts of
        # -fsanitize=fuzzer-no-link, which by that name would need a precompiled header of its own.
        if(HEADCOUNT_FUZZ AND folder MATCHES "^(core/|app/state)")
            target_compile_options(${target} PRIVATE
                -fsanitize-coverage=inline-8bit-counters,pc-table,indirect-calls,trace-cmp)
        endif()
        # What the address sanitizer sees too, or what only readers of files get wrong: a third of the time to compile.
        if(HEADCOUNT_SANITIZE AND folder MATCHES "^app/")
            target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,object-size,vptr)
        endif()
    else()
        add_library(${target} INTERFACE)
        target_link_libraries(${target} INTERFACE ${arg_USES})
    endif()

    # What the folder may include: its own headers, and those of the layers that it uses, through any number of steps. And
    # the libraries of all these, for the tests.
    set(may ${folders})
    set(archives)
    if(sources)
        set(archives $<TARGET_FILE:${target}>)
    endif()
    foreach(used IN LISTS arg_USES)
        get_property(used_may GLOBAL PROPERTY headcount_may_${used})
        list(APPEND may ${used_may})
        get_property(used_archives GLOBAL PROPERTY headcount_archives_${used})
        list(APPEND archives ${used_archives})
    endforeach()
    list(REMOVE_DUPLICATES may)
    list(REMOVE_DUPLICATES archives)
    set_property(GLOBAL PROPERTY headcount_may_${target} ${may})
    set_property(GLOBAL PROPERTY headcount_archives_${target} ${archives})
    list(JOIN may , may)
    foreach(each IN LISTS folders)
        set_property(GLOBAL APPEND PROPERTY headcount_layers "${each}=${may}")
    endforeach()
    set_property(GLOBAL APPEND PROPERTY headcount_layer_files ${sources} ${headers})
endfunction()

# headcount_layers_in(folder prefix [QUICK | FAST] USES target...): a layer for each folder in it that has none, as prefix_folder; and
# HEADCOUNT_LAYERS_IN, the names of all of them.
function(headcount_layers_in folder prefix)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "USES")
    file(GLOB files RELATIVE ${PROJECT_SOURCE_DIR}/${folder} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*/*.hpp)
    list(TRANSFORM files REPLACE "/.*" "")
    list(REMOVE_DUPLICATES files)
    set(layers)
    foreach(name IN LISTS files)
        if(NOT TARGET ${prefix}_${name})
            headcount_layer(${prefix}_${name} ${folder}/${name} ${arg_UNPARSED_ARGUMENTS} USES ${arg_USES})
        endif()
        list(APPEND layers ${prefix}_${name})
    endforeach()
    set(HEADCOUNT_LAYERS_IN ${layers} PARENT_SCOPE)
endfunction()

# headcount_program(target source... USES target...)
function(headcount_program target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES")
    add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
    headcount_own_code(${target})
    target_link_libraries(${target} PRIVATE ${arg_USES})
endfunction()

# Every include root is the repository's root, so the compiler alone would let core include app. This does not.
function(headcount_check_layers)
    get_property(layers GLOBAL PROPERTY headcount_layers)
    get_property(files GLOBAL PROPERTY headcount_layer_files)
    list(JOIN layers "\n" layers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/layers.txt CONTENT "${layers}\n" @ONLY)
    set(checker ${PROJECT_SOURCE_DIR}/cmake/check_layers.cmake)
    set(stamp ${PROJECT_BINARY_DIR}/layers.checked)
    add_custom_command(OUTPUT ${stamp} DEPENDS ${files} ${checker} ${PROJECT_BINARY_DIR}/layers.txt VERBATIM
        COMMENT "Checking that dependencies point one way"
        COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DLAYERS=${PROJECT_BINARY_DIR}/layers.txt -P ${checker}
        COMMAND ${CMAKE_COMMAND} -E touch ${stamp})
    add_custom_target(check_layers ALL DEPENDS ${stamp})
endfunction()
