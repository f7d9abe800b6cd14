// shape: `.await` everywhere: in tails, arguments, conditions and macros, with borrows and temporaries across it, and dropped half-way
// edition: 2024
// expect: 7 10
// code: core::convert: a conversion that `?` needs in an async function is inlined where it was not
// code: shape::main, grow, macros: an async function that looks at its result keeps it in its state
use helpers::{Noisy, block_on, pause};
use std::cell::{Cell, RefCell};
#[derive(Debug)]
pub struct Failed;
pub struct Pool { free: Cell<usize>, names: RefCell<Vec<String>> }
async fn yes(_n: Noisy) -> bool { pause().await; true }
async fn number(n: usize) -> Result<usize, Failed> { pause().await; if n == 0 { Err(Failed) } else { Ok(n) } }
async fn boxed<'a>(x: &'a str) -> Box<dyn Fn() -> usize + Send + 'a> { Box::new(move || x.len()) }
async fn never() -> ! { loop { pause().await; } }
async fn at_the_start(n: usize) -> Option<usize> { Some(n) }
#[must_use]
async fn important() -> u8 { 1 }
impl Pool {
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub async fn tail(&self, n: usize) -> Result<usize, Failed> { number(n).await }
    #[mstx::region_unregister(ptr = 4096_usize)]
    pub async fn question(&self, n: usize, _p: Noisy) -> Result<usize, Failed> { let _l = Noisy("local"); Ok(number(number(n).await?).await? + 1) }
    #[mstx::allocator_internal]
    pub async fn condition(&self, _p: Noisy) -> usize { if yes(Noisy("condition")).await && !yes(Noisy("second")).await { return 1; } let n = match number(self.free.get()).await { Ok(n) if n > 5 => n, Ok(_) => 3, Err(Failed) => 4 }; while !yes(Noisy("while")).await {} n }
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub async fn macros(&mut self) -> Option<usize> { println!("{:?} {}", number(3).await, (boxed("four").await)()); assert!(yes(Noisy("assert")).await); let all = vec![number(1).await.ok()?, 2]; self.names.get_mut().push(format!("{}", number(2).await.unwrap())); Some(all.len()) }
    #[mstx::region_unregister(ptr = 4096_usize)]
    pub async fn borrowed<'a>(&'a mut self, name: &'a mut String) -> &'a mut String { let first = &mut *name; number(first.len() + 1).await.unwrap(); first.push('x'); pause().await; first }
    #[mstx::region_resize(ptr = 4096_usize, size = n)]
    pub async fn resized(&self, n: usize) -> Result<bool, Failed> { let text = String::from("temporary"); let n = number(text.as_str().len() + n).await?; pause().await; Ok(n > 3) }
    #[mstx::allocator_internal]
    pub async fn statements(&self) -> Option<usize> { at_the_start(1).await?; number(1).await.ok()?.count_ones(); let mut n = 0; n += at_the_start(2).await? + 1; if n > 5 { return None; } std::future::ready(n).await.max(number(n).await.ok()? * at_the_start(4).await?).into() }
    #[mstx::heap_reset(heap = self)]
    pub async fn reset(&self) { pause().await; self.free.set(0); }
    #[mstx::heap_resize(heap = self, size = 1)]
    pub async fn grow(&self, cell: Cell<u8>) -> bool { pause().await; cell.set(2); pause().await; cell.get() == 2 }
    #[mstx::region_unregister(ptr = 4096_usize)]
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub async fn exchanged(&self, _p: Noisy) -> Result<usize, Failed> { pause().await; let n = number(7).await?; if n > 100 { return Ok(0); } pause().await; Ok(n) }
    #[mstx::allocator_internal]
    #[mstx::region_unregister(ptr = 4096_usize)]
    pub async fn both(&self) -> u8 { pause().await; important().await; pause().await; let inner = async { pause().await; 5 }; inner.await }
    #[mstx::region_unregister(ptr = 4096_usize)]
    pub async fn forever(&self, _p: Noisy) -> ! { let _l = Noisy("local"); pause().await; std::future::pending::<std::convert::Infallible>().await; never().await }
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub async fn or_never(&self, n: Option<usize>) -> usize { let n = match n { Some(n) => n, None => never().await }; if n > 100 { never().await } else { n } }
    #[mstx::allocator_internal]
    pub async fn never_in_a_statement(&self) { never().await; }
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub async fn never_at_the_end(&self) -> usize { never().await }
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub async fn ready(&self) -> u8 { struct Ready; impl IntoFuture for Ready { type Output = u8; type IntoFuture = std::future::Ready<u8>; fn into_future(self) -> Self::IntoFuture { std::future::ready(9) } } Ready.await }
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub async fn inferred(&self) -> Vec<u8> { let mut list = Default::default(); list = std::future::ready(list).await; let all: Vec<u8> = std::future::ready(["1", "2"].iter().map(|x| x.parse().unwrap()).collect()).await; let _: u16 = list; all }
}
impl mstx::AsHeap for Pool { fn as_heap(&self) -> mstx::HeapKey { std::ptr::from_ref(self).as_heap() } }
trait Waits { async fn wait(&self, n: usize) -> usize; }
impl Waits for Pool {
    #[mstx::region_unregister(ptr = 4096_usize)]
    async fn wait(&self, n: usize) -> usize { pause().await; self.free.get() + n }
}
fn send<T: Send>(t: T) -> T { t }
pub fn main() {
    let mut pool = Pool { free: Cell::new(7), names: RefCell::new(vec![]) };
    println!("{:?} {:?}", block_on(pool.tail(1)), block_on(pool.tail(0)));
    println!("{:?} {:?}", block_on(pool.question(1, Noisy("p"))), block_on(pool.question(0, Noisy("p"))));
    println!("{} {:?}", block_on(pool.condition(Noisy("p"))), block_on(pool.macros()));
    println!("{}", block_on(send(async { let mut name = String::from("n"); let mut pool = Pool { free: Cell::new(0), names: RefCell::new(vec![]) }; pool.borrowed(&mut name).await.len() })));
    println!("{:?} {:?}", block_on(pool.resized(1)), block_on(pool.statements()));
    block_on(pool.reset());
    println!("{} {:?} {}", block_on(pool.grow(Cell::new(1))), block_on(pool.exchanged(Noisy("p"))), block_on(pool.both()));
    println!("{} {:?} {}", block_on(pool.ready()), block_on(pool.inferred()), block_on(pool.wait(3)));
    println!("{} {}", block_on(pool.or_never(Some(8))), size_of_val(&(pool.never_in_a_statement(), pool.never_at_the_end())) > 0);
    let mut forever = Box::pin(pool.forever(Noisy("p")));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    println!("{}", forever.as_mut().poll(&mut context).is_pending());
    drop(forever);
    println!("{}", size_of_val(&pool.exchanged(Noisy("p"))) > 0);
}
