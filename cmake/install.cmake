# Where `cmake --install` puts the program, its assets, its desktop entry and its icon.
include(GNUInstallDirs)
install(TARGETS headcount RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/ DESTINATION ${CMAKE_INSTALL_DATADIR}/headcount
    PATTERN desktop EXCLUDE PATTERN pictures EXCLUDE PATTERN "*.py" EXCLUDE PATTERN __pycache__ EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/assets/desktop/headcount.desktop
    DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${PROJECT_SOURCE_DIR}/assets/desktop/headcount.svg
    DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
