//! TEMPORARY
#![allow(non_snake_case, missing_docs, clippy::all, clippy::pedantic)]
use crate::{Regions, Report, Spans};
use core::ops::Deref;
pub struct MovedProbe<'a, T: ?Sized>(MovedOther<'a, T>);
pub struct MovedOther<'a, T: ?Sized>(&'a T);
pub fn Moved<T: ?Sized>(v: &T) -> MovedProbe<'_, T> {
    MovedProbe(MovedOther(v))
}
impl<'a, T: ?Sized> Deref for MovedProbe<'a, T> {
    type Target = MovedOther<'a, T>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
fn spans_of<T: Regions + ?Sized>(value: &T) -> Spans {
    let mut spans = Spans::new();
    value.regions(&mut Report { spans: &mut spans });
    spans
}
// `moved`: where a resized region is now.

impl MovedProbe<'_, ()> {
    /// Nothing returned: resized in place.
    #[must_use]
    pub fn spans(&self) -> Spans {
        Spans::same_place()
    }
}

impl MovedProbe<'_, bool> {
    /// Resized in place, or refused.
    #[must_use]
    pub fn spans(&self) -> Spans {
        if *self.0.0 { Spans::same_place() } else { Spans::new() }
    }
}

impl MovedProbe<'_, Option<()>> {
    /// Resized in place, or refused.
    #[must_use]
    pub fn spans(&self) -> Spans {
        Moved(&self.0.0.is_some()).spans()
    }
}

impl<E> MovedProbe<'_, Result<(), E>> {
    /// Resized in place, or refused.
    #[must_use]
    pub fn spans(&self) -> Spans {
        Moved(&self.0.0.is_ok()).spans()
    }
}

impl<E> MovedProbe<'_, Result<bool, E>> {
    /// Resized in place, or refused.
    #[must_use]
    pub fn spans(&self) -> Spans {
        Moved(&matches!(self.0.0, Ok(true))).spans()
    }
}

impl<T: Regions + ?Sized> MovedProbe<'_, T> {
    /// Where the value says; a refusal stands for no region.
    #[must_use]
    pub fn spans(&self) -> Spans {
        spans_of(self.0.0)
    }
}

impl<T: ?Sized> MovedOther<'_, T> {
    /// Here only for its error message.
    #[must_use]
    pub fn spans(&self) -> Spans
    where
        T: Regions,
    {
        spans_of(self.0)
    }
}
