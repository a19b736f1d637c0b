-- Acquires permits at every key under each of its limits, or changes nothing: as sorted_set.lua, in a list.
-- KEYS: what is limited. ARGV: the permits; then, for each key, the number of its limits; and for each of them its
-- permits, or its calls with a minus sign, and its interval. Returns 0, or how long to wait. Times are microseconds.
--
-- An element is the time of a grant, which Redis stores in 10 bytes. From the first grant of several permits on, it is
-- "time:more", where more is how many permits over one each were granted so far. So the latest n grants have
-- n + (more of the latest) - (more of the one before them) permits.
local function grant(key, index)
  local element = redis.call('LINDEX', key, index)
  if not element then
    return -math.huge, 0
  end
  local time, more = string.match(element, '^(%d+):?(%d*)$')
  return time + 0, tonumber(more) or 0
end

-- Returns how many grants back the permit is that is n permits back.
local function grantsBack(key, n, length, more)
  local low, high = 0, math.min(n, length)
  if high < n and length + more < n then
    return length + 1
  end
  local middle = high - 1 -- right at once if each of the latest grants had one permit
  while high - low > 1 do
    local _, before = grant(key, -middle - 1)
    if middle + more - before < n then
      low = middle
    else
      high = middle
    end
    middle = math.floor((low + high) / 2)
  end
  return high
end

local clock = redis.call('TIME')
local now, permits, wait, grants, a = clock[1] * 1000000 + clock[2], tonumber(ARGV[1]), 0, {}, 2
for i, key in ipairs(KEYS) do
  local length = redis.call('LLEN', key)
  local last, more = grant(key, -1)
  local at, longest = math.max(now, last), 0 -- when the clock was set back, it stands still
  for _ = 1, ARGV[a] do
    local limit, interval = tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2])
    local back = limit < 0 and -limit or grantsBack(key, limit + 1 - permits, length, more)
    local first = grant(key, -back)
    if first + interval >= at then
      wait = math.max(wait, first + interval + 1 - now)
    end
    longest, a = math.max(longest, interval), a + 2
  end
  more = more + (permits - 1)
  if more >= 2 ^ 53 then -- a number is exact up to there: the key starts over when it has expired
    wait = math.max(wait, (redis.call('PTTL', key) + 1) * 1000, 1)
  end
  grants[i], a = {at = at, more = more, length = length, longest = longest}, a + 1
end
if wait > 0 then
  return wait
end

for i, key in ipairs(KEYS) do
  local new = grants[i]
  redis.call('RPUSH', key, string.format(new.more > 0 and '%.0f:%.0f' or '%.0f', new.at, new.more))
  for _ = 1, math.min(2, new.length) do -- The latest expired grant stays, since those before it are recognized by it.
    if grant(key, 1) + new.longest < new.at then
      redis.call('LPOP', key)
    end
  end
  redis.call('PEXPIRE', key, math.ceil((new.at - now + new.longest) / 1000) + 1000)
end
return 0
