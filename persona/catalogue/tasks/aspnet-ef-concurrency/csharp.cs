// snippet:doc https://learn.microsoft.com/ef/core/saving/concurrency Handling concurrency conflicts
// snippet:into Put it into a project made by dotnet new web with Npgsql.EntityFrameworkCore.PostgreSQL, set ConnectionStrings:Wiki, and make the table with a migration.
// snippet:about ASP.NET Core
// snippet:needs EF Core 8
using Microsoft.EntityFrameworkCore;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddDbContext<Wiki>(options => options.UseNpgsql(builder.Configuration.GetConnectionString("Wiki")));
var app = builder.Build();
app.MapPut("/pages/{id:int}", async (int id, Edit edit, Wiki wiki, CancellationToken stop) =>
{
    if (edit.Text is null) return Results.BadRequest(); // JSON may leave it out
    if (await wiki.Pages.FindAsync([id], stop) is not { } page) return Results.NotFound();
    wiki.Entry(page).Property(p => p.Version).OriginalValue = edit.Version; // what the client has seen
    page.Text = edit.Text;
    try
    {
        await wiki.SaveChangesAsync(stop);
        return Results.Ok(new { page.Version });
    }
    catch (DbUpdateConcurrencyException)
    {
        var current = await wiki.Pages.AsNoTracking().FirstOrDefaultAsync(p => p.Id == id, stop);
        return current is null ? Results.NotFound() : Results.Conflict(new { current.Text, current.Version });
    }
});
app.Run();
record Edit(string Text, uint Version);
class Page { public int Id { get; init; } public required string Text { get; set; } public uint Version { get; init; } }
class Wiki(DbContextOptions<Wiki> options) : DbContext(options)
{
    public DbSet<Page> Pages => Set<Page>();
    protected override void OnModelCreating(ModelBuilder model) =>
        model.Entity<Page>().Property(p => p.Version).IsRowVersion(); // PostgreSQL's xmin
}
