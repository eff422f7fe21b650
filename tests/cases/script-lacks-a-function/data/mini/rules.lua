function setup(deal)
  return { left = 3 }
end
