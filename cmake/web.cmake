# The page: what takes the place of the system's libraries where Emscripten compiles, and how the program is linked into one.

# C++ exceptions and threads as WebAssembly has them; the library's stop tokens, which libc++ 18 still calls experimental.
add_compile_options(-fwasm-exceptions -msimd128 -pthread)
add_link_options(-fwasm-exceptions -pthread)
add_compile_definitions(_LIBCPP_ENABLE_EXPERIMENTAL)

# headcount_web_source(name sha256 path): the source of a library as Debian keeps it, for FetchContent. The system's own are
# for another machine. Without it FetchContent takes the pinned commit.
set(FETCHCONTENT_TRY_FIND_PACKAGE_MODE NEVER)
function(headcount_web_source name sha256 path)
    set(folder ${PROJECT_BINARY_DIR}/sources/${name})
    if(NOT EXISTS ${folder}.complete)
        set(archive ${folder}.tar)
        file(DOWNLOAD http://deb.debian.org/debian/pool/main/${path} ${archive} TIMEOUT 120 STATUS status)
        list(GET status 0 code)
        if(code EQUAL 0)
            file(SHA256 ${archive} found)
        endif()
        if(NOT found STREQUAL sha256)
            message(STATUS "${name}: not from Debian, so from its own repository")
            return()
        endif()
        file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${folder})
        file(TOUCH ${folder}.complete)
    endif()
    file(GLOB unpacked LIST_DIRECTORIES true ${folder}/*)
    string(TOUPPER ${name} upper)
    set(FETCHCONTENT_SOURCE_DIR_${upper} ${unpacked} PARENT_SCOPE)
endfunction()
headcount_web_source(nlohmann_json 0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406
    n/nlohmann-json3/nlohmann-json3_3.11.3.orig.tar.gz)
headcount_web_source(CLI11 0b8fbf2398875f15f30a675c7f412123a2aaa38df2863e991de72004fd5f1292
    c/cli11/cli11_2.4.1+ds.orig.tar.xz)
headcount_web_source(glm 0e678af38374a9d49dbd19f206bbc31564ddcd91449fe48ea8967a51ab3ccd69
    g/glm/glm_0.9.9.8+ds.orig.tar.xz)
headcount_web_source(hwy 7e0be78b8318e8bdbf6fa545d2ecb4c90f947df03f7aadc42c1967f019e63343
    h/highway/highway_1.2.0.orig.tar.gz)
headcount_web_source(pcre2 8d28d7f2c3b970c3a4bf3776bcbb5adfc923183ce74bc8df1ebaad8c1985bd07
    p/pcre2/pcre2_10.46.orig.tar.gz)
headcount_web_source(utf8proc a0a60a79fe6f6d54e7d411facbfcc867a6e198608f2cd992490e46f04b1bcecc
    u/utf8proc/utf8proc_2.8.0.orig.tar.gz)
headcount_web_source(md4c 55d0111d48fb11883aaee91465e642b8b640775a4d6993c2d0e7a8092758ef21
    m/md4c/md4c_0.5.2.orig.tar.gz)
headcount_web_source(qrencode e455d9732f8041cf5b9c388e345a641fd15707860f928e94507b1961256a6923
    q/qrencode/qrencode_4.1.1.orig.tar.bz2)
headcount_web_source(imgui ecce377df0f90b292f15dcbd83d438bddc162b2388c881132bde18c787572a1c
    i/imgui/imgui_1.90.1+ds.orig.tar.xz)
headcount_web_source(zstd 0c092ef267edce57ba7f3f2645c861f72eaf5e76273c6c3632869423464b90a5
    libz/libzstd/libzstd_1.5.7+dfsg.orig.tar.xz)
if(HEADCOUNT_TESTS)
    headcount_web_source(googletest 2f54382b5d13d6cd0be2afc524f1e510d37f8ba78c2d439c5bea64ef37e30d01
        g/googletest/googletest_1.16.0.orig.tar.gz)
    headcount_web_source(benchmark 32131c08ee31eeff2c8968d7e874f3cb648034377dfc32a4c377fa8796d84981
        b/benchmark/benchmark_1.9.1.orig.tar.gz)
endif()
find_path(STB_INCLUDE_DIR stb_image_write.h PATHS /usr/include/stb NO_CMAKE_FIND_ROOT_PATH)

# Emscripten's own GLFW, and what it lacks; in glad's place its OpenGL ES 3.
add_library(glfw STATIC ${PROJECT_SOURCE_DIR}/app/shell/page/glfw_rest.c)
target_link_options(glfw INTERFACE -sUSE_GLFW=3)
file(WRITE ${PROJECT_BINARY_DIR}/glad/include/glad/gl.h "#pragma once\n#include <GLES3/gl3.h>\n")
add_library(headcount_glad INTERFACE)
target_include_directories(headcount_glad SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/glad/include)

set(headcount_web_options -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=128MB
    -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=4MB -sDEFAULT_PTHREAD_STACK_SIZE=2MB -sMALLOC=mimalloc -Wno-pthreads-mem-growth)
set(headcount_page ${PROJECT_SOURCE_DIR}/app/shell/page)

# headcount_web_page(target): site/ in the build's folder, which is all that a web server needs; the two large files are
# packed, whatever a server compresses by itself. Threads: the run's, its bin and its looker, the training and the one beside
# it; and of the run and both trainings a pool, of as many as there are processors, the thread that calls among them. One more
# would wait for the page's own thread, which may be waiting for it.
function(headcount_web_page target)
    set(site ${PROJECT_BINARY_DIR}/site)
    set(files ${PROJECT_BINARY_DIR}/files)
    set(assets ${PROJECT_SOURCE_DIR}/assets)
    file(GLOB_RECURSE shipped CONFIGURE_DEPENDS ${assets}/hardware.json ${assets}/measured.json ${assets}/presets/* ${assets}/claims/*
        ${assets}/tours/* ${assets}/worksheets/*)
    file(GLOB model CONFIGURE_DEPENDS ${assets}/models/*/*.json ${assets}/models/*/*.safetensors)
    set(copies)
    foreach(file IN LISTS shipped model)
        cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${assets} OUTPUT_VARIABLE name)
        cmake_path(GET name PARENT_PATH folder)
        list(APPEND copies COMMAND ${CMAKE_COMMAND} -E make_directory ${files}/${folder}
            COMMAND ${CMAKE_COMMAND} -E copy ${file} ${files}/${name})
    endforeach()
    add_custom_command(OUTPUT ${files}/.made DEPENDS ${shipped} ${model} VERBATIM ${copies}
        COMMENT "Gathering what the page carries" COMMAND ${CMAKE_COMMAND} -E touch ${files}/.made)
    FetchContent_Declare(zstd GIT_REPOSITORY https://github.com/facebook/zstd.git
        GIT_TAG f8745da6ff1ad1e7bab384bd1f9d742439278e99 SOURCE_SUBDIR none)  # 1.5.7
    FetchContent_MakeAvailable(zstd)
    set(library ${zstd_SOURCE_DIR}/lib)
    file(GLOB unpacking ${library}/common/*.c ${library}/decompress/*.c)
    add_custom_command(OUTPUT ${site}/unpack.wasm DEPENDS ${headcount_page}/unpack.c ${unpacking} VERBATIM
        COMMENT "Compiling what unpacks the page"
        COMMAND ${CMAKE_C_COMPILER} -Oz -DNDEBUG -DZSTD_LEGACY_SUPPORT=0 -DZSTD_STRIP_ERROR_STRINGS -I${library}
            ${headcount_page}/unpack.c ${unpacking} -sSTANDALONE_WASM --no-entry -sINITIAL_MEMORY=32MB
            -sEXPORTED_FUNCTIONS=_packed_place,_unpacked_place,_room,_take,_unpack,_is_whole -o ${site}/unpack.wasm)
    set(served ${site}/unpack.wasm)
    foreach(name index.html page.js isolate.js)
        add_custom_command(OUTPUT ${site}/${name} DEPENDS ${headcount_page}/${name} VERBATIM
            COMMAND ${CMAKE_COMMAND} -E copy ${headcount_page}/${name} ${site}/${name})
        list(APPEND served ${site}/${name})
    endforeach()
    add_custom_target(web_files DEPENDS ${files}/.made ${served})
    add_dependencies(${target} web_files)
    set_target_properties(${target} PROPERTIES SUFFIX .js
        LINK_DEPENDS "${files}/.made;${headcount_page}/saved.js;${headcount_page}/pack.py")
    add_custom_command(TARGET ${target} POST_BUILD VERBATIM COMMENT "Packing the page"
        COMMAND python3 ${headcount_page}/pack.py ${PROJECT_BINARY_DIR} ${site})
    target_link_options(${target} PRIVATE ${headcount_web_options} "-sPTHREAD_POOL_SIZE=5+3*(Math.min(navigator.hardwareConcurrency,8)-1)"
        -sFORCE_FILESYSTEM -lidbfs.js
        -sEXPORTED_RUNTIME_METHODS=FS -sENVIRONMENT=web,worker --preload-file ${files}@/assets
        --pre-js ${headcount_page}/saved.js)
endfunction()

# headcount_web_node(target): the same program for node, which has the machine's files: the command line, to be compared
# with the desktop's.
function(headcount_web_node target)
    set_target_properties(${target} PROPERTIES SUFFIX .js LINK_DEPENDS ${headcount_page}/node.js)
    target_link_options(${target} PRIVATE ${headcount_web_options} -sPTHREAD_POOL_SIZE=4 -sNODERAWFS -sEXIT_RUNTIME
        -sENVIRONMENT=node,worker --pre-js ${headcount_page}/node.js)
endfunction()
