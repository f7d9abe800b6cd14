//! Pools with mistakes in the program that uses them: `matrix POOL MISTAKE`. And programs without any: `random`, `lives`.
//!
//! The pools are right. What is wrong is always in `user`.
#![allow(clippy::undocumented_unsafe_blocks, reason = "the mistakes are made on purpose, and the pools are what they are in C")]
#![allow(clippy::multiple_unsafe_ops_per_block, reason = "as above")]

mod lives;
mod memory;
mod odd;
mod pools;
mod random;
mod user;

use pools::{arena, buddy, bump, free_list, growing, headers, slots};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [pool, mistake] = &arguments[..] else {
        eprintln!("matrix POOL MISTAKE");
        std::process::exit(2);
    };
    let run = match pool.as_str() {
        "bump" => user::run::<bump::Bump>,
        "free-list" => user::run::<free_list::FreeList>,
        "headers" => user::run::<headers::Headers>,
        "buddy" => user::run::<buddy::Buddy>,
        "arena" => user::run::<arena::Arena>,
        "malloc-slab" => user::run::<slots::OfMalloc>,
        "mmap-slab" => user::run::<slots::OfMmap>,
        "growing" => user::run::<growing::Growing>,
        "random" => random::run,
        "lives" => lives::run,
        "odd" => odd::run,
        _ => {
            eprintln!("there is no such pool");
            std::process::exit(2);
        }
    };
    // Some programs do so themselves, later.
    if pool != "lives" || !matches!(mistake.as_str(), "exit" | "late") {
        mstx::checker::install();
    }
    run(mistake);
}
