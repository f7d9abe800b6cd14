//! Methods that hand out borrows of `self`.

struct Bump {
    buf: Vec<u8>,
    top: usize,
}

#[derive(Debug)]
struct Full;

impl Bump {
    #[mstx::region(size = n)]
    fn bytes(&mut self, n: usize) -> &mut [u8] {
        let at = self.top;
        self.top += n;
        &mut self.buf[at..at + n]
    }

    #[mstx::region(size = n)]
    fn frozen(&mut self, n: usize) -> Result<&[u8], Full> {
        let at = self.top;
        let end = at.checked_add(n).filter(|e| *e <= self.buf.len()).ok_or(Full)?;
        self.top = end;
        Ok(&self.buf[at..end])
    }

    #[mstx::region_unregister(ptr = p)]
    fn retire(&mut self, p: *mut u8) -> Result<impl Iterator<Item = usize> + '_, Full> {
        let off = p as usize - self.buf.as_ptr() as usize;
        if off >= self.buf.len() {
            return Err(Full);
        }
        Ok((0..off).filter(move |i| self.buf[*i] == 0))
    }
}

pub(super) fn c01() {
    let mut b = Bump { buf: vec![0; 64], top: 0 };
    b.bytes(8)[0] = 1;
    assert_eq!(b.frozen(8).map(<[u8]>::len).ok(), Some(8));
    assert!(b.frozen(1000).is_err());
    let p = b.buf.as_mut_ptr();
    assert_eq!(b.retire(p).map(Iterator::count).ok(), Some(0));
    crate::report::faults();
}
