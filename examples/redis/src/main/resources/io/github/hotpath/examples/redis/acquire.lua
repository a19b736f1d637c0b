-- Acquires permits under every limit, or changes nothing and says how long to wait.
--
-- KEYS[1]  the log of grants, one string
-- ARGV     permits, time, and for each limit: permits, interval, '1' if it limits calls or '0'
-- Returns  0 if acquired; otherwise the time to wait; -1 if a limit never allows as many
--
-- Times are whole microseconds since 1970, below 2^53, up to which Lua's numbers are exact. A time of '' is the server's.
--
-- The string: a header, a ring with the time of each grant, and, once a grant has had more than one permit, a ring with
-- the permits granted before each. A grant is addressed by how many grants back it is, the latest being 1 back. No sum
-- and nothing of the limits is stored: permit number `back` from the end has to have expired, and that is a lookup.
--
--   count  grants in the ring, at most capacity; the next one goes to place `head`
--   known  the latest grants whose sums are stored: older ones had one permit each. 0: all had one
--   plain  how many of the latest grants had one permit, if known > 0
--   sum    permits ever granted, modulo WRAP, and so are the stored ones: a difference is right up to WRAP
--   latest the time of the latest grant
--   offset what is added to the server's clock, so that its steps back do not show
--   ends   the time until which the key is certain to live
local FORMAT, HEADER, ALLOCATED = '<c4I4I4I4I4I4dddd', 56, 66 -- ALLOCATED: the header, with that of the string
local WRAP, STEP = 2 ^ 52, 2 ^ 18
local LEAST_LIFE, SECOND, MINUTE = 5000000, 1000, 60000

local key, permits, floor, max, min = KEYS[1], tonumber(ARGV[1]), math.floor, math.max, math.min
local rings, capacity, head, count, known, plain = 1, 0, 0, 0, 0, 0
local sum, latest, offset, ends = 0, -math.huge, 0, -math.huge

local header = redis.call('GETRANGE', key, '0', '55')
if header ~= '' then
  local magic = string.sub(header, 1, 4)
  if #header < HEADER or (magic ~= 'HPR1' and magic ~= 'HPR2') then
    return redis.error_reply('FOREIGN the value is no log of grants')
  end
  rings = magic == 'HPR1' and 1 or 2
  magic, capacity, head, count, known, plain, sum, latest, offset, ends = struct.unpack(FORMAT, header)
end

local DAMAGED = 'DAMAGED the log of grants is too short'

-- The time (ring 0) or the sum (ring 1) of the grant that is so many back.
local function read(ring, back)
  local at = HEADER + 8 * (ring * capacity + (head - back) % capacity)
  local bytes = redis.call('GETRANGE', key, at, at + 7)
  if #bytes < 8 then
    error(DAMAGED)
  end
  return (struct.unpack('<d', bytes))
end

-- How many grants back the permit is that is `d` permits back.
local function grantOf(d)
  if known == 0 then
    return d
  end
  local all = (sum - read(1, known)) % WRAP
  if d > all then
    return known + d - all
  end
  local low, high, below, above, halve = 0, known, 0, all, false
  while high - low > 1 do -- by interpolation and by halves in turn
    local middle = halve and floor((low + high) / 2) or low + floor((d - below) / (above - below) * (high - low))
    middle = min(max(middle, low + 1), high - 1)
    local since = (sum - read(1, middle)) % WRAP
    if since < d then
      low, below = middle, since
    else
      high, above = middle, since
    end
    halve = not halve
  end
  return high
end

local now = tonumber(ARGV[2])
local stepped = false
local spare = now and MINUTE or SECOND -- milliseconds: the clocks of callers differ
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2] + offset
  if now < latest then -- as if the clock had stood still
    offset = offset + latest - now
    now, stepped = latest, true
  end
end
local x = max(now, latest)

local ready, longest, enough, most = x, -1, 0, 0
for i = 3, #ARGV, 3 do
  local limit, interval, ofCalls = tonumber(ARGV[i]), tonumber(ARGV[i + 1]), ARGV[i + 2] == '1'
  local d = limit + 1 - (ofCalls and 1 or permits)
  if d < 1 then
    return -1
  end
  local back = ofCalls and d or grantOf(d)
  if back <= count then
    ready = max(ready, read(0, back) + interval + 1)
  end
  if interval > longest then
    longest, enough, most = interval, d, limit
  elseif interval == longest then
    enough, most = min(enough, d), min(most, limit)
  end
end

if ready > x and not stepped then
  return ready - now
end

local function packedHeader()
  return struct.pack(
    FORMAT, 'HPR' .. rings, capacity, head, count, known, plain, sum, latest, offset, ends)
end

if ready > x then
  redis.call('SETRANGE', key, '0', packedHeader())
  return ready - now
end

-- Copies the latest n grants, in order, into a value with `room` places in each of so many rings.
local function rebuild(n, room, newRings)
  local function copy(ring, n)
    if n == 0 then
      return ''
    end
    local start, first = HEADER + 8 * ring * capacity, (head - n) % capacity
    local bytes = redis.call('GETRANGE', key, start + 8 * first, start + 8 * min(first + n, capacity) - 1)
    if first + n > capacity then
      bytes = bytes .. redis.call('GETRANGE', key, start, start + 8 * (first + n - capacity) - 1)
    end
    if #bytes < 8 * n then
      error(DAMAGED)
    end
    return bytes
  end
  local times = copy(0, n)
  local function unused(n) -- whatever is at hand: nobody reads it
    return #times < 8 * n and string.rep('\0', 8 * n) or string.sub(times, 1, 8 * n)
  end
  known = min(known, n)
  local start, rest = string.rep('\0', HEADER), unused(room - n)
  if newRings == 1 then
    redis.call('SET', key, start .. times .. rest)
  else
    redis.call('SET', key, start .. times .. rest .. unused(n - known) .. copy(1, known) .. rest)
  end
  rings, capacity, count, head, ends = newRings, room, n, n % room, -math.huge
end

-- The places of a value of at least so many bytes that fills what Redis's allocator reserves for it: of each power of
-- two, it has 1.25, 1.5, 1.75 and 2.
local function places(bytes, rings)
  local step = 16
  while 8 * step < bytes do
    step = 2 * step
  end
  return floor((math.ceil(bytes / step) * step - ALLOCATED) / (8 * rings))
end

local newRings = permits > 1 and 2 or rings
if count == capacity and capacity < enough and (capacity == 0 or x - read(0, capacity) <= longest) then
  local room = places(max(128, 1.33 * (ALLOCATED + 8 * newRings * capacity)), newRings)
  rebuild(count, min(room, most), newRings) -- more than capacity, since that is less than most
elseif newRings > rings then
  rebuild(count, capacity, newRings)
elseif x + longest > ends then -- about once an interval: is the value too large?
  local quarter = floor(capacity / 4)
  if quarter > 4 and x - read(0, quarter) > longest then
    newRings = (known > 0 or permits > 1) and 2 or 1
    local n = min(count, quarter - 1)
    rebuild(n, places(max(128, 1.33 * (ALLOCATED + 8 * newRings * n)), newRings), newRings)
  elseif rings == 2 and known == 0 and permits == 1 then
    rebuild(count, capacity, 1)
  end
end

-- The first write is refused if there is no memory, and then nothing is changed. The grant is written before the header:
-- without the header it does not count.
local place = HEADER + 8 * head
local length = redis.call('SETRANGE', key, place, struct.pack('<d', x))
if length ~= HEADER + 8 * rings * capacity then
  redis.call('SETRANGE', key, '0', 'bad!')
  error(DAMAGED)
end
if known > 0 or permits > 1 then
  redis.call('SETRANGE', key, place + 8 * capacity, struct.pack('<d', sum))
end
sum = (sum + permits) % WRAP
latest = x
head = (head + 1) % capacity
count = min(count + 1, capacity)
if known > 0 or permits > 1 then
  known = min(known + 1, count)
  plain = permits > 1 and 0 or plain + 1
  if plain >= count then
    known = 0
  elseif head % STEP == 0 and (sum - read(1, known)) % WRAP > WRAP / 2 then
    known = grantOf(WRAP / 2) -- no limit looks further back
  end
end
local renewed = x + longest > ends
local life = max(2 * longest, longest + LEAST_LIFE)
if renewed then
  ends = x + life
end
redis.call('SETRANGE', key, '0', packedHeader())
if renewed then -- last, since a short one could delete the key
  redis.call('PEXPIRE', key, string.format('%.0f', math.ceil(life / 1000) + spare))
end
return 0
