// shape: lints of the compiler that are off by default, and those about the next edition, all switched on
// edition: 2021
// expect: 5 3
#![warn(rust_2024_compatibility, let_underscore_drop, trivial_casts, trivial_numeric_casts, unused_qualifications, unused_results)]
#![warn(unsafe_op_in_unsafe_fn, unreachable_pub, missing_docs, missing_debug_implementations, missing_copy_implementations)]
#![warn(single_use_lifetimes, unused_lifetimes, explicit_outlives_requirements, redundant_lifetimes, elided_lifetimes_in_paths)]
#![warn(macro_use_extern_crate, meta_variable_misuse, non_ascii_idents, unused_import_braces, unused_macro_rules, variant_size_differences)]
#![warn(unit_bindings, ambiguous_negative_literals, absolute_paths_not_starting_with_crate, unused_crate_dependencies, redundant_imports)]
//! Documented.
use async_trait as _;
use helpers::Noisy;
use reexporting as _;
use std::sync::Mutex;
use tracing as _;
/// A lock in the tail: `tail_expr_drop_order`.
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn tail(lock: &Mutex<Vec<Noisy>>) -> usize { let _last = Noisy("last"); lock.lock().unwrap_or_else(std::sync::PoisonError::into_inner).len() }
/// A scrutinee of `if let`: `if_let_rescope`.
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn rescope(lock: &Mutex<Vec<Noisy>>) -> usize { if let Some(first) = lock.lock().ok().and_then(|mut list| list.pop()) { first.0.len() } else { if lock.is_poisoned() { return 9; } 0 } }
/// An opaque type that captures less in 2021: `impl_trait_overcaptures`.
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn opaque(list: &[u8]) -> impl Iterator<Item = usize> { let n = list.len(); 0..n }
/// # Safety
/// Unsafe without a block: `unsafe_op_in_unsafe_fn`.
#[mstx::region_unregister(ptr = p)]
pub unsafe fn read(p: *const u8) -> u8 { *p }
/// Results that nobody uses: `unused_results`.
#[mstx::region_unregister(ptr = 4096_usize)]
pub fn unused(list: &mut Vec<u8>) { list.push(1); let _ = Noisy("dropped at once"); list.pop(); std::mem::drop(0 as u8); }
/// `boxed_slice_into_iter`, `never_type_fallback`
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn fallback(n: u8) -> Option<u8> { let list: Box<[u8]> = vec![n].into(); for x in list.into_iter() { if *x == 0 { return None; } } let () = Default::default(); Some(n) }
/// A macro: `expr_2021`
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn unit(n: u8) -> u8 { macro_rules! same { ($e:expr) => { $e }; } let x = println!("{n}"); let _y = x; same!(n) as u8 }
#[mstx::region_unregister(ptr = 4096_usize)]
pub fn undocumented<'a>(x: &'a u8) -> u8 { if *x == 0 { return -1 as i8 as u8; } *x }
/// Runs.
pub fn main() {
    let lock = Mutex::new(vec![Noisy("a"), Noisy("b")]);
    println!("{} {} {}", tail(&lock), rescope(&lock), opaque(&[1, 2]).count());
    println!("{}", unsafe { read(&3) });
    unused(&mut vec![]);
    println!("{:?} {} {}", fallback(1), unit(2), undocumented(&3));
}
