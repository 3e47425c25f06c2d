function for_add(n)
  local sum = 0
  for i = 0, n - 1 do
    sum = sum + i
  end
  return sum
end

function while_less(n)
  local sum, i = 0, 0
  while i < n do
    sum = sum + i
    i = i + 1
  end
  return sum
end

function if_even(n)
  local sum = 0
  for i = 0, n - 1 do
    if i % 2 == 0 then
      sum = sum + i
    else
      sum = sum - 1
    end
  end
  return sum
end

function list_append(n)
  local items, sum = {}, 0
  for i = 0, n - 1 do
    items[#items + 1] = i
    sum = sum + items[i + 1]
  end
  return sum
end

function polynomial(n)
  local x, sum = 0.0, 0.0
  for i = 0, n - 1 do
    sum = sum + (((2.0 * x - 3.0) * x + 4.0) * x - 5.0)
    x = x + 0.125
  end
  return sum
end

local function plus(x, y)
  return x + y
end

function call(n)
  local sum = 0
  for i = 0, n - 1 do
    sum = plus(sum, i)
  end
  return sum
end
