// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/operators/bitwise-and-shift-operators Bitwise and shift operators
using System.Collections.Generic;

public static class Crc16
{
    /// <summary>CRC-16/CCITT-FALSE: polynomial 0x1021, start value 0xFFFF.</summary>
    public static ushort Compute(IEnumerable<byte> data)
    {
        ushort crc = 0xFFFF;
        foreach (var b in data)
        {
            crc ^= (ushort)(b << 8);
            for (var bit = 0; bit < 8; bit++)
                crc = (ushort)((crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1);
        }
        return crc;
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var data = System.Text.Encoding.ASCII.GetBytes("123456789");
        System.Console.WriteLine($"{Crc16.Compute(data):X4}"); // the catalogue value is 29B1
        data[3] ^= 1;
        System.Console.WriteLine(Crc16.Compute(data) == 0x29B1);
    }
}
// snippet:prints 29B1
// snippet:prints False
