# cmake … -P: builds the shared libraries and the program, installs them, and moves the installed tree. CMAKE is the oldest version that works.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(installed ${WORK}/installed)
run(${CMAKE} -S ${SOURCE} -B ${WORK} -G ${GENERATOR} -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DCMAKE_CXX_COMPILER=${CXX} -DBUILD_SHARED_LIBS=ON
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DTIDEPOOL_BUILD_TESTS=OFF -DTIDEPOOL_BUILD_EXAMPLES=OFF -DTIDEPOOL_BUILD_BENCH=OFF
    -DTIDEPOOL_BUILD_NN=${NN})
run(${CMAKE} --build ${WORK} --parallel 2)
file(REMOVE_RECURSE ${installed}/prefix ${installed}/moved)
run(${CMAKE} --install ${WORK} --prefix ${installed}/prefix)
file(RENAME ${installed}/prefix ${installed}/moved)
