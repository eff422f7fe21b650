-- A loop whose end never comes.
local n = 1
while n > 0 do
  n = n % 7 + 1
end
