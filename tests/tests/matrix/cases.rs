//! Faults that users of comparable tools met, under tools that see accesses.
