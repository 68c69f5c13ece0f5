// snippet:doc https://learn.microsoft.com/aspnet/core/fundamentals/minimal-apis/responses Create responses in minimal APIs
// snippet:about ASP.NET Core
// snippet:needs .NET 8
using Microsoft.AspNetCore.Http.HttpResults;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddScoped<IOrders, Orders>(); // your class, with the database
var app = builder.Build();

var orders = app.MapGroup("/orders").WithTags("Orders");
orders.MapGet("/{id:int}", OrderApi.Get).WithName("GetOrder");
orders.MapPost("/", OrderApi.Create);
app.Run();

public static class OrderApi
{
    public static async Task<Results<Ok<Order>, NotFound>> Get(int id, IOrders orders, CancellationToken stop) =>
        await orders.FindAsync(id, stop) is { } order ? TypedResults.Ok(order) : TypedResults.NotFound();

    public static async Task<CreatedAtRoute<Order>> Create(NewOrder form, IOrders orders, CancellationToken stop)
    {
        var order = await orders.AddAsync(form, stop);
        return TypedResults.CreatedAtRoute(order, "GetOrder", new { id = order.Id });
    }
}

public record NewOrder(string Sku, int Quantity);
public record Order(int Id, string Sku, int Quantity);

public interface IOrders
{
    Task<Order?> FindAsync(int id, CancellationToken stop);
    Task<Order> AddAsync(NewOrder form, CancellationToken stop);
}
// snippet:check

class Orders : IOrders
{
    public Task<Order?> FindAsync(int id, CancellationToken stop) => Task.FromResult<Order?>(null);
    public Task<Order> AddAsync(NewOrder form, CancellationToken stop) => Task.FromResult(new Order(1, form.Sku, form.Quantity));
}
