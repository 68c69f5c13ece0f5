// snippet:doc https://learn.microsoft.com/aspnet/core/host-and-deploy/health-checks Health checks
// snippet:about ASP.NET Core
// snippet:needs .NET 8
using System.Data.Common;
using Microsoft.AspNetCore.Diagnostics.HealthChecks;
using Microsoft.Extensions.Diagnostics.HealthChecks;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddHealthChecks()
    .AddCheck<DatabaseCheck>("database", tags: ["ready"], timeout: TimeSpan.FromSeconds(2));
var app = builder.Build();

app.MapHealthChecks("/health/live", new HealthCheckOptions { Predicate = _ => false });
app.MapHealthChecks("/health/ready", new HealthCheckOptions
{
    Predicate = check => check.Tags.Contains("ready"),
    ResponseWriter = (context, report) => context.Response.WriteAsJsonAsync(
        report.Entries.ToDictionary(entry => entry.Key, entry => entry.Value.Status.ToString())),
});
app.Run();

sealed class DatabaseCheck(DbDataSource database) : IHealthCheck // register it, with AddNpgsqlDataSource or the like
{
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken stop)
    {
        await using var command = database.CreateCommand("SELECT 1");
        await command.ExecuteScalarAsync(stop); // an exception is "unhealthy"
        return HealthCheckResult.Healthy();
    }
}
