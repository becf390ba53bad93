-- Forgets workers that hold no job and have been silent for long. KEYS: jobs. ARGV: group,
-- milliseconds without a word.
for _, worker in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local name, jobs, idle = worker[2], worker[4], worker[6]
  if jobs == 0 and idle > tonumber(ARGV[2]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], name)
  end
end
