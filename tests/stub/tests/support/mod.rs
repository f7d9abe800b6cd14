//! A tiny MSTX client, and the running of scenarios in processes of their own.
#![allow(dead_code, unused_macros, reason = "each test program uses a part of it")]

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering::Relaxed};
use std::{fs, ptr};

/// The stub: Cargo puts it next to the test programs.
pub(crate) fn library() -> PathBuf {
    let program = std::env::current_exe().expect("a test program has a path");
    program.with_file_name("libmstx_stub.so")
}

/// What a scenario left behind.
pub(crate) struct Log {
    pub(crate) status: ExitStatus,
    /// The events, without sequence, process and thread.
    pub(crate) events: Vec<String>,
    pub(crate) text: String,
}

impl Log {
    /// Reads a log and removes it.
    pub(crate) fn take(path: &Path, status: ExitStatus) -> Log {
        let text = fs::read_to_string(path).unwrap_or_default();
        let _ = fs::remove_file(path);
        let event = |line: &str| line.splitn(4, ' ').nth(3).expect("four fields").to_owned();
        Log { status, events: text.lines().map(event).collect(), text }
    }

    pub(crate) fn starting(&self, start: &str) -> Vec<&str> {
        self.events.iter().map(String::as_str).filter(|event| event.starts_with(start)).collect()
    }

    /// The rules that were broken, in order.
    pub(crate) fn broken(&self) -> Vec<u32> {
        let rule = |line: &str| line.split(['=', ' ']).nth(2).and_then(|rule| rule.parse().ok());
        self.starting("VIOLATION").into_iter().filter_map(rule).collect()
    }

    /// Asserts a line, by its start.
    pub(crate) fn has(&self, start: &str) {
        assert!(!self.starting(start).is_empty(), "no line `{start}` in\n{}", self.text);
    }

    pub(crate) fn clean(&self) {
        assert!(self.status.success() && self.broken().is_empty(), "not clean:\n{}", self.text);
    }
}

/// A test: words for the stub, what happens in a process of its own, and what the log of it should be.
macro_rules! scenario {
    ($name:ident, $words:literal, $body:expr, $judge:expr) => {
        #[test]
        fn $name() {
            support::run(stringify!($name), $words, $body, $judge);
        }
    };
}

/// Runs `body` in a process of its own, in which the stub is what `words` say; then `judge` gets the log.
pub(crate) fn run(name: &str, words: &str, body: fn(), judge: fn(&Log)) {
    const CHILD: &str = "MSTX_STUB_SCENARIO";
    if std::env::var_os(CHILD).is_some_and(|child| child == name) {
        body();
        std::process::exit(0);
    }
    let log = temporary(name);
    let program = std::env::current_exe().expect("a test program has a path");
    let mut command = Command::new(program);
    command.args([name, "--exact", "--nocapture", "--test-threads=1"]);
    command.env(CHILD, name).env("MSTX_STUB", words).env("MSTX_STUB_LOG", &log);
    let output = command.output().expect("the test program runs again");
    let log = Log::take(&log, output.status);
    if output.status.code() == Some(101) {
        let (out, err) = (&output.stdout, &output.stderr);
        let (out, err) = (String::from_utf8_lossy(out), String::from_utf8_lossy(err));
        assert!(log.status.success(), "{out}{err}\n{}", log.text);
    }
    judge(&log);
}

/// A path for a file of one scenario; nothing is there.
pub(crate) fn temporary(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("{name}.{}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

type Slot = Option<unsafe extern "C" fn()>;

const LARGEST: usize = 7;
static FUNCTIONS: [[AtomicPtr<c_void>; LARGEST]; 3] = [const { [const { AtomicPtr::new(ptr::null_mut()) }; LARGEST] }; 3];
static TABLES: [[AtomicPtr<c_void>; LARGEST]; 3] = [const { [const { AtomicPtr::new(ptr::null_mut()) }; LARGEST] }; 3];
static SIZES: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];

unsafe extern "C" fn getter(module: c_int, table: *mut *mut *mut Slot, size: *mut c_uint) -> c_int {
    let module = module as usize - 1;
    let offered = SIZES[module].load(Relaxed);
    if offered == 0 {
        return 1;
    }
    // SAFETY: the tool gives both to be written to.
    unsafe { table.write(TABLES[module].as_ptr().cast_mut().cast()) };
    // SAFETY: the tool gives both to be written to.
    unsafe { size.write(offered) };
    0
}

/// What the client offers.
#[derive(Clone, Copy)]
pub(crate) struct Offer {
    /// 0: no such module.
    pub(crate) sizes: [u32; 3],
    /// A slot behind the last.
    pub(crate) spare: bool,
}

impl Default for Offer {
    fn default() -> Offer {
        Offer { sizes: [5, 6, 5], spare: true }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Desc {
    device: u32,
    ptr: usize,
    size: u64,
}

#[repr(C)]
struct HeapDesc {
    usage: c_int,
    kind: c_int,
    range: *const Desc,
}

#[repr(C)]
struct RegisterBatch {
    heap: usize,
    kind: c_int,
    count: usize,
    ranges: *const Desc,
    handles: *mut usize,
}

#[repr(C)]
struct Ref {
    kind: c_int,
    target: usize,
}

#[repr(C)]
struct UnregisterBatch {
    count: usize,
    refs: *const Ref,
}

/// A region to unregister.
#[derive(Clone, Copy)]
pub(crate) enum By {
    Pointer(usize),
    Handle(usize),
}

/// A client with the stub attached.
pub(crate) struct Client {
    library: usize,
    /// What the initialiser returned.
    pub(crate) status: c_int,
}

/// Calls a function by its type. The types are those of the interface.
macro_rules! call {
    ($address:expr, ($($type:ty),*) -> $result:ty, $($argument:expr),*) => {{
        // SAFETY: the address is that of a function of this type.
        let function = unsafe {
            std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($type),*) -> $result>($address)
        };
        // SAFETY: the arguments are what the interface asks for, or a mistake that the stub has to survive.
        unsafe { function($($argument),*) }
    }};
}

impl Client {
    pub(crate) fn attach() -> Client {
        Client::offer(Offer::default())
    }

    pub(crate) fn offer(offer: Offer) -> Client {
        for (module, size) in offer.sizes.into_iter().enumerate() {
            SIZES[module].store(size, Relaxed);
            for id in 0..LARGEST {
                let within = id < size as usize + usize::from(offer.spare);
                let slot = if within { FUNCTIONS[module][id].as_ptr() } else { ptr::null_mut() };
                TABLES[module][id].store(slot.cast(), Relaxed);
            }
        }
        let path = CString::new(library().as_os_str().as_bytes()).expect("a path without NUL");
        // SAFETY: the path is NUL-terminated.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY) };
        assert!(!library.is_null(), "{} cannot be loaded", path.to_string_lossy());
        let mut client = Client { library: library as usize, status: -1 };
        type Getter = unsafe extern "C" fn(c_int, *mut *mut *mut Slot, *mut c_uint) -> c_int;
        client.status = call!(client.symbol(c"InitInjectionMstx"), (Getter) -> c_int, getter);
        client
    }

    /// Uses the slots that another thread's client has filled; has no access to the library itself.
    pub(crate) fn unattached() -> Client {
        Client { library: 0, status: -1 }
    }

    fn symbol(&self, name: &CStr) -> *mut c_void {
        // SAFETY: the library is open, the name NUL-terminated.
        let symbol = unsafe { libc::dlsym(self.library as *mut c_void, name.as_ptr()) };
        assert!(!symbol.is_null(), "{name:?} is missing");
        symbol
    }

    /// Whether the tool filled a slot.
    pub(crate) fn filled(&self, module: usize, id: usize) -> bool {
        !FUNCTIONS[module - 1][id].load(Relaxed).is_null()
    }

    fn function(&self, module: usize, id: usize) -> *mut c_void {
        assert!(self.filled(module, id), "function {id} of module {module} is not filled");
        FUNCTIONS[module - 1][id].load(Relaxed)
    }

    pub(crate) fn mark(&self, message: Option<&CStr>) {
        let message = message.map_or(ptr::null(), CStr::as_ptr);
        call!(self.function(1, 1), (*const c_char, *const c_void) -> (), message, ptr::null());
    }

    pub(crate) fn range_start(&self, message: &CStr) -> u64 {
        let message = message.as_ptr();
        call!(self.function(1, 2), (*const c_char, *const c_void) -> u64, message, ptr::null())
    }

    pub(crate) fn range_end(&self, id: u64) {
        call!(self.function(1, 3), (u64) -> (), id);
    }

    pub(crate) fn tool_id(&self) -> u64 {
        let mut id = 0;
        call!(self.function(1, 4), (*mut u64) -> (), &mut id);
        id
    }

    pub(crate) fn domain(&self, name: Option<&CStr>) -> usize {
        let name = name.map_or(ptr::null(), CStr::as_ptr);
        call!(self.function(2, 1), (*const c_char) -> usize, name)
    }

    pub(crate) fn domain_destroy(&self, domain: usize) {
        call!(self.function(2, 2), (usize) -> (), domain);
    }

    pub(crate) fn domain_mark(&self, domain: usize, message: &CStr) {
        let (message, stream) = (message.as_ptr(), ptr::null());
        let function = self.function(2, 3);
        call!(function, (usize, *const c_char, *const c_void) -> (), domain, message, stream);
    }

    pub(crate) fn domain_range_start(&self, domain: usize, message: &CStr) -> u64 {
        let (message, stream) = (message.as_ptr(), ptr::null());
        let function = self.function(2, 4);
        call!(function, (usize, *const c_char, *const c_void) -> u64, domain, message, stream)
    }

    pub(crate) fn domain_range_end(&self, domain: usize, id: u64) {
        call!(self.function(2, 5), (usize, u64) -> (), domain, id);
    }

    pub(crate) fn heap(&self, domain: usize, start: usize, size: u64) -> usize {
        let range = Desc { device: 0, ptr: start, size };
        let desc = HeapDesc { usage: 0, kind: 0, range: &range };
        call!(self.function(3, 1), (usize, *const HeapDesc) -> usize, domain, &desc)
    }

    pub(crate) fn heap_end(&self, domain: usize, heap: usize) {
        call!(self.function(3, 2), (usize, usize) -> (), domain, heap);
    }

    /// Regions of device 0, with a proper handle array.
    pub(crate) fn register(&self, domain: usize, heap: usize, regions: &[(usize, u64)]) -> Vec<usize> {
        let mut handles = vec![0; regions.len()];
        self.register_on(0, domain, heap, regions, handles.as_mut_ptr());
        handles
    }

    pub(crate) fn register_on(&self, device: u32, domain: usize, heap: usize, regions: &[(usize, u64)], handles: *mut usize) {
        let desc = |&(ptr, size): &(usize, u64)| Desc { device, ptr, size };
        let ranges: Vec<Desc> = regions.iter().map(desc).collect();
        let (count, ranges) = (ranges.len(), ranges.as_ptr());
        let batch = RegisterBatch { heap, kind: 0, count, ranges, handles };
        call!(self.function(3, 3), (usize, *const RegisterBatch) -> (), domain, &batch);
    }

    pub(crate) fn unregister(&self, domain: usize, regions: &[By]) {
        let by = |by: &By| match *by {
            By::Pointer(target) => Ref { kind: 0, target },
            By::Handle(target) => Ref { kind: 1, target },
        };
        let refs: Vec<Ref> = regions.iter().map(by).collect();
        let batch = UnregisterBatch { count: refs.len(), refs: refs.as_ptr() };
        call!(self.function(3, 4), (usize, *const UnregisterBatch) -> (), domain, &batch);
    }

    /// Calls a function of no arguments, wherever it is.
    pub(crate) fn bare(&self, module: usize, id: usize) {
        call!(self.function(module, id), () -> (),);
    }

    pub(crate) fn live(&self) -> Vec<[u64; 3]> {
        let mut live = vec![[0; 3]; 64];
        let function = self.symbol(c"mstx_stub_live");
        let count = call!(function, (*mut [u64; 3], usize) -> usize, live.as_mut_ptr(), live.len());
        live.truncate(count);
        live
    }

    pub(crate) fn accessible(&self, start: u64, size: u64) -> c_int {
        call!(self.symbol(c"mstx_stub_accessible"), (u64, u64) -> c_int, start, size)
    }

    pub(crate) fn violations(&self) -> u64 {
        call!(self.symbol(c"mstx_stub_violations"), () -> u64,)
    }

    pub(crate) fn calls(&self, kind: u32) -> u64 {
        call!(self.symbol(c"mstx_stub_calls"), (u32) -> u64, kind)
    }

    pub(crate) fn summary(&self) {
        call!(self.symbol(c"mstx_stub_summary"), () -> (),);
    }
}
