// snippet:doc https://learn.microsoft.com/en-us/dotnet/standard/threading/cancellation-in-managed-threads Cancellation
using System;
using System.Threading;
using System.Threading.Tasks;

/// <summary>Runs the action once a burst of calls has been quiet for a while, with the latest value.</summary>
public sealed class Debouncer<T>
{
    private readonly TimeSpan quiet;
    private readonly Action<T> action;
    private CancellationTokenSource pending = new CancellationTokenSource();

    public Debouncer(TimeSpan quiet, Action<T> action)
    {
        this.quiet = quiet;
        this.action = action;
    }

    public async Task Call(T value)
    {
        var mine = new CancellationTokenSource();
        Interlocked.Exchange(ref pending, mine).Cancel(); // whoever waited before is out
        try
        {
            await Task.Delay(quiet, mine.Token);
            action(value);
        }
        catch (OperationCanceledException) { } // a later call took over
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var search = new Debouncer<string>(TimeSpan.FromMilliseconds(60), text => Console.WriteLine($"search {text}"));
        Task.WaitAll(search.Call("c"), search.Call("c#"), search.Call("c# linq"));
        search.Call("again").Wait();
    }
}
// snippet:prints search c# linq
// snippet:prints search again
