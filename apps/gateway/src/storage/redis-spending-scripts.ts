/** Without a time of the caller's, that of Redis holds: the clocks of replicas differ. Whole numbers stay whole. */
const common = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function whole(number) return string.format('%.0f', number) end
`;

/**
 * Holds an amount for an account, where it fits.
 * ARGV: time, what the account may spend, amount, what is owed, seed or nothing, hold, its length, when to forget it all.
 * KEYS: a hash of what is spent and held; a sorted set of holds by the time at which they are let go by themselves.
 * Answers: -1 where the account is not known and there is no seed, 0 where the amount does not fit, 1 where it is held;
 * then what is spent and what is held, as text.
 */
export const reserveLua = `${common}
local limit, amount, owed = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local kept = redis.call('HMGET', KEYS[1], 'spent', 'held')
local spent, held = tonumber(kept[1] or ARGV[5]), tonumber(kept[2] or 0)
if not spent then return { -1, '0', '0' } end
spent = spent + owed
local lost = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)
for _, hold in ipairs(lost) do
  held = held - tonumber(string.match(hold, '^(%d+):'))
  redis.call('ZREM', KEYS[2], hold)
end
local fits = 0
if spent < limit and spent + held + amount <= limit then
  fits = 1
  held = held + amount
  redis.call('ZADD', KEYS[2], now + tonumber(ARGV[7]), ARGV[6])
end
redis.call('HSET', KEYS[1], 'spent', whole(spent), 'held', whole(held))
redis.call('PEXPIREAT', KEYS[1], ARGV[8])
redis.call('PEXPIREAT', KEYS[2], ARGV[8])
return { fits, whole(spent), whole(held) }
`;

/**
 * Counts what was spent, and lets go of what was held for it. An account that is not known stays so: the ledger will
 * tell of this too. ARGV: hold, what it changes, amount spent. KEYS: as above.
 */
export const settleSpendingLua = `
if redis.call('HEXISTS', KEYS[1], 'spent') == 0 then return 0 end
if redis.call('ZREM', KEYS[2], ARGV[1]) == 1 then redis.call('HINCRBY', KEYS[1], 'held', ARGV[2]) end
redis.call('HINCRBY', KEYS[1], 'spent', ARGV[3])
return 1
`;
