/**
 * The scripts of the counters. Each takes one JSON document, `asked`, which names keys by their place in KEYS. Without a
 * time of the caller's, that of Redis holds: the clocks of replicas differ.
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
 * For each of asked.takes, { lease, counts, places }, takes from all counters and of all places, or from none. A count is
 * { key, field, length, limit, amount }, places are { key, limit }; counters are hashes, places are sorted sets of leases.
 * Answers for each: 1 or 0; then used, beginning and rest of each counter, all 0 where no window is under way; then how
 * many places of each are taken.
 */
export const takeLua = `${common}
local replies = {}
for nth, take in ipairs(asked.takes) do
  local lease, counts, places = unpack(take)
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
  for i, place in ipairs(places) do
    local key, limit = unpack(place)
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
  for i, place in ipairs(places) do
    if fits == 1 then
      redis.call('ZADD', KEYS[place[1]], now + asked.leaseMs, lease)
      redis.call('PEXPIRE', KEYS[place[1]], asked.leaseMs)
    end
    reply[#reply + 1] = taken[i] + fits
  end
  replies[nth] = reply
end
return replies
`;

/**
 * Mends counters by asked.corrections, { key, field, length, beginning of the window, difference }: what is given back to
 * a window that is over is lost, what is owed is not. Then gives back asked.places, { key, lease }.
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
for _, place in ipairs(asked.places) do redis.call('ZREM', KEYS[place[1]], place[2]) end
`;

/** Holds asked.places, { key, lease }, for longer. */
export const renewLua = `${common}
for _, place in ipairs(asked.places) do
  redis.call('ZADD', KEYS[place[1]], now + asked.leaseMs, place[2])
  redis.call('PEXPIRE', KEYS[place[1]], asked.leaseMs)
end
`;
