//! Decisions on elements that an inner loop goes over, and an outer loop goes over again.

use super::*;

/// What is added to the parameters of a sum, and to those of a sum of squares, by a clock for
/// each of two elements.
fn expected(w: &[f64], dt: f64, times: usize) -> Vec<f64> {
    let mut t = 0.0;
    let mut slopes = Vec::new();
    for w in w {
        t += dt;
        let n = times as f64;
        slopes.push(if t < 0.3 { n } else { n * 2.0 * w });
    }
    slopes
}

#[reversible]
fn by_index(y: &mut f64, w: &[f64], #[constant] dt: f64) {
    #[compute]
    {
        let mut pos = vec![0.0; 2];
        let mut s = 0.0;
        for k in 0..w.len() {
            for i in 0..2 {
                pos[i] += dt;
                if pos[i] < 0.3 {
                    s += w[k];
                } else {
                    s += w[k] * w[k];
                }
            }
        }
    }
    *y += s;
}

#[reversible]
fn by_element(y: &mut f64, w: &[f64], #[constant] dt: f64) {
    #[compute]
    {
        let mut pos = vec![0.0; 3];
        let mut s = 0.0;
        for w in w {
            for (i, p) in pos[1..].iter_mut().enumerate() {
                *p += dt;
                if *p < 0.3 && i < 2 {
                    s += *w;
                } else {
                    s += *w * *w;
                }
            }
        }
    }
    *y += s;
}

#[reversible]
fn by_row(y: &mut f64, w: &[f64], #[constant] dt: f64) {
    #[compute]
    {
        let mut pos = vec![[0.0; 2]; 2];
        let mut s = 0.0;
        for k in 0..w.len() {
            for row in &mut pos {
                row[0] += dt;
                let late: bool = row[0] >= 0.3;
                if late {
                    s += w[k] * w[k];
                } else {
                    s += w[k];
                }
            }
        }
    }
    *y += s;
}

/// In each pass it begins anew, so no other pass undoes it.
#[reversible]
fn anew(y: &mut f64, w: &[f64], #[constant] dt: f64) {
    #[compute]
    {
        let mut s = 0.0;
        for k in 0..w.len() {
            let mut pos = vec![0.0; 2];
            for i in 0..2 {
                for j in 0..=k {
                    pos[i] += dt;
                    if j == k && pos[i] < 0.3 {
                        s += w[k];
                    } else if j == k {
                        s += w[k] * w[k];
                    }
                }
            }
            for i in 0..2 {
                pos[i] -= dt * (k + 1) as f64;
            }
        }
    }
    *y += s;
}

#[reversible]
fn in_place(y: &mut f64, pos: &mut [f64], w: &[f64], #[constant] dt: f64) {
    for k in 0..w.len() {
        for p in pos.iter_mut() {
            *p += dt;
            if *p < 0.3 {
                *y += w[k];
            } else {
                *y += w[k] * w[k];
            }
        }
    }
}

#[test]
fn go_over_the_same_elements_again() {
    let w = [0.2, 0.4, 1.9, 0.7];
    for dt in [0.05, 0.1, 0.15, 0.3, 0.6] {
        let expected = expected(&w, dt, 2);
        assert_eq!(by_index::gradient(&w, dt).d_w, expected, "{dt}");
        assert_eq!(by_element::gradient(&w, dt).d_w, expected, "{dt}");
        assert_eq!(by_row::gradient(&w, dt).d_w, expected, "{dt}");
        let anew = anew::gradient(&w, dt).d_w;
        agree(&anew, &expected, "anew");
        assert_eq!(in_place::gradient(&mut [0.0; 2], &w, dt).d_w, expected, "{dt}");
    }
}
