//! Uses the strict library, and says what its build of mstx does.

fn main() {
    let mut lent = [1; 64];
    let mut pool = twin_a::Pool::new(0x1_0000, 4096).expect("it is not empty");
    let block = pool.alloc(16).expect("there is room");
    assert!(pool.resize_last(block, 32));
    assert_eq!(pool.free_last(block, 8), Err(twin_a::Full));
    pool.free(block);
    pool.grow(64);
    assert_eq!(pool.part(&mut lent, 8).map(|part| part.len()), Ok(8));
    assert_eq!(pool.sum(&lent), 0);
    pool.reset();
    assert_eq!(pool.end(), 0);
    println!("{}", mstx::BUILD);
}
