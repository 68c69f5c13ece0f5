// snippet:doc https://learn.microsoft.com/en-us/dotnet/standard/threading/cancellation-in-managed-threads Cancellation
// snippet:needs .NET 8
/// <summary>Runs the action once a burst of calls has been quiet for a while, with the latest value.</summary>
public sealed class Debouncer<T>(TimeSpan quiet, Action<T> action)
{
    private CancellationTokenSource pending = new();

    public async Task CallAsync(T value)
    {
        var mine = new CancellationTokenSource();
        Interlocked.Exchange(ref pending, mine).Cancel(); // whoever waited before is out
        const ConfigureAwaitOptions here = ConfigureAwaitOptions.ContinueOnCapturedContext;
        await Task.Delay(quiet, mine.Token).ConfigureAwait(here | ConfigureAwaitOptions.SuppressThrowing);
        if (!mine.IsCancellationRequested) // no later call took over
            action(value);
    }
}
