# snippet:doc https://docs.julialang.org/en/v1/manual/mathematical-operations/#Bitwise-Operators Bitwise operators
# snippet:prints 75 ready true mode 7
# snippet:prints false 2 05
# snippet:prints a mode is 0 to 7, not 8
const READY = 0x01
const FAULT = 0x02
const MODE_MASK, MODE_SHIFT = 0x70, 4 # a field of three bits

isset(register, flag) = register & flag != 0
mode(register) = Int(register & MODE_MASK) >> MODE_SHIFT

"Writes the field and leaves its neighbours alone."
function with_mode(register::UInt8, mode)
    0 <= mode <= 7 || throw(ArgumentError("a mode is 0 to 7, not $mode"))
    return (register & ~MODE_MASK) | UInt8(mode << MODE_SHIFT)
end

register = with_mode(0x25, 7)
println(string(register; base = 16), " ready ", isset(register, READY), " mode ", mode(register))

# snippet:check
println(isset(register, FAULT), ' ', mode(with_mode(0xf5, 2)), ' ', string(with_mode(0x75, 0); base = 16, pad = 2))
try
    with_mode(0x00, 8)
catch error
    println(error.msg)
end
