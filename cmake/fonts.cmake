# headcount_only_drawn(list): in place of the fonts of the list the same with the letters alone that app/ui/fonts.cpp asks
# for, a tenth of them; as they are where there is no fonttools.
function(headcount_only_drawn list)
    execute_process(COMMAND python3 -c "import fontTools" RESULT_VARIABLE missing ERROR_QUIET)
    if(missing)
        message(STATUS "No fonttools: the page carries whole fonts")
        return()
    endif()
    set(ranges ${PROJECT_SOURCE_DIR}/app/ui/fonts.cpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ranges})
    file(READ ${ranges} text)
    string(REGEX MATCHALL "0x[0-9A-F][0-9A-F][0-9A-F][0-9A-F][^0-9A-F]" ends "${text}")
    set(letters "")
    while(ends)
        list(POP_FRONT ends first last)
        string(SUBSTRING ${first} 2 4 first)
        string(SUBSTRING ${last} 2 4 last)
        string(APPEND letters "${first}-${last},")
    endwhile()
    set(drawn "")
    foreach(font IN LISTS ${list})
        cmake_path(GET font FILENAME name)
        add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/fonts/${name} DEPENDS ${font} ${ranges} VERBATIM
            COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/fonts
            COMMAND python3 -m fontTools.subset ${font} --unicodes=${letters} --layout-features= --no-hinting --name-IDs=
                --notdef-outline --output-file=${PROJECT_BINARY_DIR}/fonts/${name})
        list(APPEND drawn ${PROJECT_BINARY_DIR}/fonts/${name})
    endforeach()
    set(${list} ${drawn} PARENT_SCOPE)
endfunction()

# hc_fonts: Inter and JetBrains Mono as the system's packages bring them, embedded. Without them Dear ImGui's own font serves.
set(HEADCOUNT_FONT_DIR "" CACHE PATH "A folder with Inter-Regular.otf, JetBrainsMono-Regular.ttf and their kin")
set(font_files "")
set(missing_fonts "")
foreach(face Inter-Regular Inter-Medium Inter-SemiBold
             JetBrainsMono-Regular JetBrainsMono-Medium JetBrainsMono-SemiBold)
    find_file(HEADCOUNT_FONT_${face} NAMES ${face}.otf ${face}.ttf NO_CMAKE_FIND_ROOT_PATH
        HINTS ${HEADCOUNT_FONT_DIR}
        PATHS /usr/share/fonts /usr/local/share/fonts $ENV{HOME}/.local/share/fonts $ENV{HOME}/.fonts
              $ENV{HOME}/Library/Fonts /Library/Fonts /opt/homebrew/share/fonts
        PATH_SUFFIXES opentype/inter truetype/inter truetype/jetbrains-mono inter-fonts rsms-inter-fonts
                      jetbrains-mono-fonts TTF OTF ttf otf inter jetbrains-mono)
    mark_as_advanced(HEADCOUNT_FONT_${face})
    if(HEADCOUNT_FONT_${face})
        list(APPEND font_files ${HEADCOUNT_FONT_${face}})
    else()
        list(APPEND missing_fonts ${face})
    endif()
endforeach()
if(missing_fonts)
    list(JOIN missing_fonts ", " missing_fonts)
    message(WARNING "Fonts not found: ${missing_fonts}. Headcount will use Dear ImGui's own font in their place; "
        "install Inter and JetBrains Mono or set HEADCOUNT_FONT_DIR.")
endif()
if(EMSCRIPTEN)
    headcount_only_drawn(font_files)
endif()
headcount_embed(hc_fonts HEADER embedded_fonts.hpp TYPE EmbeddedFont FUNCTION embedded_fonts FILES ${font_files})
