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
headcount_embed(hc_fonts HEADER embedded_fonts.hpp TYPE EmbeddedFont FUNCTION embedded_fonts FILES ${font_files})
