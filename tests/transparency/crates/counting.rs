//! The facade with a runtime that counts: for each call of an annotated function whether its end was seen, and its beginning.
//!
//! What a value stands for is asked of the real runtime, so that expressions and return types are read as usual; but nothing
//! depends on addresses, sizes and books. At exit, `ENDS BEGINNINGS` goes into the file that `MSTX_COUNTS` names:
//! - ends of functions with a word that reports after the body (`heap`, `region`), whatever they returned;
//! - beginnings of functions with a word that reports before it.

pub use mstx_macros::{
    AsHeap, KnowsSize, Regions, allocator_internal, flush, heap, heap_reset, heap_resize, heap_unregister, range, region,
    region_resize, region_unregister,
};
pub use mstx_runtime::{AsHeap, HeapKey, KnowsSize, Regions, Report};

/// Here everything is heard.
#[doc(hidden)]
#[macro_export]
macro_rules! __heard {
    ($kind:ident [$($call:tt)*]) => { $($call)* };
}

#[doc(hidden)]
pub mod __private {
    pub use crate::__heard as heard;
    pub use mstx_runtime::__private::{Option, Some, Spans, around, awaiting, domain, never, probe, run, site};

    use mstx_runtime::{AsDomain, AsHeap, Device, KnowsSize, Regions, Site, Size, Stream};
    use std::sync::Once;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    static ENDS: AtomicUsize = AtomicUsize::new(0);
    static BEGINNINGS: AtomicUsize = AtomicUsize::new(0);

    fn count(counter: &AtomicUsize) {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // SAFETY: the function can be called at any time.
            unsafe { atexit(write) };
        });
        counter.fetch_add(1, Relaxed);
    }

    unsafe extern "C" {
        fn atexit(call: extern "C" fn()) -> i32;
    }

    extern "C" fn write() {
        if let Some(path) = std::env::var_os("MSTX_COUNTS") {
            let counts = format!("{} {}", ENDS.load(Relaxed), BEGINNINGS.load(Relaxed));
            std::fs::write(path, counts).expect("the counts can be written");
        }
    }

    pub fn listening() -> bool {
        true
    }

    pub fn flush() {}

    pub fn suspended<C>(_: &C) {}

    pub fn resumed<C>(_: &C) {}

    pub struct Call(());

    impl Call {
        pub fn off() -> Self {
            Self(())
        }
        pub fn new(_: &'static Site) -> Self {
            Self(())
        }
        pub fn domain<D: AsDomain + ?Sized>(self, domain: &D) -> Self {
            domain.as_domain();
            self
        }
        pub fn heap<H: AsHeap + ?Sized>(self, heap: &H) -> Self {
            heap.as_heap();
            self
        }
        pub fn ptr(self, _: Spans) -> Self {
            self
        }
        pub fn size<S: Size>(self, size: S) -> Self {
            size.bytes();
            self
        }
        pub fn device<D: Device>(self, device: D) -> Self {
            device.number();
            self
        }
        pub fn host(self) -> Self {
            self
        }
        pub fn name<N: AsRef<str> + ?Sized>(self, name: &N) -> Self {
            name.as_ref();
            self
        }
        pub fn deferred(self) -> Self {
            self
        }
        pub fn deferred_at<S: Size>(self, n: S) -> Self {
            n.bytes();
            self
        }
        pub fn suspends(self) -> Self {
            self
        }
        pub fn begin(self) -> Self {
            self
        }
        pub fn is_on(&self) -> bool {
            count(&ENDS);
            true
        }
        pub fn is_heard(&self) -> bool {
            true
        }
        pub fn pass<R: Regions + KnowsSize>(self, result: R) -> R {
            result
        }
        pub fn pass_sized<R: Regions>(self, result: R) -> R {
            result
        }
        pub fn returned<R: Regions + KnowsSize + ?Sized>(self, _: &R) {}
        pub fn returned_sized<R: Regions + ?Sized>(self, _: &R) {}
        pub fn finish(self) {}
        pub fn release(self) -> Release {
            count(&BEGINNINGS);
            Release(())
        }
        pub fn resize(self) -> Resize {
            count(&BEGINNINGS);
            Resize(())
        }
        pub fn heap_resize(self) -> HeapResize {
            count(&BEGINNINGS);
            HeapResize(())
        }
        pub fn heap_reset(self) -> Body {
            count(&BEGINNINGS);
            Body(())
        }
        pub fn heap_unregister(self) -> Body {
            count(&BEGINNINGS);
            Body(())
        }
    }

    macro_rules! guards {
        ($($guard:ident)*) => {$(
            pub struct $guard(());

            impl $guard {
                pub fn off() -> Self {
                    Self(())
                }
                pub fn is_on(&self) -> bool {
                    true
                }
            }

            impl Drop for $guard {
                fn drop(&mut self) {}
            }
        )*};
    }
    guards!(Release Resize HeapResize Body Range Internal);

    impl Release {
        pub fn refused(self) {}
    }

    impl Resize {
        pub fn moved(self, _: Spans) {}
    }

    impl HeapResize {
        pub fn succeeded(self) {}
    }

    impl Internal {
        pub fn enter() -> Self {
            Self(())
        }
    }

    impl Range {
        pub fn new(_: &'static Site) -> Self {
            Self(())
        }
        pub fn domain<D: AsDomain + ?Sized>(self, domain: &D) -> Self {
            domain.as_domain();
            self
        }
        pub fn name<N: AsRef<str> + ?Sized>(self, name: &N) -> Self {
            name.as_ref();
            self
        }
        pub fn stream<S: Stream>(self, stream: S) -> Self {
            stream.address();
            self
        }
        pub fn enter(self) -> Self {
            self
        }
    }
}
