# headcount_embed: files as byte arrays in a library, written again when one of them changes.

# headcount_embed(target [KEEP_EXTENSIONS] HEADER name.hpp TYPE Type FUNCTION function FILES file...)
# The header declares, in namespace headcount, `struct Type { std::string_view name; std::span<const unsigned char> bytes; }`
# and `std::span<const Type> function()`. A file's name is its last path component, without the extension
# unless that is kept.
function(headcount_embed target)
    cmake_parse_arguments(PARSE_ARGV 1 arg KEEP_EXTENSIONS "HEADER;TYPE;FUNCTION" "FILES")
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/embedded/${target})
    set(settings "-DHEADER=${arg_HEADER}" "-DTYPE=${arg_TYPE}" "-DFUNCTION=${arg_FUNCTION}")
    set(writer ${PROJECT_SOURCE_DIR}/cmake/write_embedded.cmake)

    set(names "")
    set(sources "")
    foreach(file IN LISTS arg_FILES)
        cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
        if(arg_KEEP_EXTENSIONS)
            cmake_path(GET file FILENAME name)
        else()
            cmake_path(GET file STEM LAST_ONLY name)
        endif()
        string(MAKE_C_IDENTIFIER ${name} identifier)
        set(source ${folder}/${identifier}.cpp)
        add_custom_command(OUTPUT ${source} DEPENDS ${file} ${writer} VERBATIM COMMENT "Embedding ${name}"
            COMMAND ${CMAKE_COMMAND} "-DIN=${file}" "-DIDENTIFIER=${identifier}" "-DOUT=${source}" -P ${writer})
        list(APPEND sources ${source})
        list(APPEND names ${name})
    endforeach()
    list(JOIN names , names)
    set(index ${folder}/index.cpp)
    add_custom_command(OUTPUT ${index} ${folder}/${arg_HEADER} DEPENDS ${writer} VERBATIM COMMENT "Indexing ${target}"
        COMMAND ${CMAKE_COMMAND} ${settings} "-DNAMES=${names}" "-DOUT=${index}" -P ${writer})
    add_library(${target} STATIC ${sources} ${index} ${folder}/${arg_HEADER})
    target_include_directories(${target} PUBLIC ${folder})
endfunction()
