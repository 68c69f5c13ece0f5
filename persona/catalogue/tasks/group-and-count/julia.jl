# snippet:doc https://docs.julialang.org/en/v1/base/collections/#Base.get! get!
# snippet:prints South  orders: 1, sum: 40.0
# snippet:prints North  orders: 2, sum: 30.5
orders = [("North", 10.5), ("South", 40.0), ("North", 20.0)]

"Collects the values of each group, from whatever yields pairs of a text and a number."
function group(pairs)
    groups = Dict{String,Vector{Float64}}()
    for (key, value) in pairs
        push!(get!(Vector{Float64}, groups, key), value)
    end
    return groups
end

for (region, amounts) in sort!(collect(group(orders)); by = sum ∘ last, rev = true)
    println(rpad(region, 7), "orders: ", length(amounts), ", sum: ", sum(amounts))
end
