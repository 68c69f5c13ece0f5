// snippet:doc https://learn.microsoft.com/dotnet/core/extensions/httpclient-factory#typed-clients IHttpClientFactory: typed clients
// snippet:about ASP.NET Core
// snippet:needs .NET 8
using System.Net;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddHttpClient<WeatherClient>(client =>
{
    client.BaseAddress = new Uri(builder.Configuration["Weather:Url"] ?? "https://weather.example.com/"); // ends in /
    client.Timeout = TimeSpan.FromSeconds(3);
});
var app = builder.Build();

app.MapGet("/weather/{city}", async (string city, WeatherClient weather, CancellationToken stop) =>
    await weather.TodayAsync(city, stop) is { } today ? Results.Ok(today) : Results.NotFound());
app.Run();

record Weather(double Celsius, string Sky);

sealed class WeatherClient(HttpClient http)
{
    public async Task<Weather?> TodayAsync(string city, CancellationToken stop)
    {
        using var response = await http.GetAsync($"v1/today?city={Uri.EscapeDataString(city)}", stop);
        if (response.StatusCode == HttpStatusCode.NotFound) return null;
        response.EnsureSuccessStatusCode();
        return await response.Content.ReadFromJsonAsync<Weather>(stop);
    }
}
