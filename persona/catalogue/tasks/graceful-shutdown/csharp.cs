// snippet:doc https://learn.microsoft.com/en-us/dotnet/core/extensions/workers Worker services
// snippet:description Take no new job once the host stops, and finish the one under way. The host waits for it as long as
// snippet:description `HostOptions.ShutdownTimeout` says.
// snippet:needs .NET 8
using Microsoft.Extensions.Hosting;

/// <summary>Takes no new job once the host stops, and finishes the one under way.</summary>
public sealed class Worker(IJobQueue queue) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stopping)
    {
        while (!stopping.IsCancellationRequested)
        {
            IJob? job;
            try
            {
                job = await queue.NextAsync(stopping);
            }
            catch (OperationCanceledException) when (stopping.IsCancellationRequested)
            {
                return; // with no job under way
            }
            if (job is null) return; // there will be no more
            // Not the stopping token: HostOptions.ShutdownTimeout limits the last job.
            await job.RunAsync(CancellationToken.None);
        }
    }
}

public interface IJob { Task RunAsync(CancellationToken cancel); }
public interface IJobQueue { Task<IJob?> NextAsync(CancellationToken cancel); }
