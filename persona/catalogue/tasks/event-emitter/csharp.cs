// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/programming-guide/events/ Events
using System;

public sealed class PriceChangedEventArgs : EventArgs
{
    public PriceChangedEventArgs(decimal oldPrice, decimal newPrice) => (Old, New) = (oldPrice, newPrice);

    public decimal Old { get; }
    public decimal New { get; }
}

public sealed class Product
{
    private decimal price;

    public event EventHandler<PriceChangedEventArgs> PriceChanged;

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
// snippet:prints 0 -> 5
// snippet:prints 5 -> 7.5
