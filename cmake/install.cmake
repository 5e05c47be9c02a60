# Where `cmake --install` puts the program, its assets, its desktop entry and its icon, its manual and what shells
# complete; and the package that `--target package` makes of them.
include(GNUInstallDirs)
install(TARGETS headcount RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/ DESTINATION ${CMAKE_INSTALL_DATADIR}/headcount
    PATTERN desktop EXCLUDE PATTERN pictures EXCLUDE PATTERN "*.py" EXCLUDE PATTERN __pycache__ EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/assets/desktop/headcount.desktop
    DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${PROJECT_SOURCE_DIR}/assets/desktop/headcount.svg
    DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)

# The program writes these itself, so that they have every command and option that it has.
set(texts ${PROJECT_BINARY_DIR}/texts)
install(CODE "
    function(headcount_writes file)
        execute_process(COMMAND \"$<TARGET_FILE:headcount>\" \${ARGN} OUTPUT_FILE \"${texts}/\${file}\"
            COMMAND_ERROR_IS_FATAL ANY)
    endfunction()
    file(MAKE_DIRECTORY \"${texts}\")
    headcount_writes(headcount completion bash)
    headcount_writes(_headcount completion zsh)
    headcount_writes(headcount.fish completion fish)
    headcount_writes(headcount.1 manual)
    execute_process(COMMAND gzip -9nf \"${texts}/headcount.1\" COMMAND_ERROR_IS_FATAL ANY)")
set(zsh_folder site-functions)
if(EXISTS /etc/debian_version)
    set(zsh_folder vendor-completions)
endif()
install(FILES ${texts}/headcount.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${texts}/headcount DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${texts}/_headcount DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh_folder})
install(FILES ${texts}/headcount.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(CPACK_GENERATOR TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_VENDOR Headcount)
if(EXISTS /etc/debian_version)
    set(CPACK_GENERATOR DEB)
    set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
    set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
        OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
    set(CPACK_DEBIAN_PACKAGE_MAINTAINER "Headcount <headcount@packages.invalid>")
    set(CPACK_DEBIAN_PACKAGE_SECTION education)
    # What is linked is found in the program; OpenGL it opens once it runs.
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_PACKAGE_DEPENDS libgl1)
    set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libgl1-mesa-dri)
    set(CPACK_DEBIAN_PACKAGE_SUGGESTS "weasyprint | chromium")  # who print reports
    file(STRINGS ${PROJECT_SOURCE_DIR}/README.md paragraphs REGEX "^Headcount " LIMIT_COUNT 1)
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo ${paragraphs} COMMAND fold -sw 76
        OUTPUT_VARIABLE description)
    string(REPLACE " \n" "\n" CPACK_DEBIAN_PACKAGE_DESCRIPTION "${description}")
    # What is compiled into the program brings its own notices.
    set(notices "What is compiled into Headcount, with what the Debian package that it comes from says of it:\n")
    foreach(package libimgui-dev python3-glad libglm-dev nlohmann-json3-dev libcli11-dev libhwy-dev
                    fonts-inter fonts-jetbrains-mono)
        if(EXISTS /usr/share/doc/${package}/copyright)
            file(READ /usr/share/doc/${package}/copyright notice)
            string(APPEND notices "\n\n${package}\n\n${notice}")
        endif()
    endforeach()
    file(WRITE ${texts}/copyright "${notices}")
    string(TIMESTAMP made "%a, %d %b %Y %H:%M:%S +0000" UTC)
    file(WRITE ${texts}/changelog "headcount (${PROJECT_VERSION}) unstable; urgency=medium\n\n"
        "  * Made of the sources as they are.\n\n -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${made}\n")
    execute_process(COMMAND gzip -9nf ${texts}/changelog COMMAND_ERROR_IS_FATAL ANY)
    install(FILES ${texts}/copyright ${texts}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
include(CPack)
