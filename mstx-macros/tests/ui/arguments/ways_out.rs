//! An argument is no part of the body: nothing in it can leave the function.

#[mstx::region(size = n?)]
fn question_mark(n: Option<usize>) -> Option<*mut u8> {
    Some(std::ptr::without_provenance_mut(n?))
}

#[mstx::region(size = { return None })]
fn returning(n: usize) -> Option<*mut u8> {
    question_mark(Some(n))
}

#[mstx::region(size = future.await)]
async fn awaiting(future: std::future::Ready<usize>) -> Option<*mut u8> {
    question_mark(Some(future.await))
}

#[mstx::region(heap = loop { break 'a }, size = if n == 0 { break } else { continue })]
fn breaking(n: usize) -> Option<*mut u8> {
    returning(n)
}

#[mstx::range(name = format!("{}", name?))]
fn in_a_macro(name: Option<&str>) -> Option<()> {
    name.map(drop)
}

// All of these stay inside.
#[mstx::region(size = loop { break n }, ptr = (|| Some(ret.addr()? + 1))())]
fn fine(n: usize) -> Option<Block> {
    returning(n).map(Block)
}

struct Block(*mut u8);

impl Block {
    fn addr(&self) -> Option<usize> {
        Some(self.0.addr())
    }
}

fn main() {
    fine(1);
    breaking(1);
    in_a_macro(None);
    drop(awaiting(std::future::ready(1)));
}
