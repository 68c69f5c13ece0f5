// snippet:doc https://learn.microsoft.com/aspnet/core/fundamentals/minimal-apis#validation-support-in-minimal-apis Validation in minimal APIs
// snippet:about ASP.NET Core
// snippet:needs .NET 10
using System.ComponentModel.DataAnnotations;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddValidation();
builder.Services.AddProblemDetails();
var app = builder.Build();

app.MapPost("/bookings", (Booking booking) => TypedResults.Ok(booking));
app.Run();

public record Guest([Required, StringLength(80)] string Name, [EmailAddress] string? Email);

public record Booking(
    [Required] DateOnly? From, // without "?" a missing date would be the 1st of January of the year 1
    [Required] DateOnly? To,
    [Required, MinLength(1), MaxLength(6)] List<Guest> Guests) : IValidatableObject
{
    public IEnumerable<ValidationResult> Validate(ValidationContext context)
    {
        if (To <= From)
        {
            yield return new ValidationResult("must be after the first day", [nameof(To)]);
        }
        if (Guests.Contains(null!)) // a null in a list has no attributes that could refuse it
        {
            yield return new ValidationResult("must not hold null", [nameof(Guests)]);
        }
    }
}
