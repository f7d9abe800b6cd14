//! Python's pickle format, as much of it as is needed: protocol 2, which all readers know.
//!
//! What is written several times is written once, and then taken from the reader's memory.

use crate::files::out::Out;
use crate::recording::memory::{Vec, add, index, vec};
use crate::recording::names::{Texts, UNKNOWN};

/// Something in the reader's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Memo(u32);

/// Writes a pickle.
pub(super) struct Pickle<'a, 'b> {
    out: &'a mut Out<'b>,
    texts: Texts,
    /// Where in the reader's memory the texts are.
    memos: Vec<Memo>,
    next: u32,
}

impl<'a, 'b> Pickle<'a, 'b> {
    /// Begins.
    pub(super) fn new(out: &'a mut Out<'b>) -> Self {
        out.bytes(b"\x80\x02");
        Self { out, texts: Texts::new(), memos: vec(), next: 0 }
    }

    /// The end.
    pub(super) fn end(self) {
        self.out.bytes(b".");
    }

    /// So much of the work is done, of so much.
    pub(super) fn reached(&mut self, done: usize, all: usize) {
        self.out.reached(done, all);
    }

    /// A dictionary: a key, a value, and so on, follow.
    pub(super) fn begin_dict(&mut self) {
        self.out.bytes(b"}(");
    }

    pub(super) fn end_dict(&mut self) {
        self.out.bytes(b"u");
    }

    /// A list. Each item is followed by `item`: a reader in a browser cannot take many at once.
    pub(super) fn begin_list(&mut self) {
        self.out.bytes(b"]");
    }

    /// What was written last is an item of the list before it.
    pub(super) fn item(&mut self) {
        self.out.bytes(b"a");
    }

    pub(super) fn text(&mut self, text: &str) {
        let number = self.texts.number(text);
        if let Some(&memo) = self.memos.get(index(number)) {
            return self.get(memo);
        }
        self.out.bytes(b"X");
        // Texts are short; one that is not is cut off, and could not be a name of anything.
        let length = u32::try_from(text.len()).unwrap_or(0);
        self.out.bytes(&length.to_le_bytes());
        self.out.bytes(&text.as_bytes()[..index(length)]);
        if number != UNKNOWN && index(number) == self.memos.len() {
            let memo = Memo(self.next);
            if add(&mut self.memos, memo).is_ok() {
                self.memoize();
            }
        }
    }

    /// The reader keeps what was written last.
    pub(super) fn memoize(&mut self) -> Memo {
        let memo = self.next;
        self.next += 1;
        match u8::try_from(memo) {
            Ok(memo) => self.out.bytes(&[b'q', memo]),
            Err(_) => self.with_four(b'r', memo),
        }
        Memo(memo)
    }

    /// What the reader has kept.
    pub(super) fn get(&mut self, Memo(memo): Memo) {
        match u8::try_from(memo) {
            Ok(memo) => self.out.bytes(&[b'h', memo]),
            Err(_) => self.with_four(b'j', memo),
        }
    }

    fn with_four(&mut self, code: u8, number: u32) {
        let [a, b, c, d] = number.to_le_bytes();
        self.out.bytes(&[code, a, b, c, d]);
    }

    pub(super) fn number(&mut self, number: u64) {
        match number {
            0..=0xff => self.out.bytes(&[b'K', number.to_le_bytes()[0]]),
            0x100..=0xffff => self.out.bytes(&[b'M', number.to_le_bytes()[0], number.to_le_bytes()[1]]),
            0x1_0000..=0x7fff_ffff => {
                let [a, b, c, d, ..] = number.to_le_bytes();
                self.out.bytes(&[b'J', a, b, c, d]);
            }
            _ => {
                // Signed, so there is a bit more than there are digits.
                let mut bytes = [0; 9];
                bytes[..8].copy_from_slice(&number.to_le_bytes());
                let length = (64 - number.leading_zeros()) / 8 + 1;
                self.out.bytes(&[0x8a, length.to_le_bytes()[0]]);
                self.out.bytes(&bytes[..index(length)]);
            }
        }
    }

    /// A key, and a number.
    pub(super) fn entry(&mut self, key: &str, number: u64) {
        self.text(key);
        self.number(number);
    }

    /// A key, and a text.
    pub(super) fn text_entry(&mut self, key: &str, text: &str) {
        self.text(key);
        self.text(text);
    }
}
