# Flags, libraries from folders, and registries generated from files in a folder.

# hazumi_warnings: the language as all of our code is compiled; hazumi_flags: with sanitizers, where there are any.
add_library(hazumi_warnings INTERFACE)
add_library(hazumi_flags INTERFACE)
target_link_libraries(hazumi_flags INTERFACE hazumi_warnings)
if(HAZUMI_UNITY)
  # A type in a file's own namespace within a class of that file is no danger: each file is in one batch only.
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()
target_compile_options(hazumi_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror
                       -ffp-contract=off)
# g++ 12 warns wrongly of overlapping copies in "text" + std::string at -O3 (gcc bug 105651).
target_compile_options(hazumi_warnings INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-array-bounds -Wno-maybe-uninitialized>)
target_include_directories(hazumi_warnings INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})  # the latter: generated/
target_compile_definitions(hazumi_warnings INTERFACE EIGEN_MPL2_ONLY)
if(HAZUMI_SANITIZE)
  string(REPLACE ";" "," _sanitizers "${HAZUMI_SANITIZE}")
  # g++ 12 takes std::regex's own code for uninitialised when it is instrumented.
  target_compile_options(hazumi_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_compile_definitions(hazumi_flags INTERFACE HAZUMI_SANITIZED)
  target_compile_options(hazumi_flags INTERFACE -fsanitize=${_sanitizers} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  # Reading beyond an object whose size is known is what AddressSanitizer sees while running, in all cases; this check of the
  # other's, beside every access, is a quarter of the time that a file takes to compile.
  if("undefined" IN_LIST HAZUMI_SANITIZE AND "address" IN_LIST HAZUMI_SANITIZE)
    target_compile_options(hazumi_flags INTERFACE -fno-sanitize=object-size)
  endif()
  if(HAZUMI_SANITIZE_NOT)
    string(REPLACE ";" "," _left_out "${HAZUMI_SANITIZE_NOT}")
    target_compile_options(hazumi_flags INTERFACE -fno-sanitize=${_left_out})
  endif()
  target_link_options(hazumi_flags INTERFACE -fsanitize=${_sanitizers})
endif()

# The files of a folder (together: of all folders) are compiled together, twenty-four at most and as many in each unit: a file that
# comes or goes moves no other folder's. (Of twelve a sixth more is compiled, since each unit instantiates the same templates.)
function(hazumi_unity target together)
  if(NOT HAZUMI_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  set(names "")
  foreach(source ${ARGN})
    if(source MATCHES "\\.cpp$")
      get_filename_component(folder ${source} DIRECTORY)
      file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${folder})
      string(REPLACE "/" "_" name ${name})
      if(together)
        set(name ${target})
      endif()
      list(APPEND names ${name})
      list(APPEND of_${name} ${source})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  foreach(name ${names})
    list(LENGTH of_${name} count)
    math(EXPR units "(${count} + 23) / 24")
    set(place 0)
    foreach(source ${of_${name}})
      math(EXPR unit "${place} * ${units} / ${count}")
      math(EXPR place "${place} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${unit})
    endforeach()
  endforeach()
endfunction()

# hazumi_library(NAME STATIC|OBJECT FOLDERS … [WITHOUT …] [TOGETHER]): all .cpp and .h below the folders become one library, but for those
# that are named, lie in a folder that is named, or belong to a target that is named.
function(hazumi_library name kind)
  cmake_parse_arguments(L "TOGETHER" "" "FOLDERS;WITHOUT" ${ARGN})
  set(sources "")
  foreach(folder ${L_FOLDERS})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp ${CMAKE_SOURCE_DIR}/${folder}/*.h)
    list(APPEND sources ${found})
  endforeach()
  foreach(other ${L_WITHOUT})
    if(TARGET ${other})
      get_target_property(theirs ${other} SOURCES)
      list(REMOVE_ITEM sources ${theirs})
    else()
      list(FILTER sources EXCLUDE REGEX "^${CMAKE_SOURCE_DIR}/${other}(/|$)")
    endif()
  endforeach()
  list(SORT sources)
  add_library(${name} ${kind} ${sources})
  target_link_libraries(${name} PUBLIC hazumi_flags)
  hazumi_unity(${name} ${L_TOGETHER} ${sources})
endfunction()

# What moc makes of the target's headers, in one file. (CMake's own AUTOMOC has moc read all that they include, 25 s of a processor
# for what is done in one.)
function(hazumi_moc target)
  get_target_property(headers ${target} SOURCES)
  list(FILTER headers INCLUDE REGEX "\\.h$")
  set(names ${headers})
  list(TRANSFORM names REPLACE "^${CMAKE_SOURCE_DIR}/" "")
  set(output ${CMAKE_BINARY_DIR}/generated/${target}_moc.cpp)
  set(script ${CMAKE_SOURCE_DIR}/cmake/moc.cmake)
  add_custom_command(OUTPUT ${output} VERBATIM DEPENDS ${headers} ${script} COMMENT "Meta-objects of ${target}"
                     COMMAND ${CMAKE_COMMAND} -DMOC=$<TARGET_FILE:Qt6::moc> -DOUT=${output} -DFROM=${CMAKE_SOURCE_DIR}
                             "-DHEADERS=${names}" -P ${script})
  target_sources(${target} PRIVATE ${output})
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  add_custom_target(${target}_moc DEPENDS ${output})  # which waits for none of the libraries that the target needs
  add_dependencies(${target} ${target}_moc)
endfunction()

# Words of the scene for what files of another room define: each file has a line `MACRO(order, word, …)` at its left margin, and
# these lines, by order and as HAZUMI_ROW(…), become generated/MACRO.inc, which a header of the scene includes. The file's own line
# then checks that.
function(hazumi_kinds macro folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp)
  set(rows "")
  foreach(source ${sources})
    file(STRINGS ${source} hits REGEX "^${macro}\\(")
    list(TRANSFORM hits REPLACE "^${macro}" "HAZUMI_ROW")
    list(APPEND rows ${hits})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  endforeach()
  list(SORT rows COMPARE NATURAL)
  list(JOIN rows "\n" text)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/${macro}.inc CONTENT
       "// Generated by cmake/HazumiTargets.cmake from the files in ${folder}.\n${text}\n" @ONLY)
endfunction()

# What there can be many of is one file in a folder: DIR/NAME.cpp defines `const TYPE& PREFIX_NAME();` and this writes the
# table `std::span<const TYPE* const> LIST()`, sorted by file name. (Static self-registration does not survive a static
# library: the linker drops it.) A file takes part when it contains that definition; others in the folder are helpers.
function(hazumi_registry target)
  cmake_parse_arguments(R "" "DIR;HEADER;TYPE;PREFIX;LIST" "" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${R_DIR}/*.cpp)
  list(SORT sources)
  set(declarations "")
  set(entries "")
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    file(STRINGS ${source} hit REGEX "const ${R_TYPE}& ${R_PREFIX}_${name}\\(\\)")
    if(hit)
      string(APPEND declarations "const ${R_TYPE}& ${R_PREFIX}_${name}();\n")
      string(APPEND entries "      &${R_PREFIX}_${name}(),\n")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  endforeach()
  set(output ${CMAKE_BINARY_DIR}/generated/${R_PREFIX}_registry.cpp)
  if(entries)
    set(body "  static const ${R_TYPE}* const kTable[] = {\n${entries}  };\n  return kTable;\n")
  else()
    set(body "  return {};\n")
  endif()
  file(CONFIGURE OUTPUT ${output} CONTENT
"// Generated by cmake/HazumiTargets.cmake from the files in ${R_DIR}.
#include \"${R_HEADER}\"

namespace hazumi {

${declarations}
std::span<const ${R_TYPE}* const> ${R_LIST}() {
${body}}

}  // namespace hazumi
" @ONLY)
  target_sources(${target} PRIVATE ${output})
  set_source_files_properties(${output} PROPERTIES UNITY_GROUP ${target}_registries)
endfunction()
