/** Without a time of the caller's, that of Redis holds: the clocks of replicas differ. */
const readTime = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local dayMs = 86400000
local function begin(length)
  if length == dayMs then return now - now % dayMs end
  return now
end
local function keep(key, field, used, start, length)
  redis.call('HSET', key, field, string.format('%.0f', used), field .. '@', string.format('%.0f', start))
  redis.call('PEXPIRE', key, length)
end
`;

/**
 * Takes from all counters and of all places, or from none.
 * ARGV: time, number of counters, lease, its length; then field, length, limit and amount of each counter; then the
 * limit of each set of places. KEYS: a hash for each counter, a sorted set for each set of places.
 * Answers: 1 or 0; then used, beginning and rest of each counter; then how many of each set of places are taken.
 */
export const takeLua = `${readTime}
local counts, lease, leaseMs = tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local fits, reply, state = 1, {}, {}
for i = 1, counts do
  local at = 1 + i * 4
  local field, length, max, amount = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local kept = redis.call('HMGET', KEYS[i], field, field .. '@')
  local used, start = tonumber(kept[1]), tonumber(kept[2])
  if not start or now >= start + length then used, start = 0, begin(length) end
  if amount > 0 and used + amount > max then fits = 0 end
  state[i] = { field, used, start, length, amount }
end
for i = counts + 1, #KEYS do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now)
  local taken = redis.call('ZCARD', KEYS[i])
  if taken >= tonumber(ARGV[4 + counts * 3 + i]) then fits = 0 end
  state[i] = taken
end
reply[1] = fits
for i = 1, counts do
  local field, used, start, length, amount = unpack(state[i])
  if fits == 1 then
    used = used + amount
    keep(KEYS[i], field, used, start, length)
  end
  reply[#reply + 1] = used
  reply[#reply + 1] = start
  reply[#reply + 1] = start + length - now
end
for i = counts + 1, #KEYS do
  if fits == 1 then
    redis.call('ZADD', KEYS[i], now + leaseMs, lease)
    redis.call('PEXPIRE', KEYS[i], leaseMs)
  end
  reply[#reply + 1] = state[i] + fits
end
return reply
`;

/**
 * Mends counters. What is given back to a window that is over is lost; what is owed is not.
 * ARGV: time; then field, length, beginning of the window and difference of each. KEYS: a hash for each.
 */
export const settleLua = `${readTime}
for i = 1, #KEYS do
  local at = i * 4 - 2
  local field, length, start, difference = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local kept = tonumber(redis.call('HGET', KEYS[i], field .. '@'))
  local isCurrent = kept and now < kept + length
  if isCurrent and (kept == start or difference > 0) then
    redis.call('HINCRBY', KEYS[i], field, ARGV[at + 3])
  elseif difference > 0 then
    keep(KEYS[i], field, difference, begin(length), length)
  end
end
`;

/** Holds places for longer. ARGV: time, length of a lease; then the lease of each. KEYS: a sorted set for each. */
export const renewLua = `${readTime}
local leaseMs = tonumber(ARGV[2])
for i = 1, #KEYS do
  redis.call('ZADD', KEYS[i], now + leaseMs, ARGV[2 + i])
  redis.call('PEXPIRE', KEYS[i], leaseMs)
end
`;
