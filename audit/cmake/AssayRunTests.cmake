# The steps of assay_add_tests, at build time and at test time.
#
#   cmake -D SUITE=FILE -D STEP=list -P AssayRunTests.cmake     writes the tests' declarations
#   cmake -D SUITE=FILE -D STEP=audit -P AssayRunTests.cmake    the setup of their fixture
#
# SUITE is written by assay_add_tests.
include(${SUITE})

set(selection)
foreach(library IN LISTS kernels)
  list(APPEND selection "--kernels=${library}")
endforeach()
foreach(glob IN LISTS only)
  list(APPEND selection "--only=${glob}")
endforeach()
foreach(glob IN LISTS variant)
  list(APPEND selection "--variant=${glob}")
endforeach()

# list_tests(FILE): declares the tests there.
function(list_tests file)
  set(options)
  foreach(label IN LISTS labels)
    list(APPEND options "--label=${label}")
  endforeach()
  if(NOT "${prefix}" STREQUAL "")
    list(APPEND options "--prefix=${prefix}")
  endif()
  execute_process(COMMAND ${assay} ctest list ${contracts} ${selection} ${options}
                          --program ${assay} --report ${out}/report.json
                          --fixture assay-${name} --output ${file}
                  RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "the tests of ${name} could not be listed (status ${status})")
  endif()
endfunction()

if(STEP STREQUAL list)
  list_tests(${tests})
  return()
endif()

# Kernels, claims and variants have to be those that ctest was told of, or one would go untested.
list_tests(${tests}.now)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${tests} ${tests}.now
                RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
file(REMOVE ${tests}.now)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the contract, the kernels or the machine's variants are not those that the \
tests of ${name} were listed for; build the target ${name} again")
endif()

set(options)
foreach(option effort seed threads)
  if(NOT "${${option}}" STREQUAL "")
    list(APPEND options --${option} ${${option}})
  endif()
endforeach()
if(NOT "${time_budget}" STREQUAL "")
  list(APPEND options --time-budget ${time_budget})
endif()
# An unfinished audit of another state of the kernels is no use.
file(REMOVE ${out}/report.json ${out}/report.json.standings ${out}/audit.checkpoint)
execute_process(COMMAND ${assay} audit ${contracts} ${selection} ${options} --out ${out}
                RESULT_VARIABLE status)
# A claim that is refuted (status 1), undecided or in error (3) is its test's to show. Without a
# report there is nothing to show.
if(NOT status MATCHES "^[013]$" OR NOT EXISTS ${out}/report.json)
  message(FATAL_ERROR "the audit ended with status ${status}, without a report")
endif()
execute_process(COMMAND ${assay} ctest prepare ${out}/report.json RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the report of ${name} could not be read (status ${status})")
endif()
