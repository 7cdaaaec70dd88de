-- renew: the session lives; what others hold who do not is given back. '' or, of one that has heard of
-- another epoch, the number of tokens that it still holds of those before, and these. Answers { outlook }.
renew()
local held = argNum()
if held then
  local tokens = {}
  for _ = 1, held do tokens[argNum()] = true end
  keepOnly(tokens)
end
reapOthers()
saveAll()
return cjson.encode({ outlook(false) })
