# The two programs. hazumi-cli links no widgets: it proves that core and render stand alone.
find_package(CLI11 REQUIRED)
file(GLOB cli_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/app/cli/*.cpp)
add_executable(hazumi-cli app/cli.cpp ${cli_sources})
target_link_libraries(hazumi-cli PRIVATE hazumi_core hazumi_render CLI11::CLI11 nlohmann_json::nlohmann_json)
add_dependencies(hazumi-cli hazumi-mesh-reader)
target_compile_options(hazumi-cli PRIVATE $<$<CONFIG:Release>:-O1>)  # parsing of words
target_compile_definitions(hazumi-cli PRIVATE HAZUMI_VERSION="${PROJECT_VERSION}")
set_source_files_properties(app/cli/parser.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # CLI11 beside the other files

add_executable(hazumi app/main.cpp)
target_link_libraries(hazumi PRIVATE hazumi_ui)
target_compile_options(hazumi PRIVATE ${slight})
if(HAZUMI_PCH)
  target_precompile_headers(hazumi REUSE_FROM hazumi_ui_headers)
endif()
add_dependencies(hazumi hazumi-mesh-reader)

# `cmake --install build/release --prefix DIR`: DIR may be moved afterwards, the programs find what they need beside themselves.
include(GNUInstallDirs)
install(TARGETS hazumi hazumi-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS hazumi-mesh-reader RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/hazumi)
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/hazumi/scenes
        FILES_MATCHING PATTERN "*.json" PATTERN "*.obj" PATTERN "*.mtl" PATTERN "*.png" PATTERN "*.jpg")
install(DIRECTORY assets/motions/ DESTINATION ${CMAKE_INSTALL_DATADIR}/hazumi/motions FILES_MATCHING PATTERN "*.json")
install(FILES app/hazumi.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES assets/icons/hazumi.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "*.sh" EXCLUDE)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
