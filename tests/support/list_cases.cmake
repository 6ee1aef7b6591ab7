# What catch_discover_tests runs when a test program has been linked: writes CTEST_FILE, one add_test for each case. It stands in
# for Catch2 2.13's own CatchAddTests.cmake, which cuts names at a semicolon, and whose entries pass when no case has their name.
# In properties, %lane% is 1 and 2 in turn.
execute_process(COMMAND "${TEST_EXECUTABLE}" ${TEST_SPEC} --list-test-names-only
                OUTPUT_VARIABLE names RESULT_VARIABLE count WORKING_DIRECTORY "${TEST_WORKING_DIR}")
if(NOT count MATCHES "^[0-9]+$" OR (count GREATER 0 AND names STREQUAL ""))  # Catch2 gives the number of cases back
  message(FATAL_ERROR "${TEST_EXECUTABLE} cannot list its cases: ${count}\n${names}")
endif()

# Lines are taken one by one: a CMake list would break at semicolons and join at brackets.
set(script "")
set(lane 1)
while(names MATCHES "^([^\n]*)\n")
  set(line "${CMAKE_MATCH_1}")
  string(LENGTH "${line}\n" length)
  string(SUBSTRING "${names}" ${length} -1 names)
  string(STRIP "${line}" line)
  if(line STREQUAL "")
    continue()
  endif()
  string(REGEX REPLACE "([][,\\\\])" "\\\\\\1" pattern "${line}")  # as Catch2 reads names
  set(name "${TEST_PREFIX}: ${line}")
  string(APPEND script "add_test([==[${name}]==] [==[${TEST_EXECUTABLE}]==] [==[${pattern}]==] -w NoTests)\n")
  string(APPEND script "set_tests_properties([==[${name}]==] PROPERTIES WORKING_DIRECTORY [==[${TEST_WORKING_DIR}]==]")
  foreach(word ${TEST_PROPERTIES})
    string(REPLACE "%lane%" "${lane}" word "${word}")
    string(APPEND script " [==[${word}]==]")
  endforeach()
  string(APPEND script ")\n")
  math(EXPR lane "3 - ${lane}")
endwhile()
file(WRITE "${CTEST_FILE}" "${script}")
