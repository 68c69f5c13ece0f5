// snippet:doc https://learn.microsoft.com/aspnet/core/fundamentals/error-handling#iexceptionhandler IExceptionHandler
// snippet:about ASP.NET Core
// snippet:needs .NET 8
using System.Diagnostics;
using Microsoft.AspNetCore.Diagnostics;
using Microsoft.AspNetCore.Mvc;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddProblemDetails(options => options.CustomizeProblemDetails = context =>
    context.ProblemDetails.Extensions["traceId"] = Activity.Current?.Id ?? context.HttpContext.TraceIdentifier);
builder.Services.AddExceptionHandler<DomainExceptionHandler>();
var app = builder.Build();
app.UseExceptionHandler();
app.UseStatusCodePages(); // a 404 without a body gets one as well
app.Run();

sealed class DomainExceptionHandler(IProblemDetailsService problems) : IExceptionHandler
{
    public async ValueTask<bool> TryHandleAsync(HttpContext context, Exception exception, CancellationToken stop)
    {
        var (status, title) = exception switch
        {
            OrderNotFoundException => (StatusCodes.Status404NotFound, "There is no such order"),
            OutOfStockException => (StatusCodes.Status409Conflict, "Out of stock"),
            _ => (0, ""),
        };
        if (status == 0) return false; // in the end a plain 500
        context.Response.StatusCode = status;
        var details = new ProblemDetails { Status = status, Title = title };
        await problems.TryWriteAsync(new() { HttpContext = context, ProblemDetails = details });
        return true; // also where the client takes no JSON: the status is the answer
    }
}

class OrderNotFoundException : Exception;

class OutOfStockException : Exception;
