// snippet:doc https://learn.microsoft.com/aspnet/core/security/authorization/resourcebased Resource-based authorization
// snippet:about ASP.NET Core
// snippet:needs .NET 8
using System.Security.Claims;
using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Authorization;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddAuthentication(CookieAuthenticationDefaults.AuthenticationScheme).AddCookie();
builder.Services.AddAuthorizationBuilder().AddPolicy("Owner", policy => policy.AddRequirements(new OwnerRequirement()));
builder.Services.AddSingleton<IAuthorizationHandler, OwnerHandler>();
builder.Services.AddSingleton<IDocuments, Documents>(); // yours: finds and renames a Document
var app = builder.Build();
app.MapPut("/documents/{id:int}", async (
    int id, Edit edit, IDocuments documents, IAuthorizationService rules, ClaimsPrincipal user) =>
{
    var document = await documents.FindAsync(id);
    if (document is null || !(await rules.AuthorizeAsync(user, document, "Owner")).Succeeded) return Results.NotFound();
    if (string.IsNullOrWhiteSpace(edit.Title)) return Results.BadRequest();
    await documents.RenameAsync(document, edit.Title);
    return Results.NoContent();
}).RequireAuthorization();
app.Run();

sealed class OwnerRequirement : IAuthorizationRequirement;
sealed class OwnerHandler : AuthorizationHandler<OwnerRequirement, Document>
{
    protected override Task HandleRequirementAsync(
        AuthorizationHandlerContext context, OwnerRequirement owner, Document document)
    {
        var id = context.User.FindFirstValue(ClaimTypes.NameIdentifier);
        if (id is not null && id == document.OwnerId) context.Succeed(owner);
        return Task.CompletedTask; // no Fail(): another handler may allow it
    }
}

record Edit(string? Title);
record Document(int Id, string OwnerId, string Title);
// snippet:check

interface IDocuments
{
    Task<Document?> FindAsync(int id);
    Task RenameAsync(Document document, string title);
}

class Documents : IDocuments
{
    public Task<Document?> FindAsync(int id) => Task.FromResult<Document?>(null);
    public Task RenameAsync(Document document, string title) => Task.CompletedTask;
}
