// snippet:doc https://learn.microsoft.com/aspnet/core/performance/rate-limit Rate limiting middleware
// snippet:about ASP.NET Core
// snippet:needs .NET 8
using System.Globalization;
using System.Threading.RateLimiting;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddRateLimiter(options =>
{
    options.RejectionStatusCode = StatusCodes.Status429TooManyRequests;
    options.OnRejected = (context, stop) =>
    {
        if (context.Lease.TryGetMetadata(MetadataName.RetryAfter, out var wait))
        {
            var seconds = Math.Ceiling(wait.TotalSeconds).ToString(CultureInfo.InvariantCulture);
            context.HttpContext.Response.Headers.RetryAfter = seconds;
        }
        return ValueTask.CompletedTask;
    };
    options.AddPolicy("per-user", context => RateLimitPartition.GetTokenBucketLimiter(
        context.User.Identity?.Name is { } name
            ? $"user {name}"
            : $"address {context.Connection.RemoteIpAddress}", // proxies: UseForwardedHeaders
        _ => new() { TokenLimit = 20, TokensPerPeriod = 1, ReplenishmentPeriod = TimeSpan.FromSeconds(6) }));
});

var app = builder.Build();
app.UseRateLimiter(); // after UseAuthentication, if there is one
app.MapGet("/search", (string q) => TypedResults.Ok(new { q })).RequireRateLimiting("per-user");
app.Run();
