# Tests mirror the tree: tests/<folder>/*_test.cpp. Catch2; one program per layer so that core tests need no Qt. Every case is an
# entry of ctest: `ctest -j2` shares them out, `ctest -R words` picks some. Cases run beside others, the window's one at a time,
# and what holds time (tag [time]) alone. Those that simulate for long (tag [slow]) are left out under the sanitizers, where they
# would take minutes each (tests/run.sh long has them). Hidden cases ([.long]) are run by tests/run.sh long, or by name.
find_package(Catch2 2.13 REQUIRED)
include(Catch)
set(_CATCH_DISCOVER_TESTS_SCRIPT ${CMAKE_SOURCE_DIR}/tests/support/list_cases.cmake CACHE INTERNAL "" FORCE)

# The runner itself is nobody's concern: no optimisation, no sanitizers. With it what Eigen makes of dense systems, compiled once.
add_library(hazumi_catch_main STATIC tests/support/catch_main.cpp tests/support/dense.cpp)
target_link_libraries(hazumi_catch_main PUBLIC Catch2::Catch2 PRIVATE Eigen3::Eigen)
target_include_directories(hazumi_catch_main PRIVATE ${CMAKE_SOURCE_DIR})
target_compile_options(hazumi_catch_main PRIVATE -O0)
set_source_files_properties(tests/support/dense.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS -O2)

# The files that make a runner of their own see catch.hpp with their own definitions.
set_source_files_properties(${CMAKE_SOURCE_DIR}/tests/ui/main_test.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
                            COMPILE_OPTIONS -O0)

# HAZUMI_TEST_OBJECTS: tests are not compiled, but linked from the objects of another build, that folder.
# Test code is not optimised, which is half of its time to compile; COMPUTES: cases compute much by themselves (references).
# PCH_OF: a program that is compiled with the same options. FILES: more of them; WITHOUT: what is another program's.
function(hazumi_tests name)
  cmake_parse_arguments(T "OWN_MAIN;DISPLAY;COMPUTES" "PCH_OF" "FOLDERS;FILES;WITHOUT;LIBRARIES" ${ARGN})
  set(sources "")
  foreach(folder ${T_FOLDERS})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${folder}/*_test.cpp)
    list(APPEND sources ${found})
  endforeach()
  list(TRANSFORM T_FILES PREPEND ${CMAKE_SOURCE_DIR}/tests/)
  list(APPEND sources ${T_FILES})
  foreach(other ${T_WITHOUT})
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_SOURCE_DIR}/tests/${other}(/|$)")
  endforeach()
  if(HAZUMI_TEST_OBJECTS)
    file(GLOB_RECURSE objects ${HAZUMI_TEST_OBJECTS}/CMakeFiles/${name}.dir/*.o)
    if(NOT objects)
      message(FATAL_ERROR "HAZUMI_TEST_OBJECTS: nothing of ${name} is compiled in ${HAZUMI_TEST_OBJECTS}")
    endif()
    set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON)
    add_executable(${name} ${objects})
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  else()
    add_executable(${name} ${sources})
    hazumi_unity(${name} FALSE ${sources})
  endif()
  # Our libraries come first: of what both have, inline code of headers, theirs is taken, optimised and with the sanitizer's checks.
  set(ours hazumi_core ${T_LIBRARIES})
  list(FILTER ours INCLUDE REGEX "^hazumi_")
  list(REMOVE_DUPLICATES ours)
  list(TRANSFORM ours REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  list(JOIN ours " " ours)
  target_link_options(${name} PRIVATE "SHELL:-Wl,--whole-archive ${ours} -Wl,--no-whole-archive")
  if(NOT T_OWN_MAIN)
    target_link_libraries(${name} PRIVATE hazumi_catch_main)
  endif()
  target_link_libraries(${name} PRIVATE Catch2::Catch2 ${T_LIBRARIES})
  target_compile_definitions(${name} PRIVATE HAZUMI_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                             HAZUMI_BINARY_DIR="${CMAKE_BINARY_DIR}")
  if(T_COMPUTES)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  else()
    target_compile_options(${name} PRIVATE -O0)
  endif()
  if(HAZUMI_PCH AND NOT HAZUMI_TEST_OBJECTS)
    if(T_PCH_OF)
      target_precompile_headers(${name} REUSE_FROM ${T_PCH_OF})
    else()
      target_precompile_headers(${name} PRIVATE <catch2/catch.hpp> <Eigen/Core> <Eigen/Geometry>)
    endif()
    # The file that makes the runner must see catch.hpp with its own definitions.
    set_source_files_properties(tests/ui/main_test.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
  add_dependencies(${name} hazumi-mesh-reader)
  # A window's case wants a display for itself: one at a time on each of two (tests/ui/main_test.cpp), begun first, with other
  # programs' cases beside them.
  set(display "")
  if(T_DISPLAY)
    set(display COST 1000 RESOURCE_LOCK display_%lane% ENVIRONMENT HAZUMI_TEST_LANE=%lane%)
  endif()
  catch_discover_tests(${name} TEST_PREFIX ${name} TEST_SPEC "~[time]~[slow]~[.]" PROPERTIES TIMEOUT 900 ${display})
  catch_discover_tests(${name} TEST_PREFIX ${name} TEST_SPEC "[slow]~[time]~[.]" PROPERTIES TIMEOUT 900 LABELS slow)
  catch_discover_tests(${name} TEST_PREFIX ${name} TEST_SPEC "[time]~[.]" PROPERTIES TIMEOUT 900 RUN_SERIAL ON)
endfunction()

find_package(nlohmann_json REQUIRED)
# Those that compute much by themselves: dense references, every pair of faces, every place of a body, flights against many times.
set(computing sim/constraint/against_reference_test.cpp sim/constraint/cone_lanes_test.cpp sim/constraint/cone_test.cpp
    sim/constraint/mobility_test.cpp sim/contact/pops_test.cpp sim/contact/rod_test.cpp sim/contact/surface_random_test.cpp
    sim/contact/self_test.cpp sim/contact/surface_tree_test.cpp sim/elastic/brittle_test.cpp sim/elastic/cloth_examples_test.cpp
    sim/elastic/dropped_lattices_test.cpp
    sim/elastic/elastic_bars_test.cpp sim/elastic/fronts_test.cpp sim/elastic/kept_volume_test.cpp
    sim/elastic/polyhedral_test.cpp sim/elastic/same_look_test.cpp sim/joint/joint_bars_test.cpp sim/particles/copy_place_test.cpp
    sim/particles/ways_test.cpp import/clip_skin_test.cpp motion/ride_on_test.cpp playback/drop_test.cpp)
hazumi_tests(core_base_tests COMPUTES FOLDERS base math geometry sound rules LIBRARIES hazumi_core PkgConfig::SNDFILE)
hazumi_tests(core_scene_tests FOLDERS scene LIBRARIES hazumi_core nlohmann_json::nlohmann_json)
hazumi_tests(core_import_tests PCH_OF core_scene_tests FOLDERS import WITHOUT ${computing} LIBRARIES hazumi_core nlohmann_json::nlohmann_json)
# Does on purpose what a reader of damaged files may do (tests/import/damage_test.cpp).
add_executable(hazumi-bad-reader tests/import/reader/bad_reader.cpp)
target_link_libraries(hazumi-bad-reader PRIVATE hazumi_core)
add_dependencies(core_import_tests hazumi-bad-reader)
hazumi_tests(core_reference_tests COMPUTES PCH_OF core_base_tests FOLDERS sim/reference FILES ${computing} LIBRARIES hazumi_core)
hazumi_tests(core_sim_tests PCH_OF core_scene_tests FOLDERS sim motion WITHOUT sim/reference ${computing} LIBRARIES hazumi_core)
hazumi_tests(core_playback_tests PCH_OF core_scene_tests FOLDERS playback export WITHOUT ${computing} LIBRARIES hazumi_core)
if(HAZUMI_GUI)
  hazumi_tests(render_tests FOLDERS render LIBRARIES hazumi_render)
  hazumi_tests(cli_tests PCH_OF render_tests FOLDERS cli LIBRARIES hazumi_render nlohmann_json::nlohmann_json)
  if(TARGET cli_tests AND TARGET hazumi-cli)
    add_dependencies(cli_tests hazumi-cli)
  endif()
  # The real main window, driven by QTest under Xvfb (tests/run.sh starts it).
  # Its QApplication is made in tests/ui/main_test.cpp.
  hazumi_tests(ui_tests OWN_MAIN DISPLAY FOLDERS ui LIBRARIES hazumi_ui hazumi_render Qt6::Test)
  if(TARGET ui_tests)
    add_dependencies(ui_tests hazumi hazumi-cli)  # the flows start both
  endif()
endif()

# The tree is formatted as .clang-format says, by the version that Debian 12 has (others differ in small things).
find_program(HAZUMI_CLANG_FORMAT NAMES clang-format-14 clang-format)
if(HAZUMI_CLANG_FORMAT)
  add_test(NAME "The whole tree is formatted" COMMAND ${CMAKE_SOURCE_DIR}/tests/rules/format_check.sh ${HAZUMI_CLANG_FORMAT})
endif()

if(TARGET hazumi)
  add_test(NAME "What is installed runs from another folder"
           COMMAND ${CMAKE_SOURCE_DIR}/tests/install/install_test.sh ${CMAKE_BINARY_DIR} ${PROJECT_VERSION})
endif()

# Frames and observables of the shipped scenes are, bit for bit, those recorded in tests/golden/runs. A build without the programs
# compares them on one thread, by a small one of its own. The last of the runs goes on to the end of the scene, the other one, on one
# thread, for half of what is recorded.
if(TARGET hazumi-cli)
  set(runner hazumi-cli)
  set(threads "1 2")
else()
  set(runner hazumi-digests)
  set(threads 1)
  add_executable(hazumi-digests tests/golden/digests.cpp)
  target_link_libraries(hazumi-digests PRIVATE hazumi_core)
  add_dependencies(hazumi-digests hazumi-mesh-reader)
endif()
file(GLOB shipped CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/scenes/*.json)
foreach(file ${shipped})
  get_filename_component(scene ${file} NAME_WE)
  add_test(NAME "Golden run: ${scene}"
           COMMAND ${CMAKE_SOURCE_DIR}/tests/golden/compare_runs.sh $<TARGET_FILE:${runner}> "${threads}" ${scene})
  set_tests_properties("Golden run: ${scene}" PROPERTIES TIMEOUT 900 LABELS golden)
  if(HAZUMI_SANITIZE)
    set_tests_properties("Golden run: ${scene}" PROPERTIES ENVIRONMENT HAZUMI_LAST=${HAZUMI_RECORDS_TO})
  else()
    set_tests_properties("Golden run: ${scene}" PROPERTIES ENVIRONMENT "HAZUMI_TO_END=1;HAZUMI_OTHERS=45")
  endif()
endforeach()

# Writes scenes/*.json; run by hand when a scene is changed in its source. They must not differ. Where the tests' objects are another
# build's, that one has looked.
if(HAZUMI_TEST_OBJECTS)
  return()
endif()
file(GLOB scene_makers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/scenes/*.cpp)
add_executable(make_scenes ${scene_makers})
target_link_libraries(make_scenes PRIVATE hazumi_core)
target_compile_options(make_scenes PRIVATE -O0)
add_dependencies(make_scenes hazumi-mesh-reader)
add_test(NAME "Shipped scenes are what make_scenes writes"
         COMMAND make_scenes --check ${CMAKE_SOURCE_DIR}/scenes)
