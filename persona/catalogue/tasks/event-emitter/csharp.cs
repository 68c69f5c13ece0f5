// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/programming-guide/events/ Events
// snippet:needs .NET 8
using System;

public sealed class PriceChangedEventArgs(decimal oldPrice, decimal newPrice) : EventArgs
{
    public decimal Old { get; } = oldPrice;
    public decimal New { get; } = newPrice;
}

public sealed class Product
{
    private decimal price;

    public event EventHandler<PriceChangedEventArgs>? PriceChanged;

    public decimal Price
    {
        get => price;
        set
        {
            if (price == value)
                return;
            var change = new PriceChangedEventArgs(price, value);
            price = value;
            PriceChanged?.Invoke(this, change);
        }
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var p = new Product();
        EventHandler<PriceChangedEventArgs> show = (s, e) => Console.WriteLine($"{e.Old} -> {e.New}");
        p.PriceChanged += show;
        p.Price = 5;
        p.Price = 5;
        p.Price = 7.5m;
        p.PriceChanged -= show;
        p.Price = 9;
    }
}
