-- renew: the session lives; what others hold who do not is given back. Answers { outlook }.
renew()
reapOthers()
saveAll()
return cjson.encode({ outlook(false) })
