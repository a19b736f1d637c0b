-- Acquires permits under every limit, or changes nothing and says how long to wait.
--
-- KEYS[1]  the log of grants, one string
-- ARGV     permits, time, and for each limit: permits, or calls with a minus sign, and interval
-- Returns  0 if acquired; otherwise the time to wait; -1 if a limit never allows as many
--
-- Times are whole microseconds since 1970, below 2^53, up to which Lua's numbers are exact. A time of '' is the server's.
--
-- The string: a header, a ring with the time of each grant, and, once a grant has had more than one permit, a ring with
-- the permits granted before each; and one byte more, so that a value that is too short is never made whole by a write to
-- its last place. A grant is addressed by how many grants back it is, the latest being 1 back. No sum
-- and nothing of the limits is stored: permit number `back` from the end has to have expired, and that is a lookup.
--
--   count  grants in the ring, at most capacity; the next one goes to place `head`
--   latest the time of the latest grant
--   offset what is added to the server's clock, so that its steps back do not show
--   ends   the time until which the key is certain to live
-- and with two rings:
--   known  the latest grants whose sums are stored: older ones had one permit each. 0: all had one
--   plain  how many of the latest grants had one permit, if known > 0
--   sum    permits granted since there are two rings, modulo WRAP, and so are the stored ones: a difference is right up
--          to WRAP
--
-- What a call spends is commands and what Lua allocates: functions are made where they are needed, and numbers are
-- formatted with %d, which takes a third of the time of Redis's own %.17g.
local HEADER, ALLOCATED = 56, 67 -- ALLOCATED: the header, that of the string, and the last byte
local ONE_RING, SUMS, TWO_RINGS = '<c4I4I4I4ddd', '<I4I4d', '<c4I4I4I4dddI4I4d'
local AT_OFFSET, AT_SUMS = '24', 41
local NEVER, DAMAGED = -2 ^ 53, 'DAMAGED the log of grants is too short'
local WRAP, STEP = 2 ^ 52, 2 ^ 18
local LEAST_LIFE, SECOND, MINUTE = 5000000, 1000, 60000

local key, arguments, call, format = KEYS[1], ARGV, redis.call, string.format
local permits = arguments[1] + 0 -- a number

local magic, capacity, head, count, latest, offset, ends = 'HPR1', 0, 0, 0, NEVER, 0, NEVER
local known, plain, sum = 0, 0, 0
local header = call('GETRANGE', key, '0', '55')
if #header == HEADER then
  magic, capacity, head, count, latest, offset, ends = struct.unpack(ONE_RING, header)
  if magic == 'HPR2' then
    known, plain, sum = struct.unpack(SUMS, header, AT_SUMS)
  end
end
if (magic ~= 'HPR1' and magic ~= 'HPR2') or (header ~= '' and #header < HEADER) then
  return redis.error_reply('FOREIGN the value is no log of grants')
end
local rings = magic == 'HPR1' and 1 or 2

-- The number in a place of the first ring, or of the second one, which begins with place `capacity`. It uses no local
-- variable of the script, which would take longer to create.
local function read(key, place)
  local at = 56 + 8 * place
  local bytes = redis.call('GETRANGE', key, string.format('%d', at), string.format('%d', at + 7))
  if #bytes < 8 then
    error('DAMAGED the log of grants is too short')
  end
  return (struct.unpack('<d', bytes))
end

local since, grantOf
if known > 0 or permits > 1 then
  -- How many permits have been granted since the grant that is so many back, which has a sum.
  since = function(back)
    return (sum - read(key, capacity + (head - back) % capacity)) % WRAP
  end

  -- How many grants back the permit is that is `d` permits back.
  grantOf = function(d)
    local all = since(known)
    if d > all then
      return known + d - all
    end
    local low, high, below, above, halve = 0, known, 0, all, false
    while high - low > 1 do -- by interpolation and by halves in turn
      local middle = math.floor(halve and (low + high) / 2 or low + (d - below) / (above - below) * (high - low))
      middle = math.min(math.max(middle, low + 1), high - 1)
      local sinceMiddle = since(middle)
      if sinceMiddle < d then
        low, below = middle, sinceMiddle
      else
        high, above = middle, sinceMiddle
      end
      halve = not halve
    end
    return high
  end
end

local now, spare, stepped = arguments[2], SECOND, false
if now == '' then
  local time = call('TIME')
  now = time[1] * 1000000 + time[2] + offset
  if now < latest then -- as if the clock had stood still
    offset = offset + latest - now
    now, stepped = latest, true
  end
else
  now, spare = now + 0, MINUTE -- milliseconds: the clocks of callers differ
end
local x = now > latest and now or latest

local ready, longest, enough, most = x, -1, 0, 0
for i = 3, #arguments, 2 do
  local limit, interval = arguments[i] + 0, arguments[i + 1] + 0
  local d = -limit -- calls
  local back = d
  if limit > 0 then
    d = limit + 1 - permits
    if d < 1 then
      return -1
    end
    back = known == 0 and d or grantOf(d)
  else
    limit = d
  end
  if back <= count then
    local free = read(key, (head - back) % capacity) + interval + 1
    if free > ready then
      ready = free
    end
  end
  if interval > longest then
    longest, enough, most = interval, d, limit
  elseif interval == longest then
    enough, most = math.min(enough, d), math.min(most, limit)
  end
end

if ready > x then
  if stepped then
    call('SETRANGE', key, AT_OFFSET, struct.pack('<d', offset))
  end
  return ready - now
end

local newRings, bytes, kept = permits > 1 and 2 or rings, nil, nil
local grows = count == capacity and capacity < enough and (capacity == 0 or x - read(key, head) <= longest)
if grows then
  bytes = ALLOCATED + 8 * newRings * capacity
elseif newRings == rings and x + longest > ends then -- about once an interval: is the value too large?
  local quarter = math.floor(capacity / 4)
  if quarter > 4 and x - read(key, (head - quarter) % capacity) > longest then
    newRings = (known > 0 or permits > 1) and 2 or 1
    kept = math.min(count, quarter - 1)
    bytes = ALLOCATED + 8 * newRings * kept
  elseif rings == 2 and known == 0 and permits == 1 then
    newRings = 1
  end
end

-- A value that fills what Redis's allocator reserves for it: of each power of two, it has 1.25, 1.5, 1.75 and 2.
local room = capacity
if bytes then
  local step = 16
  bytes = math.max(128, 1.33 * bytes)
  while 8 * step < bytes do
    step = 2 * step
  end
  room = math.floor((math.ceil(bytes / step) * step - ALLOCATED) / (8 * newRings))
end

if grows or newRings > rings then
  -- In place, since what a script reads and writes is copied several times. SETRANGE reserves twice the size, so BITOP
  -- makes a copy that is not larger than it has to be. The older grants, from place `cut` on, move to the end.
  local length = call('STRLEN', key)
  if length ~= (capacity == 0 and 0 or HEADER + 8 * rings * capacity + 1) then
    error(DAMAGED)
  end
  local function copy(from, to)
    return from == to and '' or call('GETRANGE', key, HEADER + 8 * from, HEADER + 8 * to - 1)
  end
  local cut, times, front, back = head, '', '', ''
  if grows then
    room = math.min(room, most) -- more than capacity, since that is less than most
    cut = head == 0 and capacity or head
    times = copy(cut, capacity)
    if known > 0 then
      front, back = copy(capacity, capacity + cut), copy(capacity + cut, 2 * capacity)
    end
  end
  call('SETRANGE', key, HEADER + 8 * newRings * room, '\0')
  if capacity > 0 then
    call('BITOP', 'OR', key, key)
  end
  call('SETRANGE', key, HEADER + 8 * (room - capacity + cut), times)
  call('SETRANGE', key, HEADER + 8 * room, front)
  call('SETRANGE', key, HEADER + 8 * (2 * room - capacity + cut), back)
  rings, capacity, head, ends = newRings, room, cut, NEVER
elseif kept then
  local function copy(ring, n) -- the latest n
    local start, first = HEADER + 8 * ring * capacity, (head - n) % capacity
    local copied = call('GETRANGE', key, start + 8 * first, start + 8 * math.min(first + n, capacity) - 1)
    if first + n > capacity then
      copied = copied .. call('GETRANGE', key, start, start + 8 * (first + n - capacity) - 1)
    end
    if #copied < 8 * n then
      error(DAMAGED)
    end
    return copied .. string.rep('\0', 8 * (room - n))
  end
  known = math.min(known, kept)
  call('SET', key, string.rep('\0', HEADER) .. copy(0, kept) .. (newRings == 2 and copy(1, kept) or '') .. '\0')
  rings, capacity, count, head, ends = newRings, room, kept, kept % room, NEVER
elseif newRings < rings then
  call('SET', key, call('GETRANGE', key, 0, HEADER + 8 * capacity)) -- with a last byte
  rings, ends = 1, NEVER
end

-- The first write is refused if there is no memory, and then nothing is changed. The grant is written before the header:
-- without the header it does not count.
local place = HEADER + 8 * head
local length = call('SETRANGE', key, format('%d', place), struct.pack('<d', x))
if length ~= HEADER + 8 * rings * capacity + 1 then
  call('SETRANGE', key, '0', 'bad!')
  error(DAMAGED)
end
head = (head + 1) % capacity
if count < capacity then
  count = count + 1
end
if known > 0 or permits > 1 then
  call('SETRANGE', key, place + 8 * capacity, struct.pack('<d', sum))
  sum = (sum + permits) % WRAP
  known = math.min(known + 1, count)
  plain = permits > 1 and 0 or plain + 1
  if plain >= count then
    known = 0
  elseif head % STEP == 0 and since(known) > WRAP / 2 then
    known = grantOf(WRAP / 2) -- no limit looks further back
  end
end
local life
if x + longest > ends then
  life = math.max(2 * longest, longest + LEAST_LIFE)
  ends = x + life
end
if rings == 1 then
  call('SETRANGE', key, '0', struct.pack(ONE_RING, 'HPR1', capacity, head, count, x, offset, ends))
else
  call('SETRANGE', key, '0',
    struct.pack(TWO_RINGS, 'HPR2', capacity, head, count, x, offset, ends, known, plain, sum))
end
if life then -- last, since a short one could delete the key
  call('PEXPIRE', key, format('%.0f', math.ceil(life / 1000) + spare))
end
return 0
