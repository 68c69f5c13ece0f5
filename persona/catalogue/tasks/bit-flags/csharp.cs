// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/builtin-types/enum#enumeration-types-as-bit-flags Enumerations as bit flags
using System;

[Flags]
public enum Status : byte
{
    None = 0,
    Ready = 1 << 0,
    Error = 1 << 1,
    Overheated = 1 << 2,
}

public static class Register
{
    private const int ModeShift = 4;
    private const byte ModeMask = 0b0111 << ModeShift;

    public static bool Has(byte register, Status flag) => (register & (byte)flag) != 0;

    public static int Mode(byte register) => (register & ModeMask) >> ModeShift;

    /// <summary>Writes the three-bit field and leaves its neighbours alone.</summary>
    public static byte WithMode(byte register, int mode) =>
        mode >= 0 && mode <= 7
            ? (byte)(register & ~ModeMask | mode << ModeShift)
            : throw new ArgumentOutOfRangeException(nameof(mode), "a mode has three bits");
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        byte r = 0x25;
        Console.WriteLine($"{Register.Has(r, Status.Ready)} mode {Register.Mode(r)} -> {Register.WithMode(r, 7):X2} {Register.Has(r, Status.Error)}");
    }
}
// snippet:prints True mode 2 -> 75 False
