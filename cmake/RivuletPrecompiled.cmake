# One precompiled header for the rooms and one, with GoogleTest, for the tests. ccache keeps nothing that was compiled
# with one, and is worth more: with it there are none.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  # NOTE: g++ 12 no longer knows that precompiled headers of the system are the system's, and reports this inside
  # std::string code it has inlined wrongly.
  target_compile_options(rivulet_warnings INTERFACE -Wno-stringop-overread)
endif()

# rivulet_precompiled(NAME HEADERS ... LINKS ...): a target whose precompiled header others take over (REUSE_FROM NAME).
function(rivulet_precompiled name)
  cmake_parse_arguments(PRECOMPILED "" "" "HEADERS;LINKS" ${ARGN})
  set(source ${CMAKE_BINARY_DIR}/generated/${name}.cpp)
  file(GENERATE OUTPUT ${source} CONTENT "")
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE rivulet_options rivulet_warnings ${PRECOMPILED_LINKS})
  target_precompile_headers(${name} PRIVATE ${PRECOMPILED_HEADERS})
endfunction()
