# cmake -DPROGRAM=… -DEXPECTED=… -P RunExample.cmake: runs PROGRAM. Fails if PROGRAM fails, or if its output differs from the file EXPECTED,
# in case that file exists.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE got RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${status}; it printed:\n${got}")
endif()
if(EXISTS ${EXPECTED})
  file(READ ${EXPECTED} expected)
  if(NOT got STREQUAL expected)
    message(FATAL_ERROR "the output differs from ${EXPECTED}; expected:\n${expected}\ngot:\n${got}")
  endif()
endif()
