//! What the shapes print with.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::task::{Context, Poll, Waker};

/// Prints "drop NAME" when dropped, and "use NAME" when used.
#[derive(Debug)]
pub struct Noisy(pub &'static str);

impl Noisy {
    pub fn ptr(&self) -> *mut u8 {
        println!("use {}", self.0);
        std::ptr::null_mut()
    }

    pub fn some(&self) -> Option<u8> {
        println!("use {}", self.0);
        Some(u8::try_from(self.0.len()).unwrap_or(0))
    }
}

impl Drop for Noisy {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

/// Polls until it is ready.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
    }
}

/// Polls once.
pub fn poll_once<F: Future>(future: Pin<&mut F>) -> Option<F::Output> {
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

/// Yields once.
pub fn pause() -> impl Future<Output = ()> + Send {
    struct Pause(bool);

    impl Future for Pause {
        type Output = ();
        fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
            if std::mem::replace(&mut self.0, true) {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        }
    }

    Pause(false)
}

/// Runs `f`, and prints "panic at LINE:COLUMN" if it panics.
pub fn catch<T>(f: impl FnOnce() -> T) -> Option<T> {
    static LINE: AtomicU32 = AtomicU32::new(0);
    static COLUMN: AtomicU32 = AtomicU32::new(0);
    let hook = take_hook();
    set_hook(Box::new(|info| {
        if let Some(at) = info.location() {
            LINE.store(at.line(), Relaxed);
            COLUMN.store(at.column(), Relaxed);
        }
    }));
    let result = catch_unwind(AssertUnwindSafe(f));
    set_hook(hook);
    if result.is_err() {
        println!("panic at {}:{}", LINE.load(Relaxed), COLUMN.load(Relaxed));
    }
    result.ok()
}
