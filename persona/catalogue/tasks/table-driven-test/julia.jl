# snippet:doc https://docs.julialang.org/en/v1/stdlib/Test/ Test
using Test

"The next leap year that is not before `year`."
function next_leap_year(year::Integer)
    isleap(y) = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0)
    while !isleap(year)
        year += 1
    end
    return year
end

@testset "next_leap_year" begin
    @testset "$name" for (name, year, expected) in [
        ("a leap year itself", 2024, 2024),
        ("the year after one", 2025, 2028),
        ("centuries are none", 1897, 1904),
        ("every fourth century is", 1997, 2000),
    ]
        @test next_leap_year(year) == expected
    end
    @test_throws MethodError next_leap_year(2024.5)
end
# snippet:check
# The summary of Julia 1.8 and later also has the time.
# snippet:prints Test Summary:  | Pass  Total
# snippet:prints next_leap_year |    5      5
# snippet:end
