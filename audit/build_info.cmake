# Writes build_info.h at each build, not once at configuration: a report must name the revision that
# was built. The file is touched only when its text changes.
# Run as: cmake -D SOURCE= -D TEMPLATE= -D OUTPUT= -D GIT= -D PROJECT_VERSION= ... -P build_info.cmake
set(ASSAY_REVISION "unknown")
if(GIT)
  execute_process(COMMAND ${GIT} describe --always --dirty --abbrev=12
                  WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE revision
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(ASSAY_REVISION ${revision})
  endif()
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
