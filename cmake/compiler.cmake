# How our own code is compiled: the language, the warnings, the sanitizers and the compiler cache.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set_property(GLOBAL PROPERTY USE_FOLDERS ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
if(EMSCRIPTEN)  # a page is fetched before it runs: what is not FAST is compiled for its size
    set(CMAKE_CXX_FLAGS_RELEASE "-Oz -DNDEBUG")
    set(CMAKE_C_FLAGS_RELEASE "-Oz -DNDEBUG")
endif()

# GCC frees what it no longer needs only from here on: a tenth of the time to compile for a tenth more memory.
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1048576>")

# The sanitizers must cover what is fetched and built here as well, so they are set for every target.
if(HEADCOUNT_SANITIZE)
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
endif()

# Fields that an initializer leaves out are zero or what their declaration says: that is how plain structs are used here.
add_library(headcount_warnings INTERFACE)
target_compile_options(headcount_warnings INTERFACE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor
    -Woverloaded-virtual -Wimplicit-fallthrough -Wno-missing-field-initializers $<$<BOOL:${HEADCOUNT_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # The last four warn about the standard library's own code once it is inlined: of strings (GCC's bugs 105329 and
    # 105651), and of optionals within variants (80635).
    # Its plain -Wshadow also warns when a constructor's parameter has the name of an accessor, which is how we name both.
    # GCC 14 takes a reference to what is kept for one to the temporary that it is looked up by.
    target_compile_options(headcount_warnings INTERFACE -Wshadow=local -Wno-dangling-reference -Wno-restrict
        -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized)
elseif(NOT CMAKE_UNITY_BUILD)
    # Files compiled as one would be warned of each other's names.
    target_compile_options(headcount_warnings INTERFACE -Wshadow)
endif()
if(HEADCOUNT_SANITIZE)
    target_compile_definitions(headcount_warnings INTERFACE _GLIBCXX_ASSERTIONS)
endif()

# A cached object is as good as a compiled one. The sloppiness is what ccache's manual asks for with precompiled headers.
find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE_PROGRAM})
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
    endif()
endif()
