// snippet:description Write cases as rows of a name, an input and the expected output, and check them in one loop. The first row
// snippet:description that fails ends the test; the message has its name and input.
// snippet:doc https://doc.rust-lang.org/book/ch11-01-writing-tests.html How to write tests
// snippet:prints passed
// snippet:check
macro_rules! as_function {
    ($(#[$_:meta])* fn $name:ident() $body:block) => { fn $name() $body };
}
as_function! {
// snippet:end
#[test]
fn parses_addresses() {
    use std::net::SocketAddr;

    // name, input, expected port (None: must be refused)
    let cases = [
        ("IPv4", "127.0.0.1:80", Some(80)),
        ("IPv6 in brackets", "[::1]:8080", Some(8080)),
        ("no port", "127.0.0.1", None),
        ("port out of range", "127.0.0.1:70000", None),
        ("host name", "localhost:80", None),
        ("empty", "", None),
    ];
    for (name, input, want) in cases {
        let got = input.parse::<SocketAddr>().ok().map(|address| address.port());
        assert_eq!(got, want, "{name}: {input:?}");
    }
}
// snippet:check
}

fn main() {
    parses_addresses();
    println!("passed");
}
