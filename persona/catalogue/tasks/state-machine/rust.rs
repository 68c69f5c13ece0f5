// snippet:doc https://doc.rust-lang.org/book/ch06-02-match.html The match control flow construct
// snippet:prints Paid { items: 2, receipt: "r1" }
// snippet:prints true
// snippet:prints Shipped { tracking: "t9" }
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    Basket { items: u32 },
    Paid { items: u32, receipt: String },
    Shipped { tracking: String },
}

#[derive(Debug)]
pub enum Event {
    Pay { receipt: String },
    Ship { tracking: String },
}

impl Order {
    /// The next state, or the old one and the event back if it is not allowed.
    pub fn apply(self, event: Event) -> Result<Order, (Order, Event)> {
        match (self, event) {
            (Order::Basket { items }, Event::Pay { receipt }) if items > 0 => {
                Ok(Order::Paid { items, receipt })
            }
            (Order::Paid { .. }, Event::Ship { tracking }) => Ok(Order::Shipped { tracking }),
            refused => Err(refused),
        }
    }
}
// snippet:check
fn main() {
    let pay = || Event::Pay {
        receipt: "r1".into(),
    };
    let paid = Order::Basket { items: 2 }.apply(pay()).unwrap();
    println!("{paid:?}");
    println!("{:?}", paid.clone().apply(pay()).is_err());
    println!(
        "{:?}",
        paid.apply(Event::Ship {
            tracking: "t9".into()
        })
        .unwrap()
    );
}
