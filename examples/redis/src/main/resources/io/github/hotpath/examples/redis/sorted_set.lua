-- Acquires permits at every key under each of its limits, or changes nothing.
-- KEYS: what is limited. ARGV: the permits; then, for each key, the number of its limits; and for each of them its
-- permits, or its calls with a minus sign, and its interval. Returns 0, or how long to wait. Times are microseconds.
--
-- The score of a grant is the number of permits granted at the key so far, its own included. So n more permits fit a
-- limit when permit number (so far + n - limit) has expired, and ZRANGEBYSCORE finds the grant to which it belongs.
local function time(grant)
  return tonumber(string.match(grant, '^%d+'))
end

local clock = redis.call('TIME')
local now, permits, wait, grants, a = clock[1] * 1000000 + clock[2], tonumber(ARGV[1]), 0, {}, 2
for i, key in ipairs(KEYS) do
  local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')
  local at = last[1] and math.max(now, time(last[1])) or now -- when the clock was set back, it stands still
  local sum, longest = (last[2] or 0) + permits, 0
  for _ = 1, ARGV[a] do
    local limit, interval = tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2])
    local first = {}
    if limit < 0 then
      first = redis.call('ZRANGE', key, limit, limit)
    elseif sum > limit then
      first = redis.call('ZRANGEBYSCORE', key, sum - limit, '+inf', 'LIMIT', 0, 1)
    end
    if first[1] and time(first[1]) + interval >= at then
      wait = math.max(wait, time(first[1]) + interval + 1 - now)
    end
    longest, a = math.max(longest, interval), a + 2
  end
  if sum >= 2 ^ 53 then -- a score is exact up to there: the key starts over when it has expired
    wait = math.max(wait, (redis.call('PTTL', key) + 1) * 1000, 1)
  end
  grants[i], a = {at = at, sum = sum, longest = longest}, a + 1
end
if wait > 0 then
  return wait
end

for i, key in ipairs(KEYS) do
  local grant = grants[i]
  redis.call('ZADD', key, grant.sum, string.format('%.0f:%.0f', grant.at, grant.sum))
  for _ = 1, 2 do -- The latest expired grant stays, since those before it are recognized by it.
    local second = redis.call('ZRANGE', key, 1, 1)[1]
    if second and time(second) + grant.longest < grant.at then
      redis.call('ZREMRANGEBYRANK', key, 0, 0)
    end
  end
  redis.call('PEXPIRE', key, math.ceil((grant.at - now + grant.longest) / 1000) + 1000)
end
return 0
