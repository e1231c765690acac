//! Random numbers, the same in every run.

/// A small generator.
pub struct Random(pub u64);

impl Random {
    /// Between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Between 0.5 and 2, sometimes below zero.
    pub fn number(&mut self) -> f64 {
        let size = 0.5 + 1.5 * self.unit();
        if self.unit() < 0.2 { -size } else { size }
    }
}
