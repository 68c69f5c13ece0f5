// snippet:doc https://learn.microsoft.com/en-us/aspnet/core/fundamentals/minimal-apis Minimal APIs
// snippet:needs .NET 8
// snippet:description Notes in memory, JSON in and out, and nothing that is not needed: the service to begin a prototype with, or
// snippet:description a test. Broken JSON is answered with 400, another type of content with 415, an unknown address with 404.
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
