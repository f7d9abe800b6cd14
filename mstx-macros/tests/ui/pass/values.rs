//! What can be a size, a pointer, a heap, a domain, a name, a device, a stream.

use std::borrow::Cow;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::pin::Pin;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Arc;

const NULL: *mut u8 = std::ptr::null_mut();

macro_rules! takes {
    (@one $word:ident ($($fixed:tt)*) $key:ident $name:ident: $ty:ty = $value:expr) => {{
        #[mstx::$word($key = $name $($fixed)*)]
        fn by_value($name: $ty) -> *mut u8 {
            let _ = &$name;
            NULL
        }
        by_value($value);
    }};
    ($word:ident $fixed:tt $key:ident: $($name:ident: $ty:ty = $value:expr;)*) => {
        $(takes!(@one $word $fixed $key $name: $ty = $value);)*
    };
}

struct Pool;

impl mstx::AsHeap for Pool {
    fn as_heap(&self) -> mstx::HeapKey {
        NULL.into()
    }
}

mstx::domain!(static POOL = "pool");

fn main() {
    takes! { region () size:
        a: usize = 3; b: u32 = 3; c: u64 = 3; d: NonZeroUsize = NonZeroUsize::MIN; e: NonZeroU32 = NonZeroU32::MIN;
        f: NonZeroU64 = NonZeroU64::MIN; g: Option<usize> = None; h: Option<u32> = Some(3);
    }
    takes! { region_unregister () ptr:
        a: *mut u8 = NULL; b: *const u16 = NULL.cast(); c: NonNull<u8> = NonNull::dangling(); d: &u8 = &3; e: &mut [u8] = &mut [3];
        f: *mut [u8] = std::ptr::slice_from_raw_parts_mut(NULL, 3); g: (*mut u8, usize) = (NULL, 3); h: usize = 3; i: u64 = 3;
        j: Option<NonNull<u8>> = None; k: Option<usize> = None; l: Vec<*mut u8> = Vec::new(); m: [NonNull<u8>; 2] = [NonNull::dangling(); 2];
        n: Box<u8> = Box::new(3); o: Rc<[u8]> = Rc::new([3]); p: Arc<str> = Arc::from("abc"); q: Vec<u8> = vec![3];
        r: Pin<&mut u8> = Pin::new(&mut 3); s: Result<*mut u8, ()> = Err(()); t: &str = "abc"; u: NonZeroUsize = NonZeroUsize::MIN;
    }
    takes! { region (, size = 3) heap:
        a: *mut u8 = NULL; b: NonNull<[u8]> = NonNull::from(&mut [3]); c: usize = 3; d: u64 = 3; e: Pool = Pool; f: &Pool = &Pool;
        g: Box<Pool> = Box::new(Pool); h: Arc<Pool> = Arc::new(Pool); i: Pin<&mut Pool> = Pin::new(&mut Pool); j: mstx::HeapKey = NULL.into();
    }
    takes! { region (, size = 3) domain: a: &mstx::Domain = &POOL; b: mstx::Domain = mstx::Domain::new("b"); }
    takes! { heap (, size = 3) name: a: &str = "a"; b: String = "b".into(); c: Cow<str> = "c".into(); d: Arc<str> = "d".into(); }
    takes! { heap (, size = 3) device: a: u8 = 1; b: i32 = -1; c: usize = 3; d: u64 = 4; }
    takes! { range () stream: a: *mut u8 = NULL; b: *const u8 = NULL; c: NonNull<u8> = NonNull::dangling(); d: () = (); }
    literals();
}

/// Numbers without a type are `usize`.
#[mstx::region(heap = 0x1000, ptr = 0x1000 + 16, size = 32 << 10)]
#[mstx::heap(size = 32 << 30, ptr = 0x1000, device = 3, deferred = 1_000)]
fn literals() {}
