-- Leases the oldest job whose lease has lapsed to this worker. (XAUTOCLAIM will not do: it inspects
-- only ten times COUNT leases from its start, even if all of them are alive.) KEYS: jobs. ARGV:
-- group, worker, length of a lease in milliseconds. Returns the entry, its fields (none if it has
-- been deleted), its delivery, and the worker that had it; or nil.
local lost = redis.call('XPENDING', KEYS[1], ARGV[1], 'IDLE', ARGV[3], '-', '+', 1)[1]
if not lost then return false end
local claimed = redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], ARGV[3], lost[1])[1]
return {lost[1], claimed and claimed[2] or {}, lost[4] + 1, lost[2]}
