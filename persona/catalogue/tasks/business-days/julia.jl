# snippet:doc https://docs.julialang.org/en/v1/stdlib/Dates/ Dates
# snippet:prints 8 2025-04-25
# snippet:prints 2025-04-18 0 2025-04-12
using Dates

isworkday(day::Date, holidays) = dayofweek(day) <= Friday && day ∉ holidays

"The working days in a range of dates, both ends included."
workdays(from::Date, until::Date, holidays = Set{Date}()) =
    count(day -> isworkday(day, holidays), from:Day(1):until)

"The date that lies so many working days after `day`; `days` is 0 or more."
function add_workdays(day::Date, days::Integer, holidays = Set{Date}())
    for _ in 1:days
        day = tonext(d -> isworkday(d, holidays), day)
    end
    return day
end

easter = Set([Date(2025, 4, 18), Date(2025, 4, 21)])
workdays(Date(2025, 4, 14), Date(2025, 4, 25), easter) # 8
add_workdays(Date(2025, 4, 16), 5, easter)             # 2025-04-25

# snippet:check
println(workdays(Date(2025, 4, 14), Date(2025, 4, 25), easter), ' ', add_workdays(Date(2025, 4, 16), 5, easter))
println(add_workdays(Date(2025, 4, 17), 1), ' ', workdays(Date(2025, 4, 19), Date(2025, 4, 20)), ' ', add_workdays(Date(2025, 4, 12), 0))
