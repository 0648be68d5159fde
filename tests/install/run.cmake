# run(COMMAND…): runs a command, fails with its output if it fails, and sets run_output.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 0)
    string(REPLACE ";" " " line "${ARGV}")
    message(FATAL_ERROR "${line}\nended with ${status}\n${out}${err}")
  endif()
  string(STRIP "${out}" out)
  set(run_output "${out}" PARENT_SCOPE)
endfunction()

# run_prints(EXPECTED COMMAND…): the same, and fails if the command prints something else.
function(run_prints expected)
  run(${ARGN})
  if(NOT run_output STREQUAL expected)
    message(FATAL_ERROR "${ARGN} printed:\n${run_output}\nexpected:\n${expected}")
  endif()
endfunction()
