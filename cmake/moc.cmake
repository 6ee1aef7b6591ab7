# What moc writes of many headers, as one file:
#   cmake -DMOC=moc -DOUT=file -DFROM=root -DHEADERS="ui/a.h;ui/b.h" -P moc.cmake
# It reads no header that these include, which would take it twenty times as long: Q_OBJECT and its like it knows by itself.
set(all "")
foreach(header ${HEADERS})
  file(STRINGS ${FROM}/${header} marked REGEX "Q_OBJECT|Q_GADGET|Q_NAMESPACE" LIMIT_COUNT 1)
  if(marked)
    execute_process(COMMAND ${MOC} -f ${header} ${FROM}/${header} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(APPEND all "${text}")
  endif()
endforeach()
file(WRITE ${OUT} "${all}")
