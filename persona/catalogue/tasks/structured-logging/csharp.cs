// snippet:doc https://learn.microsoft.com/en-us/dotnet/core/extensions/logger-message-generator Compile-time logging source generation
// snippet:needs .NET 9
using Microsoft.Extensions.Logging;

public sealed partial class Checkout(ILogger<Checkout> logger)
{
    public async Task PayAsync(int orderId, decimal amount, Func<Task> charge)
    {
        // Everything that is logged inside carries the order's id, where the provider has IncludeScopes.
        using var scope = logger.BeginScope(new Dictionary<string, object> { ["OrderId"] = orderId });
        try
        {
            await charge();
            Paid(amount);
        }
        catch (TimeoutException error)
        {
            PaymentIsSlow(error, amount);
            throw;
        }
    }

    [LoggerMessage(Level = LogLevel.Information, Message = "Paid {Amount}")]
    private partial void Paid(decimal amount);

    [LoggerMessage(Level = LogLevel.Warning, Message = "The payment of {Amount} timed out")]
    private partial void PaymentIsSlow(Exception error, decimal amount);
}
