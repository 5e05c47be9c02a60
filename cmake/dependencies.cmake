# Other people's libraries: Debian's packages first, and behind each a pinned commit for systems that lack the package.
include(FetchContent)
find_package(PkgConfig QUIET)
set(FETCHCONTENT_QUIET OFF)
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)  # what is set here of their options holds

# headcount_fetch(name repository commit [package]): find_package(package), or else that commit, as the targets of its own build.
macro(headcount_fetch name repository commit)
    FetchContent_Declare(${name} GIT_REPOSITORY https://github.com/${repository}.git GIT_TAG ${commit} SYSTEM
        FIND_PACKAGE_ARGS ${ARGN} QUIET)
    FetchContent_MakeAvailable(${name})
endmacro()

# What only the tests need is looked for only when they are built.
macro(headcount_need name)
    set(BUILD_GMOCK ON)
    set(INSTALL_GTEST OFF)
    set(BENCHMARK_ENABLE_TESTING OFF)
    set(BENCHMARK_ENABLE_INSTALL OFF)
    if(${name} STREQUAL GTest)
        headcount_fetch(googletest google/googletest 6910c9d9165801d8827d628cb72eb7ea9dd538c5 NAMES GTest)  # v1.16.0
    else()
        headcount_fetch(benchmark google/benchmark c58e6d0710581e3a08d65c349664128a8d9a2461)  # v1.9.1
    endif()
endmacro()

if(EMSCRIPTEN)
    include(web)
endif()

set(JSON_Install OFF)
headcount_fetch(nlohmann_json nlohmann/json 9cca280a4d0ccf0c08f47a99aa71d1b0e52f8d03)  # v3.11.3
set(CLI11_BUILD_TESTS OFF)
set(CLI11_BUILD_EXAMPLES OFF)
headcount_fetch(CLI11 CLIUtils/CLI11 f4d0731cebb123ff0ace712c099dffbcd2c58e5a)  # v2.4.1
set(GLFW_BUILD_DOCS OFF)
set(GLFW_BUILD_TESTS OFF)
set(GLFW_BUILD_EXAMPLES OFF)
set(GLFW_INSTALL OFF)
if(NOT EMSCRIPTEN)  # it has its own
    headcount_fetch(glfw glfw/glfw 7b6aead9fb88b3623e3b3725ebb42670cbe4c579 NAMES glfw3)  # 3.4
endif()
headcount_fetch(glm g-truc/glm 0af55ccecd98d4e5a8d1fad7de25ba429d60e863)  # 1.0.1

# Highway: vectors of whatever width the machine at hand has, chosen when the program runs.
foreach(part TESTS EXAMPLES CONTRIB INSTALL)
    set(HWY_ENABLE_${part} OFF CACHE INTERNAL "")  # Highway's policies are older than normal variables in their place
endforeach()
headcount_fetch(hwy google/highway 457c891775a7397bdb0376bb1031e6e027af1c48)  # 1.2.0
if(TARGET hwy AND NOT TARGET hwy::hwy)
    set_target_properties(hwy PROPERTIES UNITY_BUILD OFF)  # its files include themselves, once for each width
endif()
find_package(Threads REQUIRED)
add_library(headcount_vectors INTERFACE)
target_link_libraries(headcount_vectors INTERFACE $<IF:$<TARGET_EXISTS:hwy::hwy>,hwy::hwy,hwy> Threads::Threads)

# For tokenizers: PCRE2 runs the patterns that their files bring, utf8proc makes Unicode's normal forms (Qwen's NFC).
# headcount_text_library(name repository commit target package): pkg-config's package, or else that commit; neither is
# installed with ours. Links into headcount_text.
add_library(headcount_text INTERFACE)
set(PCRE2_BUILD_PCRE2GREP OFF)
set(PCRE2_BUILD_TESTS OFF)
set(PCRE2_SHOW_REPORT OFF)
if(NOT EMSCRIPTEN)  # there is no memory there that can be written and run
    set(PCRE2_SUPPORT_JIT ON)
endif()
set(UTF8PROC_INSTALL OFF)
function(headcount_text_library name repository commit target package)
    string(TOUPPER ${name} prefix)
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${package})
    endif()
    if(TARGET PkgConfig::${prefix})
        target_link_libraries(headcount_text INTERFACE PkgConfig::${prefix})
        return()
    endif()
    FetchContent_Declare(${name} GIT_REPOSITORY https://github.com/${repository}.git GIT_TAG ${commit} SOURCE_SUBDIR none)
    FetchContent_MakeAvailable(${name})
    add_subdirectory(${${name}_SOURCE_DIR} ${${name}_BINARY_DIR} EXCLUDE_FROM_ALL SYSTEM)
    target_link_libraries(headcount_text INTERFACE ${target})
endfunction()
headcount_text_library(pcre2 PCRE2Project/pcre2 6ae58beca071f13ccfed31d03b3f479ab520639b pcre2-8 libpcre2-8)  # 10.44
headcount_text_library(utf8proc JuliaStrings/utf8proc a1b99daa2a3393884220264c927a48ba1251a9c6 utf8proc libutf8proc)  # 2.10.0

# md4c reads the pages of the manual: pkg-config's, or else its one source file.
add_library(headcount_markdown INTERFACE)
if(PKG_CONFIG_FOUND)
    pkg_check_modules(MD4C QUIET IMPORTED_TARGET md4c)
endif()
if(TARGET PkgConfig::MD4C)
    target_link_libraries(headcount_markdown INTERFACE PkgConfig::MD4C)
else()
    FetchContent_Declare(md4c GIT_REPOSITORY https://github.com/mity/md4c.git
        GIT_TAG 729e6b8b320caa96328968ab27d7db2235e4fb47 SOURCE_SUBDIR none)  # 0.5.2
    FetchContent_MakeAvailable(md4c)
    add_library(md4c_source STATIC ${md4c_SOURCE_DIR}/src/md4c.c)
    target_compile_definitions(md4c_source PRIVATE MD4C_USE_UTF8)
    target_include_directories(md4c_source SYSTEM PUBLIC ${md4c_SOURCE_DIR}/src)
    target_link_libraries(headcount_markdown INTERFACE md4c_source)
endif()

# libqrencode makes the QR codes of links: pkg-config's, or else its source files.
add_library(headcount_qr INTERFACE)
if(PKG_CONFIG_FOUND)
    pkg_check_modules(QRENCODE QUIET IMPORTED_TARGET libqrencode)
endif()
if(TARGET PkgConfig::QRENCODE)
    target_link_libraries(headcount_qr INTERFACE PkgConfig::QRENCODE)
else()
    FetchContent_Declare(qrencode GIT_REPOSITORY https://github.com/fukuchi/libqrencode.git
        GIT_TAG 715e29fd4cd71b6e452ae0f4e36d917b43122ce8 SOURCE_SUBDIR none)  # 4.1.1
    FetchContent_MakeAvailable(qrencode)
    set(qrencode_files qrencode qrinput bitstream qrspec rsecc split mask mqrspec mmask)
    list(TRANSFORM qrencode_files REPLACE "(.+)" "${qrencode_SOURCE_DIR}/\\1.c")
    add_library(qrencode_source STATIC ${qrencode_files})
    target_compile_definitions(qrencode_source PRIVATE HAVE_STRDUP=1 STATIC_IN_RELEASE=static MAJOR_VERSION=4
        MINOR_VERSION=1 MICRO_VERSION=1 VERSION="4.1.1")
    set_target_properties(qrencode_source PROPERTIES UNITY_BUILD OFF)  # its files have statics of the same names
    target_include_directories(qrencode_source SYSTEM PUBLIC ${qrencode_SOURCE_DIR})
    target_link_libraries(headcount_qr INTERFACE qrencode_source)
endif()

# zlib packs pictures, where it is there.
add_library(headcount_zlib INTERFACE)
if(NOT EMSCRIPTEN)
    find_package(ZLIB QUIET)
    if(ZLIB_FOUND)
        target_link_libraries(headcount_zlib INTERFACE ZLIB::ZLIB)
        target_compile_definitions(headcount_zlib INTERFACE HEADCOUNT_ZLIB=1)
    endif()
endif()

# giflib packs moving pictures, where it is there.
add_library(headcount_gif INTERFACE)
if(NOT EMSCRIPTEN)
    find_package(GIF 5.1 QUIET)
    if(GIF_FOUND)
        target_link_libraries(headcount_gif INTERFACE GIF::GIF)
        target_compile_definitions(headcount_gif INTERFACE HEADCOUNT_GIF=1)
    endif()
endif()

# libxlsxwriter writes spreadsheets: the system's, or else its own build, which needs zlib. The page for browsers has
# none. Not by pkg-config: Debian 13's file asks for what the package does not bring, and a shared library does not need.
add_library(headcount_xlsx INTERFACE)
set(HEADCOUNT_XLSX 1)
if(NOT EMSCRIPTEN)
    find_path(XLSXWRITER_INCLUDE_DIR xlsxwriter.h)
    find_library(XLSXWRITER_LIBRARY xlsxwriter)
    mark_as_advanced(XLSXWRITER_INCLUDE_DIR XLSXWRITER_LIBRARY)
endif()
if(EMSCRIPTEN)
    set(HEADCOUNT_XLSX 0)
elseif(XLSXWRITER_INCLUDE_DIR AND XLSXWRITER_LIBRARY)
    target_include_directories(headcount_xlsx SYSTEM INTERFACE ${XLSXWRITER_INCLUDE_DIR})
    target_link_libraries(headcount_xlsx INTERFACE ${XLSXWRITER_LIBRARY})
else()
    if(ZLIB_FOUND)
        FetchContent_Declare(xlsxwriter GIT_REPOSITORY https://github.com/jmcnamara/libxlsxwriter.git
            GIT_TAG 051a01a2c31eb55fa467964a2c2328cfb8bcbde8 SOURCE_SUBDIR none)  # v1.2.3
        FetchContent_MakeAvailable(xlsxwriter)
        add_subdirectory(${xlsxwriter_SOURCE_DIR} ${xlsxwriter_BINARY_DIR} EXCLUDE_FROM_ALL SYSTEM)
        target_include_directories(headcount_xlsx SYSTEM INTERFACE ${xlsxwriter_SOURCE_DIR}/include)
        target_link_libraries(headcount_xlsx INTERFACE xlsxwriter ZLIB::ZLIB)
    else()
        message(STATUS "No libxlsxwriter and no zlib: reports have no .xlsx")
        set(HEADCOUNT_XLSX 0)
    endif()
endif()

# Dear ImGui: `imgui` for who draws, `imgui_backends` for who owns a window. The package holds both in one library.
add_library(imgui INTERFACE)
add_library(imgui_backends INTERFACE)
target_link_libraries(imgui_backends INTERFACE imgui glfw ${CMAKE_DL_LIBS})
if(NOT HEADCOUNT_IMGUI_DIR AND PKG_CONFIG_FOUND)
    pkg_check_modules(IMGUI QUIET IMPORTED_TARGET imgui)
endif()
if(TARGET PkgConfig::IMGUI)
    message(STATUS "Dear ImGui ${IMGUI_VERSION} from the system")
    target_link_libraries(imgui INTERFACE PkgConfig::IMGUI)
    foreach(folder IN LISTS IMGUI_INCLUDE_DIRS)
        target_include_directories(imgui_backends SYSTEM INTERFACE ${folder}/backends)
    endforeach()
else()
    if(HEADCOUNT_IMGUI_DIR)
        set(imgui_dir ${HEADCOUNT_IMGUI_DIR})
    else()
        FetchContent_Declare(imgui GIT_REPOSITORY https://github.com/ocornut/imgui.git
            GIT_TAG f5befd2d29e66809cd1110a152e375a7f1981f06)  # v1.91.9b
        FetchContent_MakeAvailable(imgui)
        set(imgui_dir ${imgui_SOURCE_DIR})
    endif()
    message(STATUS "Dear ImGui from ${imgui_dir}")
    add_library(imgui_source STATIC ${imgui_dir}/imgui.cpp ${imgui_dir}/imgui_draw.cpp ${imgui_dir}/imgui_tables.cpp
        ${imgui_dir}/imgui_widgets.cpp ${imgui_dir}/imgui_demo.cpp)
    target_include_directories(imgui_source SYSTEM PUBLIC ${imgui_dir})
    target_link_libraries(imgui INTERFACE imgui_source)
    add_library(imgui_backends_source STATIC ${imgui_dir}/backends/imgui_impl_glfw.cpp
        ${imgui_dir}/backends/imgui_impl_opengl3.cpp)
    target_include_directories(imgui_backends_source SYSTEM PUBLIC ${imgui_dir}/backends)
    target_link_libraries(imgui_backends_source PUBLIC imgui_source glfw)
    if(EMSCRIPTEN)  # in one file GLFW would bring the desktop's names
        target_compile_definitions(imgui_backends_source PUBLIC IMGUI_IMPL_OPENGL_ES3)
        target_compile_options(imgui_backends_source PRIVATE -include ${PROJECT_SOURCE_DIR}/app/shell/page/own_state.h)
        set_target_properties(imgui_backends_source PROPERTIES UNITY_BUILD OFF)
        # It makes pictures of some thousand letters before there is a first frame.
        set_source_files_properties(${imgui_dir}/imgui_draw.cpp PROPERTIES COMPILE_OPTIONS -O3 SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
    target_link_libraries(imgui_backends INTERFACE imgui_backends_source)
endif()

# stb_image_write and stb_truetype: a header each.
find_path(STB_INCLUDE_DIR stb_image_write.h PATH_SUFFIXES stb)
mark_as_advanced(STB_INCLUDE_DIR)
if(NOT STB_INCLUDE_DIR)
    FetchContent_Declare(stb GIT_REPOSITORY https://github.com/nothings/stb.git
        GIT_TAG 31c1ad37456438565541f4919958214b6e762fb4)
    FetchContent_MakeAvailable(stb)
    set(STB_INCLUDE_DIR ${stb_SOURCE_DIR})
endif()
add_library(headcount_stb INTERFACE)
target_include_directories(headcount_stb SYSTEM INTERFACE ${STB_INCLUDE_DIR})

# glad 2 writes the OpenGL loader, where a browser has its own. Without --reproducible it would ask the network for the newest specification.
if(NOT TARGET headcount_glad)
    find_program(GLAD_PROGRAM glad)
    mark_as_advanced(GLAD_PROGRAM)
    set(glad_command ${GLAD_PROGRAM})
    if(NOT GLAD_PROGRAM)
        find_package(Python3 REQUIRED COMPONENTS Interpreter)
        FetchContent_Declare(glad GIT_REPOSITORY https://github.com/Dav1dde/glad.git
            GIT_TAG f237a2bfcec0d9b82b90ec9af4af265c40de7183 SOURCE_SUBDIR none)  # v2.0.2; needs Python's jinja2
        FetchContent_MakeAvailable(glad)
        set(glad_command ${CMAKE_COMMAND} -E env PYTHONPATH=${glad_SOURCE_DIR} ${Python3_EXECUTABLE} -m glad)
    endif()
    set(glad_dir ${PROJECT_BINARY_DIR}/glad)
    add_custom_command(OUTPUT ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h VERBATIM
        COMMENT "Generating the OpenGL 3.3 loader"
        COMMAND ${glad_command} --quiet --reproducible --api gl:core=3.3 --extensions "" --out-path ${glad_dir} c)
    add_library(headcount_glad STATIC ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h)
    target_include_directories(headcount_glad SYSTEM PUBLIC ${glad_dir}/include)
    target_link_libraries(headcount_glad PUBLIC ${CMAKE_DL_LIBS})
endif()

# headcount_opengl: the loader, and EGL where there is one; elsewhere a hidden GLFW window stands in for it.
# CMake's FindOpenGL would not do: it finds EGL only where desktop OpenGL's development files are complete too.
if(HEADCOUNT_USE_EGL AND NOT EMSCRIPTEN)
    find_path(EGL_INCLUDE_DIR EGL/egl.h)
    find_library(EGL_LIBRARY EGL)
    mark_as_advanced(EGL_INCLUDE_DIR EGL_LIBRARY)
endif()
add_library(headcount_opengl INTERFACE)
target_link_libraries(headcount_opengl INTERFACE headcount_glad headcount_stb)
if(EGL_INCLUDE_DIR AND EGL_LIBRARY)
    target_include_directories(headcount_opengl SYSTEM INTERFACE ${EGL_INCLUDE_DIR})
    target_link_libraries(headcount_opengl INTERFACE ${EGL_LIBRARY})
    target_compile_definitions(headcount_opengl INTERFACE HEADCOUNT_EGL=1)
else()
    message(STATUS "No EGL: pictures without a display need a hidden window")
    target_link_libraries(headcount_opengl INTERFACE glfw)
    target_compile_definitions(headcount_opengl INTERFACE HEADCOUNT_EGL=0)
endif()
