//! Convolutions of one and two dimensions.
//!
//! A convolution is made of sums of multiples of rows, one for each weight of the kernel: these
//! run in vector registers, and so do their adjoints.

use crate::prelude::*;

/// How many outputs are worked on at once, so that they stay in the nearest memory.
const BLOCK: usize = 1024;

/// `y += w x`
#[reversible]
#[inline]
fn add_multiple<T: Real>(y: &mut [T], w: &T, x: &[T]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += *w * *x;
    }
}

/// The length that a valid convolution has.
#[track_caller]
fn valid(signal: usize, kernel: usize) -> usize {
    assert!(kernel > 0, "a kernel has one weight at least");
    assert!(kernel <= signal, "a kernel of {kernel} does not fit into {signal}");
    signal - kernel + 1
}

#[track_caller]
fn must_be(found: usize, expected: usize, what: &str) {
    assert!(found == expected, "{what} must have {expected} elements, and has {found}");
}

/// Adds the convolution of a signal with a kernel, where the kernel fits:
/// `outᵢ += Σₖ kernelₖ signal[i + m − 1 − k]`, for a kernel of `m` weights.
///
/// There are `n − m + 1` such places in a signal of `n`. For a correlation, as neural networks
/// call a convolution, turn the kernel round. The adjoint has gradients for the signal and for the
/// kernel; it takes less than three times as long as the convolution.
///
/// ```
/// use retrograde::signal::convolve;
///
/// let mut out = [0.0; 2];
/// convolve(&mut out, &[1.0, 2.0, 4.0], &[1.0, -1.0]);
/// assert_eq!(out, [1.0, 2.0]);
/// convolve::inverse(&mut out, &[1.0, 2.0, 4.0], &[1.0, -1.0]);
/// assert_eq!(out, [0.0, 0.0]);
/// ```
///
/// # Panics
///
/// If the lengths do not fit.
#[reversible]
pub fn convolve<T: Real>(out: &mut [T], signal: &[T], kernel: &[T]) {
    #[constant]
    let n = checked(out.len(), valid(signal.len(), kernel.len()), "the output");
    let last = kernel.len() - 1;
    for start in (0..n).step_by(BLOCK) {
        let end = n.min(start + BLOCK);
        for k in 0..kernel.len() {
            let from = last - k;
            add_multiple(&mut out[start..end], &kernel[k], &signal[start + from..end + from]);
        }
    }
}

/// A length that must be another.
#[track_caller]
fn checked(found: usize, expected: usize, what: &str) -> usize {
    must_be(found, expected, what);
    found
}

/// Where the outputs are that an offset of the signal reaches: the first, and the one after the
/// last.
#[inline]
fn reach(n: usize, centre: usize, k: usize) -> (usize, usize) {
    // Output `i` reads the signal at `i + centre − k`.
    (k.saturating_sub(centre).min(n), (n + k).saturating_sub(centre).min(n))
}

/// Which weights reach the image from output `i`: the first, and the one after the last.
#[inline]
fn taps(n: usize, centre: usize, kernel: usize, i: usize) -> (usize, usize) {
    let end = kernel.min(i + centre + 1);
    ((i + centre + 1).saturating_sub(n).min(end), end)
}

/// Adds the convolution of a signal with a kernel, everywhere, where the signal is followed and
/// preceded by zeros: `outᵢ += Σₖ kernelₖ signal[i + c − k]`, with `c = (m − 1) / 2`, rounded down,
/// for a kernel of `m` weights.
///
/// The output is as long as the signal, and the middle of the kernel is at its place.
///
/// ```
/// use retrograde::signal::convolve_same;
///
/// let mut out = [0.0; 3];
/// convolve_same(&mut out, &[1.0, 2.0, 4.0], &[1.0, 10.0, 100.0]);
/// assert_eq!(out, [12.0, 124.0, 240.0]);
/// ```
///
/// # Panics
///
/// If output and signal have different lengths, or the kernel has no weight.
#[reversible]
pub fn convolve_same<T: Real>(out: &mut [T], signal: &[T], kernel: &[T]) {
    #[constant]
    let n = checked(out.len(), signal.len(), "the output");
    #[constant]
    let centre = middle(kernel.len());
    for k in 0..kernel.len() {
        #[constant]
        let (first, end) = reach(n, centre, k);
        if first < end {
            add_multiple(
                &mut out[first..end],
                &kernel[k],
                &signal[first + centre - k..end + centre - k],
            );
        }
    }
}

/// The middle of a kernel.
#[track_caller]
fn middle(kernel: usize) -> usize {
    assert!(kernel > 0, "a kernel has one weight at least");
    (kernel - 1) / 2
}

/// The height of an image of the given width.
#[track_caller]
fn height(elements: usize, width: usize, what: &str) -> usize {
    let rows = elements.checked_div(width).unwrap_or(0);
    assert!(rows > 0 && rows * width == elements, "{what}: {elements} elements in rows of {width}");
    rows
}

/// Adds the convolution of an image with a kernel, where the kernel fits: in both directions as
/// [`convolve()`].
///
/// Images are stored row after row; `width` and `kernel_width` are the lengths of the rows. The
/// output has `kernel_width − 1` columns less than the image, and as many rows less as the kernel
/// has, but one.
///
/// ```
/// use retrograde::signal::convolve_2d;
///
/// let image = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let mut out = [0.0; 2];
/// convolve_2d(&mut out, &image, 3, &[1.0, 0.0, 0.0, -1.0], 2);
/// assert_eq!(out, [4.0, 4.0]);
/// ```
///
/// # Panics
///
/// If the shapes do not fit.
#[reversible]
pub fn convolve_2d<T: Real>(
    out: &mut [T],
    image: &[T],
    width: usize,
    kernel: &[T],
    kernel_width: usize,
) {
    let kernel_rows = height(kernel.len(), kernel_width, "the kernel");
    let columns = valid(width, kernel_width);
    let rows = valid(height(image.len(), width, "the image"), kernel_rows);
    host! { must_be(out.len(), rows * columns, "the output"); }
    for r in 0..rows {
        for a in 0..kernel_rows {
            let below = (r + kernel_rows - 1 - a) * width;
            for b in 0..kernel_width {
                let from = below + kernel_width - 1 - b;
                add_multiple(
                    &mut out[r * columns..(r + 1) * columns],
                    &kernel[a * kernel_width + b],
                    &image[from..from + columns],
                );
            }
        }
    }
    host! { must_be(out.len(), rows * columns, "the output"); }
}

/// Adds the convolution of an image with a kernel, everywhere, where zeros surround the image: in
/// both directions as [`convolve_same()`].
///
/// ```
/// use retrograde::signal::convolve_same_2d;
///
/// let image = [1.0, 2.0, 3.0, 4.0];
/// let mut out = [0.0; 4];
/// convolve_same_2d(&mut out, &image, 2, &[1.0; 9], 3);
/// assert_eq!(out, [10.0; 4]);
/// ```
///
/// # Panics
///
/// If the shapes do not fit.
#[reversible]
pub fn convolve_same_2d<T: Real>(
    out: &mut [T],
    image: &[T],
    width: usize,
    kernel: &[T],
    kernel_width: usize,
) {
    let kernel_rows = height(kernel.len(), kernel_width, "the kernel");
    let rows = height(image.len(), width, "the image");
    let (middle_row, middle_column) = (middle(kernel_rows), middle(kernel_width));
    host! { must_be(out.len(), image.len(), "the output"); }
    for r in 0..rows {
        let to = r * width;
        let (first_row, end_row) = taps(rows, middle_row, kernel_rows, r);
        for a in first_row..end_row {
            let from = (r + middle_row - a) * width;
            for b in 0..kernel_width {
                let (first, end) = reach(width, middle_column, b);
                if first < end {
                    add_multiple(
                        &mut out[to + first..to + end],
                        &kernel[a * kernel_width + b],
                        &image[from + first + middle_column - b..from + end + middle_column - b],
                    );
                }
            }
        }
    }
    host! { must_be(out.len(), image.len(), "the output"); }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_gradient, assert_reversible};

    fn numbers(n: usize) -> Vec<f64> {
        (0..n).map(|i| (i as f64 * 1.3 + 0.4).sin()).collect()
    }

    /// Zero outside.
    fn at(x: &[f64], width: usize, r: isize, c: isize) -> f64 {
        let rows = (x.len() / width) as isize;
        let inside = (0..rows).contains(&r) && (0..width as isize).contains(&c);
        if inside { x[r as usize * width + c as usize] } else { 0.0 }
    }

    /// The definition, in two dimensions; (r, c) is where the last weight stands.
    fn by_definition(
        image: &[f64],
        width: usize,
        kernel: &[f64],
        of: usize,
        r: isize,
        c: isize,
    ) -> f64 {
        let weights = (0..kernel.len()).map(|k| ((k / of) as isize, (k % of) as isize, kernel[k]));
        weights.map(|(a, b, w)| w * at(image, width, r - a, c - b)).sum()
    }

    fn assert_near(found: &[f64], expected: impl Iterator<Item = f64>) {
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
    }

    #[test]
    fn they_are_convolutions() {
        for (n, m) in [(1, 1), (5, 1), (5, 2), (5, 3), (9, 4), (6, 6), (3000, 5)] {
            let (x, w) = (numbers(n), numbers(m + 2)[2..].to_vec());
            let mut out = vec![0.0; n - m + 1];
            convolve(&mut out, &x, &w);
            let valid = (m - 1) as isize;
            assert_near(&out, (0..).map(|i| by_definition(&x, n, &w, m, 0, i + valid)));
            let mut out = vec![0.0; n];
            convolve_same(&mut out, &x, &w);
            let centre = valid / 2;
            assert_near(&out, (0..).map(|i| by_definition(&x, n, &w, m, 0, i + centre)));
        }
        // Also where the kernel is longer than the signal.
        for m in 1..12 {
            let (x, w) = (numbers(4), numbers(m));
            let mut out = [0.0; 4];
            convolve_same(&mut out, &x, &w);
            let centre = (m - 1) as isize / 2;
            assert_near(&out, (0..).map(|i| by_definition(&x, 4, &w, m, 0, i + centre)));
        }
    }

    #[test]
    fn they_are_convolutions_in_the_plane() {
        for (rows, width, a, b) in
            [(1, 1, 1, 1), (4, 5, 2, 3), (5, 4, 3, 1), (3, 7, 3, 4), (6, 6, 5, 5)]
        {
            let (x, w) = (numbers(rows * width), numbers(a * b));
            let columns = width - b + 1;
            let mut out = vec![0.0; (rows - a + 1) * columns];
            convolve_2d(&mut out, &x, width, &w, b);
            let place = |i: usize, columns: usize| ((i / columns) as isize, (i % columns) as isize);
            let (down, right) = (a as isize - 1, b as isize - 1);
            assert_near(
                &out,
                (0..).map(|i| {
                    let (r, c) = place(i, columns);
                    by_definition(&x, width, &w, b, r + down, c + right)
                }),
            );
            let mut out = vec![0.0; rows * width];
            convolve_same_2d(&mut out, &x, width, &w, b);
            assert_near(
                &out,
                (0..).map(|i| {
                    let (r, c) = place(i, width);
                    by_definition(&x, width, &w, b, r + down / 2, c + right / 2)
                }),
            );
        }
    }

    #[test]
    fn gradients_and_inverses() {
        let (x, w) = (numbers(7), numbers(3));
        let (mut valid, mut same) = (vec![0.25; 5], vec![0.25; 7]);
        assert_reversible!(convolve(&mut valid[..], &x[..], &w[..]));
        assert_gradient!(convolve(&mut valid[..], &x[..], &w[..]));
        assert_reversible!(convolve_same(&mut same[..], &x[..], &w[..]));
        assert_gradient!(convolve_same(&mut same[..], &x[..], &w[..]));
        let (image, kernel) = (numbers(20), numbers(6));
        let (mut valid, mut same) = (vec![0.25; 9], vec![0.25; 20]);
        assert_reversible!(convolve_2d(&mut valid[..], &image[..], 5, &kernel[..], 3));
        assert_gradient!(convolve_2d(&mut valid[..], &image[..], 5, &kernel[..], 3));
        assert_reversible!(convolve_same_2d(&mut same[..], &image[..], 5, &kernel[..], 3));
        assert_gradient!(convolve_same_2d(&mut same[..], &image[..], 5, &kernel[..], 3));
    }

    #[test]
    fn shapes_must_fit() {
        let fails = |run: fn()| std::panic::catch_unwind(run).is_err();
        assert!(fails(|| convolve(&mut [0.0; 3], &[0.0; 3], &[0.0; 2])));
        assert!(fails(|| convolve(&mut [0.0; 3], &[0.0; 3], &[0.0; 4])));
        assert!(fails(|| convolve(&mut [0.0; 4], &[0.0; 3], &[])));
        assert!(fails(|| convolve_same(&mut [0.0; 4], &[0.0; 3], &[1.0])));
        assert!(fails(|| convolve_same(&mut [0.0; 3], &[0.0; 3], &[])));
        assert!(fails(|| convolve_2d(&mut [0.0; 3], &[0.0; 6], 3, &[1.0; 4], 2)));
        assert!(fails(|| convolve_2d(&mut [0.0; 2], &[0.0; 6], 4, &[1.0; 4], 2)));
        assert!(fails(|| convolve_2d::inverse(&mut [0.0; 3], &[0.0; 6], 3, &[1.0; 4], 2)));
        assert!(fails(|| convolve_same_2d(&mut [0.0; 5], &[0.0; 6], 3, &[1.0; 4], 2)));
        assert!(fails(|| convolve_same_2d(&mut [0.0; 6], &[0.0; 6], 3, &[1.0; 4], 0)));
    }
}
