//! Rows of numbers, as they are read.

use serde::de::{DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;

/// Rows of equal length, one behind the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// All numbers.
    pub numbers: Vec<f64>,
    /// How many rows there are.
    pub count: usize,
    /// How long each of them is.
    pub width: usize,
}

impl<'de> serde::Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(All)
    }
}

/// Reads all rows.
struct All;

impl<'de> Visitor<'de> for All {
    type Value = Rows;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of lists of numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Rows, A::Error> {
        let mut rows = Rows::default();
        while let Some(width) = list.next_element_seed(One(&mut rows.numbers))? {
            if rows.count > 0 && width != rows.width {
                let message = format!("a row of {width} numbers after one of {}", rows.width);
                return Err(A::Error::custom(message));
            }
            rows.width = width;
            rows.count += 1;
        }
        rows.numbers.shrink_to_fit();
        Ok(rows)
    }
}

/// Reads a row behind those that were read, and gives its length.
struct One<'a>(&'a mut Vec<f64>);

impl<'de> DeserializeSeed<'de> for One<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for One<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<usize, A::Error> {
        let before = self.0.len();
        while let Some(number) = list.next_element()? {
            self.0.push(number);
        }
        Ok(self.0.len() - before)
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;

    #[test]
    fn rows_are_of_equal_length() {
        let rows: Rows = serde_json::from_str("[[1, 2.5], [3, 4]]").unwrap();
        let expected = Rows { numbers: vec![1.0, 2.5, 3.0, 4.0], count: 2, width: 2 };
        assert_eq!(rows, expected);
        assert_eq!(serde_json::from_str::<Rows>("[]").unwrap(), Rows::default());
        assert_eq!(serde_json::from_str::<Rows>("[[], []]").unwrap().count, 2);
        for wrong in ["[[1], [2, 3]]", "[1]", "[[true]]", "{}", "[[1"] {
            assert!(serde_json::from_str::<Rows>(wrong).is_err(), "{wrong}");
        }
    }
}
