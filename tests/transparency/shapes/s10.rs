// shape: struct with lifetime in Ok (tracing #2796), hidden lifetime path
// edition: 2024
// expect: 2 0
pub struct Node { v: u8 }
#[derive(Debug)]
pub struct Ref<'a> { node: &'a u8 }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn get_ref(node: &Node) -> Result<Option<Ref<'_>>, std::io::Error> {
    let x = Ref { node: &node.v };
    Ok(Some(x))
}
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn two<'a>(node: &'a Node, _o: &Node) -> (Ref<'a>, &'a u8) { (Ref { node: &node.v }, &node.v) }
pub fn main() {
    let n = Node { v: 3 };
    println!("{:?}", get_ref(&n).unwrap().unwrap().node);
    println!("{:?}", two(&n, &n));
}
