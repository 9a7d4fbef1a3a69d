# assay_add_tests(NAME ...): a contract and its kernels as tests of ctest, one for each claim of
# each variant.
#
#   assay_add_tests(NAME
#     CONTRACT FILE...               contract documents, or folders of them
#     KERNELS TARGET|FILE... | BUILT_IN
#                                    shared libraries of kernels: targets of add_library(... SHARED
#                                    or MODULE), or files; or assay's own kernels
#     [ONLY GLOB...]                 only kernels whose name matches one of these
#     [VARIANT GLOB...]              only variants whose name matches one of these
#     [EFFORT quick|standard|exhaustive]   how much is probed (standard)
#     [SEED N]                       of the samples (1)
#     [THREADS N]                    worker processes. All processors if not given; then no other
#                                    test runs beside the audit
#     [TIMEOUT SECONDS]              after which ctest ends the audit
#     [TIME_BUDGET TIME]             as 90s or 5min: after which the audit starts nothing more;
#                                    what was left out has no verdict, and its tests fail
#     [OUT FOLDER]                   for the reports (NAME-audit in the binary folder)
#     [LABELS LABEL...]              of all the tests (assay)
#     [PREFIX TEXT]                  of the tests' names ("NAME: "); PREFIX "" for none
#   )
#
# NAME becomes a target, which lists the tests once the libraries are built; it is part of `all`. A
# faulty contract, or a library that cannot be loaded, fails the build. The test "NAME: audit" runs
# the audit, once; it is the setup of a fixture that the others require, so that ctest runs it first
# whichever of them is asked for. Each of the others, "NAME: KERNEL / CLAIM / VARIANT", looks its
# verdict up in the report:
#
#   upheld      passes, if all the evidence that was planned is there
#   unclaimed   is skipped: measured, and not judged; `bitwise` is, too, where a kernel has one variant
#   refuted, undecided, error, or not in the report: fails
#
# The reports, with what is behind each verdict, are in the OUT folder.
#
# Needs the target assay::assay, which find_package(assay) defines, and enable_testing().

# All errors of assay_add_tests.
function(_assay_fail name text)
  message(FATAL_ERROR "assay_add_tests(${name}): ${text}")
endfunction()

# Absolute paths of documents and folders, and the documents themselves.
function(_assay_contracts name paths_variable documents_variable)
  set(paths)
  set(documents)
  foreach(contract IN LISTS ARGN)
    cmake_path(IS_ABSOLUTE contract absolute)
    cmake_path(ABSOLUTE_PATH contract BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    # What an absolute path names may be written by the build.
    if(NOT absolute AND NOT EXISTS "${contract}")
      _assay_fail(${name} "CONTRACT: there is no ${contract}")
    endif()
    list(APPEND paths "${contract}")
    if(IS_DIRECTORY "${contract}")
      file(GLOB_RECURSE found CONFIGURE_DEPENDS "${contract}/*.fkc.md")
      if(NOT found)
        _assay_fail(${name} "CONTRACT: no .fkc.md file is in ${contract}")
      endif()
      list(APPEND documents ${found})
    else()
      list(APPEND documents "${contract}")
    endif()
  endforeach()
  set(${paths_variable} ${paths} PARENT_SCOPE)
  set(${documents_variable} ${documents} PARENT_SCOPE)
endfunction()

# Paths of libraries, as generator expressions where they are targets, and what to depend on.
function(_assay_libraries name paths_variable depends_variable)
  set(paths)
  set(depends)
  foreach(library IN LISTS ARGN)
    if(TARGET ${library})
      get_target_property(type ${library} TYPE)
      if(NOT type MATCHES "^(SHARED|MODULE|UNKNOWN)_LIBRARY$")
        _assay_fail(${name} "KERNELS: the target ${library} is no shared library, but: ${type}. \
Kernels are loaded while the audit runs; say add_library(${library} MODULE ...)")
      endif()
      list(APPEND paths "$<TARGET_FILE:${library}>")
      list(APPEND depends ${library} "$<TARGET_FILE:${library}>")
      continue()
    endif()
    cmake_path(IS_ABSOLUTE library absolute)
    set(given "${library}")
    cmake_path(ABSOLUTE_PATH library BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    if(NOT absolute AND NOT EXISTS "${library}")
      _assay_fail(${name} "KERNELS: ${given} is neither a target (it has to be defined before) nor \
a file (${library})")
    endif()
    list(APPEND paths "${library}")
    list(APPEND depends "${library}")
  endforeach()
  set(${paths_variable} ${paths} PARENT_SCOPE)
  set(${depends_variable} ${depends} PARENT_SCOPE)
endfunction()

# A line of the suite's file that sets a variable, quoted so that nothing in the text is looked at.
function(_assay_setting variable)
  set(level "=")
  while("${ARGN}" MATCHES "\\]${level}")
    string(APPEND level "=")
  endwhile()
  set(text "${suite}set(${variable} [${level}[${ARGN}]${level}])\n")
  set(suite "${text}" PARENT_SCOPE)
endfunction()

function(assay_add_tests name)
  set(single EFFORT SEED THREADS TIMEOUT TIME_BUDGET OUT PREFIX)
  set(several CONTRACT KERNELS ONLY VARIANT LABELS)
  cmake_parse_arguments(PARSE_ARGV 1 arg "BUILT_IN" "${single}" "${several}")

  # An empty prefix is one that is given. Versions of CMake before 3.31 forget it.
  if(NOT DEFINED arg_PREFIX)
    set(arg_PREFIX "${name}: ")
    math(EXPR last "${ARGC} - 1")
    foreach(i RANGE ${last})
      if("${ARGV${i}}" STREQUAL "PREFIX")
        set(arg_PREFIX "")
      endif()
    endforeach()
  endif()

  if(NOT name MATCHES "^[A-Za-z0-9_.+-]+$")
    _assay_fail("${name}" "the name becomes a target's: letters, digits and _ . + - only")
  endif()
  if(TARGET ${name})
    _assay_fail(${name} "there is a target of this name already; choose another name")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    _assay_fail(${name} "unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    _assay_fail(${name} "no value after: ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT arg_CONTRACT)
    _assay_fail(${name} "CONTRACT is missing: the documents that the kernels are held to")
  endif()
  if(arg_KERNELS AND arg_BUILT_IN)
    _assay_fail(${name} "KERNELS and BUILT_IN exclude each other")
  elseif(NOT arg_KERNELS AND NOT arg_BUILT_IN)
    _assay_fail(${name} "KERNELS is missing: the libraries to audit (or BUILT_IN, for assay's own)")
  endif()
  if(DEFINED arg_EFFORT AND NOT arg_EFFORT MATCHES "^(quick|standard|exhaustive)$")
    _assay_fail(${name} "EFFORT is quick, standard or exhaustive, not ${arg_EFFORT}")
  endif()
  foreach(number SEED THREADS TIMEOUT)
    if(DEFINED arg_${number} AND NOT arg_${number} MATCHES "^[0-9]+$")
      _assay_fail(${name} "${number} is a whole number, not ${arg_${number}}")
    endif()
  endforeach()
  foreach(number THREADS TIMEOUT)
    if(DEFINED arg_${number} AND arg_${number} EQUAL 0)
      _assay_fail(${name} "${number} is at least 1")
    endif()
  endforeach()
  if(NOT TARGET assay::assay)
    _assay_fail(${name} "there is no target assay::assay; find_package(assay REQUIRED) defines it")
  endif()
  if(NOT DEFINED arg_LABELS)
    set(arg_LABELS assay)
  endif()
  if(NOT DEFINED arg_OUT)
    set(arg_OUT ${CMAKE_CURRENT_BINARY_DIR}/${name}-audit)
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUT BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE)

  _assay_contracts(${name} contracts documents ${arg_CONTRACT})
  _assay_libraries(${name} libraries depends ${arg_KERNELS})

  # What both the listing of the tests and the audit need to know, for each configuration.
  set(base ${CMAKE_CURRENT_BINARY_DIR}/${name}-assay)
  get_property(several_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several_configurations)
    set(tests "${base}-$<CONFIG>-tests.cmake")
    set(suite_file "${base}-$<CONFIG>-suite.cmake")
    set(out "${arg_OUT}/$<CONFIG>")
  else()
    set(tests "${base}-tests.cmake")
    set(suite_file "${base}-suite.cmake")
    set(out "${arg_OUT}")
  endif()
  set(suite)
  _assay_setting(name ${name})
  _assay_setting(assay $<TARGET_FILE:assay::assay>)
  _assay_setting(contracts ${contracts})
  _assay_setting(kernels ${libraries})
  _assay_setting(only ${arg_ONLY})
  _assay_setting(variant ${arg_VARIANT})
  _assay_setting(effort ${arg_EFFORT})
  _assay_setting(seed ${arg_SEED})
  _assay_setting(threads ${arg_THREADS})
  _assay_setting(time_budget ${arg_TIME_BUDGET})
  _assay_setting(labels ${arg_LABELS})
  _assay_setting(prefix "${arg_PREFIX}")
  _assay_setting(out ${out})
  _assay_setting(tests ${tests})
  file(GENERATE OUTPUT ${suite_file} CONTENT "${suite}")

  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/AssayRunTests.cmake)
  add_custom_command(
    OUTPUT ${tests}
    COMMAND ${CMAKE_COMMAND} -D SUITE=${suite_file} -D STEP=list -P ${script}
    DEPENDS ${documents} ${depends} ${suite_file} ${script} "$<TARGET_FILE:assay::assay>"
    COMMENT "Listing the tests of ${name}"
    VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${tests})
  get_target_property(imported assay::assay IMPORTED)
  if(NOT imported)
    add_dependencies(${name} assay::assay)
  endif()

  add_test(NAME "${name}: audit"
           COMMAND ${CMAKE_COMMAND} -D SUITE=${suite_file} -D STEP=audit -P ${script})
  set_tests_properties("${name}: audit" PROPERTIES LABELS "${arg_LABELS}"
                       FIXTURES_SETUP assay-${name})
  if(DEFINED arg_TIMEOUT)
    set_tests_properties("${name}: audit" PROPERTIES TIMEOUT ${arg_TIMEOUT})
  endif()
  if(DEFINED arg_THREADS)
    set_tests_properties("${name}: audit" PROPERTIES PROCESSORS ${arg_THREADS})
  else()
    set_tests_properties("${name}: audit" PROPERTIES RUN_SERIAL TRUE)
  endif()

  # Read by ctest itself. Tests that were never listed must be missed.
  if(several_configurations)
    set(listed "${base}-\${CTEST_CONFIGURATION_TYPE}-tests.cmake")
  else()
    set(listed "${tests}")
  endif()
  file(WRITE ${base}-ctest.cmake "if(EXISTS \"${listed}\")
  include(\"${listed}\")
else()
  add_test([==[${name}: claims (not built)]==] \"${CMAKE_COMMAND}\" -E false)
  set_tests_properties([==[${name}: claims (not built)]==] PROPERTIES
                       LABELS [==[${arg_LABELS}]==])
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${base}-ctest.cmake)
endfunction()
