-- Ends the lease of a job if the worker still holds it: adds the result to one stream and removes
-- the job from its own. The receipt answers a worker that asks again because the answer was lost.
-- KEYS: jobs, the stream to add to, receipt. ARGV: group, worker, entry, delivery, seconds for
-- which the receipt is kept, fields to add. Returns 1, or 0 if the lease is lost: then nothing has
-- changed.
local held = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1, ARGV[2])[1]
if not held or held[4] ~= tonumber(ARGV[4]) then return redis.call('EXISTS', KEYS[3]) end
redis.call('XADD', KEYS[2], '*', unpack(ARGV, 6))
redis.call('XACK', KEYS[1], ARGV[1], ARGV[3])
redis.call('XDEL', KEYS[1], ARGV[3])
redis.call('SET', KEYS[3], '', 'EX', ARGV[5])
return 1
