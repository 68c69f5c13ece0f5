// snippet:doc https://doc.rust-lang.org/book/ch06-01-defining-an-enum.html Defining an enum
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
// snippet:usage
// snippet:prints app 120
// snippet:prints - main.rs 120
fn main() {
    let name = "main.rs".into();
    let root = Node::Folder {
        name: "app".into(),
        children: vec![Node::File { name, bytes: 120 }],
    };
    root.walk(0, &mut |depth, node| {
        let (Node::File { name, .. } | Node::Folder { name, .. }) = node;
        println!("{}{name} {}", "- ".repeat(depth), node.bytes());
    });
}
