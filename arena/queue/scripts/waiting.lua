-- Collects the ids of all jobs on the streams, without sending the outcomes, which may be long.
-- KEYS: the streams. Returns the ids.
local ids = {}
for _, stream in ipairs(KEYS) do
  local from = '-'
  repeat
    local entries = redis.call('XRANGE', stream, from, '+', 'COUNT', 100)
    for _, entry in ipairs(entries) do
      local fields = entry[2]
      if fields[1] == 'job_id' then ids[#ids + 1] = fields[2] end
      from = '(' .. entry[1]
    end
  until #entries < 100
end
return ids
