// snippet:doc https://learn.microsoft.com/aspnet/core/fundamentals/host/hosted-services#queued-background-tasks Queued background tasks
// snippet:about ASP.NET Core
// snippet:needs .NET 8
using System.Threading.Channels;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddSingleton(Channel.CreateBounded<ReportRequest>(100));
builder.Services.AddScoped<IReports, Reports>(); // yours: makes one report
builder.Services.AddHostedService<ReportWorker>();
var app = builder.Build();
app.MapPost("/reports", IResult (ReportRequest request, Channel<ReportRequest> queue) =>
    string.IsNullOrWhiteSpace(request.Month) ? TypedResults.BadRequest() :
    queue.Writer.TryWrite(request) ? TypedResults.Accepted((string?)null) : TypedResults.StatusCode(503));
app.Run();

sealed class ReportWorker(Channel<ReportRequest> queue, IServiceScopeFactory scopes, ILogger<ReportWorker> log)
    : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stop)
    {
        await foreach (var request in queue.Reader.ReadAllAsync(stop))
        {
            try
            {
                await using var scope = scopes.CreateAsyncScope();
                await scope.ServiceProvider.GetRequiredService<IReports>().CreateAsync(request, stop);
            }
            catch (Exception error) when (!stop.IsCancellationRequested)
            {
                log.LogError(error, "Report of {Month} failed", request.Month);
            }
        }
    }
}

record ReportRequest(string? Month);
// snippet:check

interface IReports
{
    Task CreateAsync(ReportRequest request, CancellationToken stop);
}

class Reports : IReports
{
    public Task CreateAsync(ReportRequest request, CancellationToken stop) => Task.CompletedTask;
}
