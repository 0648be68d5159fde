# cmake … -P: builds the shared libraries and the program, installs them, and moves the installed tree. CMAKE is the oldest version that works.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(installed ${WORK}/installed)
# An unset build type must be Release.
set(build_type -UCMAKE_BUILD_TYPE)
if(NOT BUILD_TYPE STREQUAL "Release")
  set(build_type -DCMAKE_BUILD_TYPE=${BUILD_TYPE})
endif()
run(${CMAKE} -S ${SOURCE} -B ${WORK} -G ${GENERATOR} ${build_type} -DCMAKE_CXX_COMPILER=${CXX} -DBUILD_SHARED_LIBS=ON
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DTIDEPOOL_BUILD_TESTS=OFF -DTIDEPOOL_BUILD_EXAMPLES=OFF -DTIDEPOOL_BUILD_BENCH=OFF
    -DTIDEPOOL_BUILD_NN=${NN})
file(STRINGS ${WORK}/CMakeCache.txt cached REGEX "^CMAKE_BUILD_TYPE:")
if(NOT cached MATCHES "=${BUILD_TYPE}$")
  message(FATAL_ERROR "the build type is ${cached}, not ${BUILD_TYPE}")
endif()
run(${CMAKE} --build ${WORK} --parallel 2)
file(REMOVE_RECURSE ${installed}/prefix ${installed}/moved)
run(${CMAKE} --install ${WORK} --prefix ${installed}/prefix)
file(RENAME ${installed}/prefix ${installed}/moved)
