/**
 * The Lua scripts of the counters. Each takes one JSON document, `asked`, which refers to keys by their index in KEYS.
 * Without a time in the document, the Redis clock is used: replica clocks differ.
 */
const common = `
local asked = cjson.decode(ARGV[1])
local now = asked.now
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
 * For each of asked.takes, { lease, counts, slots }, takes from all counters and of all slots, or from none. A count is
 * { key, field, window length, limit, amount }, kept in a hash. A slot is { key, limit }, kept in a sorted set of leases.
 * Returns for each take: 1 or 0; then used amount, start and remaining time of each window, all 0 if the window has not
 * begun; then how many slots of each set are taken.
 */
export const takeLua = `${common}
local replies = {}
for nth, take in ipairs(asked.takes) do
  local lease, counts, slots = unpack(take)
  local fits, reply, windows, taken = 1, {}, {}, {}
  for i, count in ipairs(counts) do
    local key, field, length, limit, amount = unpack(count)
    local kept = redis.call('HMGET', KEYS[key], field, field .. '@')
    local used, start = tonumber(kept[1]), tonumber(kept[2])
    local isBegun = start and now < start + length
    if not isBegun then used, start = 0, begin(length) end
    if amount > 0 and used + amount > limit then fits = 0 end
    windows[i] = { used, start, isBegun }
  end
  for i, slot in ipairs(slots) do
    local key, limit = unpack(slot)
    redis.call('ZREMRANGEBYSCORE', KEYS[key], '-inf', now)
    taken[i] = redis.call('ZCARD', KEYS[key])
    if taken[i] >= limit then fits = 0 end
  end
  reply[1] = fits
  for i, count in ipairs(counts) do
    local key, field, length, _, amount = unpack(count)
    local used, start, isBegun = unpack(windows[i], 1, 3)
    if fits == 1 then
      used, isBegun = used + amount, true
      keep(KEYS[key], field, used, start, length)
    end
    reply[#reply + 1] = used
    reply[#reply + 1] = isBegun and start or 0
    reply[#reply + 1] = isBegun and start + length - now or 0
  end
  for i, slot in ipairs(slots) do
    if fits == 1 then
      redis.call('ZADD', KEYS[slot[1]], now + asked.leaseMs, lease)
      redis.call('PEXPIRE', KEYS[slot[1]], asked.leaseMs)
    end
    reply[#reply + 1] = taken[i] + fits
  end
  replies[nth] = reply
end
return replies
`;

/**
 * Applies asked.corrections, { key, field, window length, window start, difference }. A refund to a window that is over
 * is dropped; a debt is carried into the current window. Then releases asked.slots, { key, lease }.
 */
export const settleLua = `${common}
for _, correction in ipairs(asked.corrections) do
  local key, field, length, start, difference = unpack(correction)
  local kept = tonumber(redis.call('HGET', KEYS[key], field .. '@'))
  local isCurrent = kept and now < kept + length
  if isCurrent and (kept == start or difference > 0) then
    redis.call('HINCRBY', KEYS[key], field, string.format('%.0f', difference))
  elseif difference > 0 then
    keep(KEYS[key], field, difference, begin(length), length)
  end
end
for _, slot in ipairs(asked.slots) do redis.call('ZREM', KEYS[slot[1]], slot[2]) end
`;

/** Extends the leases of asked.slots, { key, lease }. */
export const renewLua = `${common}
for _, slot in ipairs(asked.slots) do
  redis.call('ZADD', KEYS[slot[1]], now + asked.leaseMs, slot[2])
  redis.call('PEXPIRE', KEYS[slot[1]], asked.leaseMs)
end
`;
