# Defines the target tidepool_onednn, from oneDNN's header and library. Does not use oneDNN's CMake package, because that requires everything
# oneDNN was built with, for example OpenCL. This file is also installed, because tidepool-config.cmake includes it.
if(NOT TARGET tidepool_onednn)
  find_path(TIDEPOOL_ONEDNN_INCLUDE_DIR dnnl.hpp)
  find_library(TIDEPOOL_ONEDNN_LIBRARY dnnl)
  mark_as_advanced(TIDEPOOL_ONEDNN_INCLUDE_DIR TIDEPOOL_ONEDNN_LIBRARY)
  if(TIDEPOOL_ONEDNN_INCLUDE_DIR AND TIDEPOOL_ONEDNN_LIBRARY)
    add_library(tidepool_onednn INTERFACE IMPORTED GLOBAL)
    target_include_directories(tidepool_onednn INTERFACE ${TIDEPOOL_ONEDNN_INCLUDE_DIR})
    target_link_libraries(tidepool_onednn INTERFACE ${TIDEPOOL_ONEDNN_LIBRARY} ${CMAKE_DL_LIBS})
  endif()
endif()
