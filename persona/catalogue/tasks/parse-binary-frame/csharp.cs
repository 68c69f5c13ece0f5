// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.buffers.binary.binaryprimitives BinaryPrimitives
// snippet:needs .NET 6
using System.Buffers.Binary;

public readonly record struct Frame(byte Type, ReadOnlyMemory<byte> Payload)
{
    private const ushort Magic = 0xC0DE;
    private const int HeaderSize = 5, MaxPayload = 1024;

    /// <summary>Header: magic (2 bytes), type (1), length (2), all big-endian; then the payload.</summary>
    public static Frame Parse(ReadOnlyMemory<byte> bytes)
    {
        var header = bytes.Span;
        if (header.Length < HeaderSize)
            throw new InvalidDataException($"a frame has at least {HeaderSize} bytes, not {header.Length}");
        if (BinaryPrimitives.ReadUInt16BigEndian(header) != Magic)
            throw new InvalidDataException("this is not one of our frames");
        var length = BinaryPrimitives.ReadUInt16BigEndian(header[3..]);
        // Lengths are checked before they are believed.
        if (length > MaxPayload || length != header.Length - HeaderSize)
            throw new InvalidDataException($"the payload cannot have {length} bytes");
        return new Frame(header[2], bytes[HeaderSize..]);
    }
}
