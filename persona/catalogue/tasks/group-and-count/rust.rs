// snippet:doc https://doc.rust-lang.org/std/collections/struct.BTreeMap.html std::collections::BTreeMap
// snippet:prints Bath 1 900
// snippet:prints Rome 2 600
use std::collections::BTreeMap;

pub struct Sale {
    pub city: String,
    pub cents: u64,
}

#[derive(Debug, Default)]
pub struct Total {
    pub count: usize,
    pub cents: u64,
}

/// Counts and sums the sales per city, the largest sum first.
pub fn totals(sales: &[Sale]) -> Vec<(&str, Total)> {
    let mut groups: BTreeMap<&str, Total> = BTreeMap::new();
    for sale in sales {
        let total = groups.entry(&sale.city).or_default();
        total.count += 1;
        total.cents += sale.cents;
    }
    let mut totals: Vec<_> = groups.into_iter().collect();
    totals.sort_by_key(|(_, total)| std::cmp::Reverse(total.cents)); // stable: ties stay by name
    totals
}
// snippet:usage
fn main() {
    let sales = [("Rome", 200), ("Bath", 900), ("Rome", 400)];
    let sales: Vec<_> = sales
        .iter()
        .map(|&(c, cents)| Sale {
            city: c.into(),
            cents,
        })
        .collect();
    for (city, t) in totals(&sales) {
        println!("{city} {} {}", t.count, t.cents);
    }
}
