# The audit whose report the claim tests read. A refuted claim (status 1) is theirs to show; anything
# else that is not success means that there is nothing to read.
file(REMOVE ${OUT}/report.json ${OUT}/report.json.upheld)
execute_process(COMMAND ${ASSAY} audit ${CONTRACTS} --out ${OUT} RESULT_VARIABLE status)
if(NOT status MATCHES "^[01]$" OR NOT EXISTS ${OUT}/report.json)
  message(FATAL_ERROR "the audit ended with status ${status}")
endif()
execute_process(COMMAND ${CLAIM_CHECK} digest ${OUT}/report.json RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the list of upheld claims could not be written")
endif()
