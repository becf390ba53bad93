-- Renews the lease of a job if the worker still holds it. KEYS: jobs. ARGV: group, worker, entry,
-- delivery. Returns 1, or 0 if the lease is lost.
local held = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1, ARGV[2])[1]
if not held or held[4] ~= tonumber(ARGV[4]) then return 0 end
redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'JUSTID')
return 1
