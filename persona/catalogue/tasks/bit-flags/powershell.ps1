# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.core/about/about_arithmetic_operators Bitwise operators
$flags = [ordered]@{ Ready = 0x01; Fault = 0x02; Overheated = 0x04; Charging = 0x08 }
$modeMask, $modeShift = 0x70, 4 # a field of three bits

function Get-Flag([int] $Register) {
    $flags.Keys | Where-Object { $Register -band $flags[$_] }
}

# A status byte as it comes from a device, in words.
$register = 0x2D
(Get-Flag -Register $register) -join ', ' # Ready, Overheated, Charging
($register -band $modeMask) -shr $modeShift # 2

# Stop charging and set mode 7; the other bits stay as they are.
$register = $register -band (-bnot $flags.Charging)
$register = ($register -band (-bnot $modeMask)) -bor (7 -shl $modeShift)
'0x{0:X2}' -f $register # 0x75
