use std::arch::naked_asm;

#[mstx::region(size = 3)]
#[unsafe(naked)]
extern "C" fn alloc() -> *mut u8 {
    naked_asm!("")
}

#[unsafe(naked)]
#[mstx::flush]
extern "C" fn launch() {
    naked_asm!("")
}

fn main() {
    alloc();
    launch();
}
