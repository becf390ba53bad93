-- Removes keys whose values are not of our kind. KEYS: the two sets, of versions that play
-- and of machines that are blocked, then the streams.
for number, key in ipairs(KEYS) do
  local is_ours
  if number <= 2 then is_ours = redis.pcall('SMISMEMBER', key, '') else is_ours = redis.pcall('XLEN', key) end
  if type(is_ours) == 'table' and is_ours.err then redis.call('DEL', key) end
end
