# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.core/about/about_enum Enumerations
enum OrderState { New; Paid; Shipped; Cancelled }
enum OrderEvent { Pay; Ship; Cancel }

class Order {
    [int]$Id
    [OrderState]$State = [OrderState]::New

    # What is not in the table is refused.
    hidden static [hashtable]$Next = @{
        'New Pay'     = [OrderState]::Paid
        'New Cancel'  = [OrderState]::Cancelled
        'Paid Ship'   = [OrderState]::Shipped
        'Paid Cancel' = [OrderState]::Cancelled
    }

    Order([int]$id) { $this.Id = $id }

    [void] Handle([OrderEvent]$orderEvent) {
        $transition = "$($this.State) $orderEvent"
        if (-not [Order]::Next.ContainsKey($transition)) {
            throw [InvalidOperationException]::new("order $($this.Id): no '$orderEvent' while it is $($this.State)")
        }
        $this.State = [Order]::Next[$transition]
    }
}

$order = [Order]::new(7)
$order.Handle('Pay')
$order.Handle('Ship')
