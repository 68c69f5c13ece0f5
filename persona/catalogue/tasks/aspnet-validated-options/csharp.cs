// snippet:doc https://learn.microsoft.com/aspnet/core/fundamentals/configuration/options#options-validation Options validation
// snippet:about ASP.NET Core
// snippet:needs .NET 8
using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddOptions<MailOptions>()
    .BindConfiguration("Mail")
    .ValidateDataAnnotations()
    .Validate(mail => mail.Password is null || mail.UseTls, "Mail: a password needs UseTls")
    .ValidateOnStart();

var app = builder.Build();
app.MapGet("/mail/from", (IOptions<MailOptions> mail) => mail.Value.From);
app.Run(); // throws before it listens if a setting breaks a rule

public sealed class MailOptions
{
    [Required] public required string Host { get; init; }
    [Range(1, 65535)] public int Port { get; init; } = 587;
    [Required, EmailAddress] public required string From { get; init; }
    public bool UseTls { get; init; } = true;
    public string? Password { get; init; } // from the environment: Mail__Password
}
