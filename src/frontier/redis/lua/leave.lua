-- leave: the session ends and gives back what it holds, as if never leased. Answers { outlook }.
freeSession(session, false)
if call('ZCARD', P .. 'sessions') == 0 then setMeta('clean', 1) end
session = ''
saveAll()
return cjson.encode({ outlook(false) })
