# The writer behind headcount_embed: cmake -P, once for each file (IN, IDENTIFIER, OUT) and once for the index (NAMES, ...).
cmake_minimum_required(VERSION 3.25)
if(DEFINED IN)
    # A string literal of escapes compiles many times faster than a list of integers.
    file(READ ${IN} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\"\n\"" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
    file(SIZE ${IN} size)
    file(WRITE ${OUT} "// Generated from ${IN}\n#include <cstddef>\nnamespace headcount::embedded {\n"
        "extern const unsigned char ${IDENTIFIER}[];\nextern const std::size_t ${IDENTIFIER}_size;\n"
        "const unsigned char ${IDENTIFIER}[] =\n\"${bytes}\";\nconst std::size_t ${IDENTIFIER}_size = ${size};\n}\n")
    return()
endif()

cmake_path(GET OUT PARENT_PATH folder)
file(WRITE ${folder}/${HEADER} "// Generated: the files that the build embedded, by name.\n#pragma once\n"
    "#include <span>\n#include <string_view>\nnamespace headcount {\n"
    "struct ${TYPE} {\n    std::string_view name;\n    std::span<const unsigned char> bytes;\n};\n"
    "std::span<const ${TYPE}> ${FUNCTION}();\n}\n")
string(REPLACE "," ";" NAMES "${NAMES}")
set(declarations "")
set(entries "")
foreach(name IN LISTS NAMES)
    string(MAKE_C_IDENTIFIER ${name} identifier)
    string(APPEND declarations "extern const unsigned char ${identifier}[];\nextern const std::size_t ${identifier}_size;\n")
    string(APPEND entries "        {\"${name}\", {embedded::${identifier}, embedded::${identifier}_size}},\n")
endforeach()
list(LENGTH NAMES count)
if(count EQUAL 0)
    set(body "    return {};\n")
else()
    # The sizes are constants of other files, so the table is made on the first call.
    set(body "    static const std::array<${TYPE}, ${count}> files = {{\n${entries}    }};\n    return files;\n")
endif()
file(WRITE ${OUT} "// Generated: the index of ${HEADER}\n#include \"${HEADER}\"\n#include <array>\n#include <cstddef>\n"
    "namespace headcount {\nnamespace embedded {\n${declarations}}\n"
    "std::span<const ${TYPE}> ${FUNCTION}() {\n${body}}\n}\n")
