//! The largest few of many, without memory for all of them.

/// Up to `N` of these, the one that ranks highest first; and how many were left out.
pub(crate) fn largest<const N: usize, T: Copy, K: Ord>(
    all: impl Iterator<Item = T>,
    rank: impl Fn(&T) -> K,
) -> (impl Iterator<Item = T>, usize) {
    let mut places = [None; N];
    let mut left_out = 0_usize;
    for item in all {
        let mut item = Some(item);
        // Of equals, the first one stays in front. (`None` ranks lowest.)
        let at = places.iter().position(|place| place.as_ref().map(&rank) < item.as_ref().map(&rank));
        for place in &mut places[at.unwrap_or(N)..] {
            core::mem::swap(place, &mut item);
        }
        left_out += usize::from(item.is_some());
    }
    (places.into_iter().flatten(), left_out)
}

#[cfg(test)]
mod tests {
    use super::largest;

    #[test]
    fn the_largest_come_first() {
        let items = [(3, 'a'), (1, 'b'), (5, 'c'), (3, 'd'), (9, 'e'), (0, 'f')];
        let (found, left_out) = largest::<4, _, _>(items.into_iter(), |item| item.0);
        assert_eq!(found.collect::<Vec<_>>(), [(9, 'e'), (5, 'c'), (3, 'a'), (3, 'd')]);
        assert_eq!(left_out, 2);
    }

    #[test]
    fn there_may_be_few() {
        let (found, left_out) = largest::<4, _, _>([2, 1].into_iter(), |&item| item);
        assert_eq!((found.collect::<Vec<_>>(), left_out), (vec![2, 1], 0));
    }
}
