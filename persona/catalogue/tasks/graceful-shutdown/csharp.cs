// snippet:doc https://learn.microsoft.com/en-us/dotnet/core/extensions/workers Worker services
// snippet:description Take no new job once the host stops, and finish the one under way. The host waits for it as long as
// snippet:description `HostOptions.ShutdownTimeout` says.
// snippet:needs .NET 8
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

/// <summary>Takes no new job once the host stops, and finishes the one under way.</summary>
public sealed class Worker(IJobQueue queue, ILogger<Worker> logger) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stopping)
    {
        try
        {
            while (!stopping.IsCancellationRequested && await queue.NextAsync(stopping) is { } job)
            {
                // Not the stopping token: HostOptions.ShutdownTimeout limits the last job.
                await job.RunAsync(CancellationToken.None);
            }
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            logger.LogInformation("stopped with no job under way");
        }
    }
}

public interface IJob { Task RunAsync(CancellationToken cancel); }
public interface IJobQueue { Task<IJob?> NextAsync(CancellationToken cancel); }
