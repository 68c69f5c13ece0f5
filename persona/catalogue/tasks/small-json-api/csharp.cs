// snippet:doc https://learn.microsoft.com/en-us/aspnet/core/fundamentals/minimal-apis Minimal APIs
// snippet:needs .NET 8
using System.Collections.Concurrent;

var app = WebApplication.CreateBuilder(args).Build();
var notes = new ConcurrentDictionary<int, Note>();
var lastId = 0;

app.MapGet("/notes", () => notes.Values.OrderBy(note => note.Id));

app.MapGet("/notes/{id:int}", (int id) =>
    notes.TryGetValue(id, out var note) ? Results.Ok(note) : Results.NotFound());

app.MapPost("/notes", (NewNote body) =>
{
    if (string.IsNullOrWhiteSpace(body.Text) || body.Text.Length > 2000)
        return Results.ValidationProblem(new Dictionary<string, string[]>
        {
            ["text"] = ["A note has 1 to 2000 characters."],
        });
    var note = new Note(Interlocked.Increment(ref lastId), body.Text.Trim());
    notes[note.Id] = note;
    return Results.Created($"/notes/{note.Id}", note);
});

app.Run();

record NewNote(string? Text);
record Note(int Id, string Text);
