// snippet:doc https://doc.rust-lang.org/book/ch06-01-defining-an-enum.html Defining an enum
// snippet:prints app 150
// snippet:prints - src 120
// snippet:prints - - main.rs 120
// snippet:prints - README 30
#[derive(Debug)]
pub enum Node {
    File { name: String, bytes: u64 },
    Folder { name: String, children: Vec<Node> },
}

impl Node {
    pub fn bytes(&self) -> u64 {
        match self {
            Node::File { bytes, .. } => *bytes,
            Node::Folder { children, .. } => children.iter().map(Node::bytes).sum(),
        }
    }

    /// Calls `visit` with the depth of each node, parents before their children.
    pub fn walk<'a>(&'a self, depth: usize, visit: &mut impl FnMut(usize, &'a Node)) {
        visit(depth, self);
        if let Node::Folder { children, .. } = self {
            for child in children {
                child.walk(depth + 1, visit);
            }
        }
    }
}
// snippet:check
fn main() {
    let file = |name: &str, bytes| Node::File {
        name: name.into(),
        bytes,
    };
    let src = Node::Folder {
        name: "src".into(),
        children: vec![file("main.rs", 120)],
    };
    let root = Node::Folder {
        name: "app".into(),
        children: vec![src, file("README", 30)],
    };
    root.walk(0, &mut |depth, node| {
        let (Node::File { name, .. } | Node::Folder { name, .. }) = node;
        println!("{}{name} {}", "- ".repeat(depth), node.bytes());
    });
}
