// snippet:description Bind settings, for example from environment variables, to a class with types and defaults. The rules at its
// snippet:description properties are checked when the host starts, so that a wrong setting stops the start.
// snippet:doc https://learn.microsoft.com/en-us/dotnet/core/extensions/options#options-validation Options validation
// snippet:needs .NET 8
using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

public sealed class MailOptions
{
    public const string Section = "Mail";

    [Required] // the host's name: smtp.example.com
    public required string Server { get; init; }

    [Range(1, 65535)]
    public int Port { get; init; } = 587;

    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(10);
}

public static class Startup
{
    // Environment variables fill it: Mail__Server, Mail__Port, Mail__Timeout.
    public static void AddMail(this IHostApplicationBuilder builder) =>
        builder.Services.AddOptions<MailOptions>()
            .BindConfiguration(MailOptions.Section)
            .ValidateDataAnnotations()
            .ValidateOnStart(); // a wrong setting stops the start, not the first mail
}
