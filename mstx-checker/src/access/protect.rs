//! Page protection, and the signal of an access that it refuses.
#![cfg_attr(all(target_os = "linux", not(miri)), allow(unsafe_code, reason = "calls the C library, and handles a signal"))]

/// What becomes of a refused access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is let through, and tried again.
    Again,
    /// Whoever handled the signal before goes on with it.
    Pass,
}

/// Asked about each refused access: its address, and whether it writes, where that is known.
pub(super) type Judge = fn(usize, Option<bool>) -> Verdict;

#[cfg(all(target_os = "linux", not(miri)))]
mod system {
    use core::ffi::{c_int, c_void};
    use core::mem::MaybeUninit;
    use core::ptr::{null_mut, with_exposed_provenance_mut};
    use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

    use super::{Judge, Verdict};

    const SEGV_ACCERR: c_int = 2;

    static JUDGE: AtomicPtr<()> = AtomicPtr::new(null_mut());
    /// What handled the signal before: its function, and its flags.
    static BEFORE: AtomicUsize = AtomicUsize::new(libc::SIG_DFL);
    static FLAGS: AtomicUsize = AtomicUsize::new(0);

    /// The size of a page.
    pub(in super::super) fn page() -> usize {
        // SAFETY: no conditions.
        usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
    }

    fn protect(start: usize, size: usize, protection: c_int) -> bool {
        // SAFETY: a pool's own pages, of which the books say that nobody may access them, or that somebody may.
        unsafe { libc::mprotect(with_exposed_provenance_mut(start), size, protection) == 0 }
    }

    /// Nobody may access the pages. `false` where that cannot be, and they are as before.
    pub(in super::super) fn close(start: usize, size: usize) -> bool {
        protect(start, size, libc::PROT_NONE)
    }

    /// The pages may be accessed.
    pub(in super::super) fn open(start: usize, size: usize) -> bool {
        protect(start, size, libc::PROT_READ | libc::PROT_WRITE)
    }

    /// Asks `judge` about refused accesses from now on. One at a time calls this; after the first, nothing happens.
    pub(in super::super) fn watch(judge: Judge) {
        if !JUDGE.swap(judge as *mut (), Ordering::Relaxed).is_null() {
            return;
        }
        let (mut new, mut old) = (MaybeUninit::<libc::sigaction>::zeroed(), MaybeUninit::<libc::sigaction>::zeroed());
        // SAFETY: it was just made. All zeroes is a value of it.
        let action = unsafe { new.assume_init_mut() };
        action.sa_sigaction = handle as extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) as usize;
        // On the stack for signals: the program's own may be what is used up.
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: the first is a whole action, the second is valid for being written.
        if unsafe { libc::sigaction(libc::SIGSEGV, new.as_ptr(), old.as_mut_ptr()) } == 0 {
            // SAFETY: it was written. All zeroes is a value of it, too.
            let old = unsafe { old.assume_init() };
            FLAGS.store(usize::try_from(old.sa_flags).unwrap_or(0), Ordering::Relaxed);
            BEFORE.store(old.sa_sigaction, Ordering::Relaxed);
        }
    }

    extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        // SAFETY: no conditions.
        let errno = unsafe { libc::__errno_location() };
        // SAFETY: it is the running thread's own.
        let before = unsafe { errno.read() };
        decide(signal, info, context);
        // SAFETY: as above.
        unsafe { errno.write(before) };
    }

    fn decide(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        // SAFETY: the system gives a valid one to such a handler.
        let said = unsafe { &*info };
        // SAFETY: that field is there for this signal.
        let address = unsafe { said.si_addr() }.addr();
        // It is mapped, and may not be accessed.
        let is_access = said.si_code == SEGV_ACCERR;
        let judge = JUDGE.load(Ordering::Relaxed);
        if is_access && !judge.is_null() {
            // SAFETY: only such functions are stored there.
            let judge = unsafe { core::mem::transmute::<*mut (), Judge>(judge) };
            // SAFETY: as for `address`.
            let writes = unsafe { writes(context) };
            if judge(address, writes) == Verdict::Again {
                return;
            }
        }
        pass(signal, info, context);
    }

    /// Whether the access writes, which the processor says on some machines.
    #[cfg(all(target_arch = "x86_64", target_env = "gnu"))]
    unsafe fn writes(context: *mut c_void) -> Option<bool> {
        const WRITES: libc::greg_t = 2;
        let index = usize::try_from(libc::REG_ERR).ok()?;
        // SAFETY: the caller has it from the system.
        let machine = unsafe { &(*context.cast::<libc::ucontext_t>()).uc_mcontext };
        machine.gregs.get(index).map(|error| error & WRITES != 0)
    }

    #[cfg(not(all(target_arch = "x86_64", target_env = "gnu")))]
    unsafe fn writes(_: *mut c_void) -> Option<bool> {
        None
    }

    fn pass(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        let before = BEFORE.load(Ordering::Relaxed);
        if before == libc::SIG_DFL || before == libc::SIG_IGN {
            let mut default = MaybeUninit::<libc::sigaction>::zeroed();
            // SAFETY: it was just made; all zeroes is a value of it, and stands for the default.
            let action = unsafe { default.assume_init_mut() };
            // SAFETY: a whole action. The access is tried again, and ends the process.
            unsafe { libc::sigaction(signal, action, null_mut()) };
            return;
        }
        let with_info = FLAGS.load(Ordering::Relaxed) & usize::try_from(libc::SA_SIGINFO).unwrap_or(0) != 0;
        let function = core::ptr::with_exposed_provenance::<c_void>(before);
        if with_info {
            type Handler = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
            // SAFETY: this flag says that it is such a function.
            let handler = unsafe { core::mem::transmute::<*const c_void, Handler>(function) };
            handler(signal, info, context);
        } else {
            // SAFETY: without the flag, it is such a function.
            let handler = unsafe { core::mem::transmute::<*const c_void, extern "C" fn(c_int)>(function) };
            handler(signal);
        }
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
mod system {
    pub(in super::super) fn page() -> usize {
        4096
    }

    pub(in super::super) fn close(_: usize, _: usize) -> bool {
        false
    }

    pub(in super::super) fn open(_: usize, _: usize) -> bool {
        false
    }

    pub(in super::super) fn watch(_: super::Judge) {}
}

pub(super) use self::system::{close, open, page, watch};

/// Whether there is such a thing on this system.
pub(super) const AVAILABLE: bool = cfg!(all(target_os = "linux", not(miri)));
