// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.componentmodel.dataannotations.validator DataAnnotations Validator
using System.Collections.Generic;
using System.ComponentModel.DataAnnotations;
using System.Linq;

public sealed class SignUp
{
    [Required, StringLength(80, MinimumLength = 2)]
    public string Name { get; init; } = "";

    [Required, EmailAddress]
    public string Email { get; init; } = "";

    [Range(16, 120, ErrorMessage = "Age is a whole number from 16 to 120.")]
    public int Age { get; init; }

    /// <summary>Everything that is wrong at once, by field; empty if all is well.</summary>
    public IReadOnlyDictionary<string, string[]> Errors()
    {
        var results = new List<ValidationResult>();
        Validator.TryValidateObject(this, new ValidationContext(this), results, validateAllProperties: true);
        return results
            .SelectMany(r => r.MemberNames, (r, field) => (Field: field, Message: r.ErrorMessage ?? ""))
            .ToLookup(e => e.Field, e => e.Message)
            .ToDictionary(group => group.Key, group => group.ToArray());
    }
}
