//! Branches and `while`.

use crate::{check_forms, forms};
use retrograde::prelude::*;

forms! {
    fn branches(y, x) {
        if x[0] > 0.0 {
            y[0] += x[0] * x[1];
        } else if x[1] > 0.0 {
            y[0] -= x[1] * x[2];
        } else if x[2] > 1.0 {
            y[2] += x[2].sin();
        } else {
            y[1] += x[3];
        }
        if x[1] < 0.0 {
            if x[2] > 0.0 {
                let a = x[1] * x[2];
                y[1] -= a * y[0];
            }
        } else {
            let mut b = x[0];
            b += y[0];
            y[2] += b * b;
            b -= y[0];
        }
    }

    fn branches_that_move(y, x) {
        if (y[2] > 100.0, y[2] > 200.0) {
            y[2] += 100.0 + x[0] * x[0];
        } else if (y[2] < -100.0, y[2] < -200.0) {
            y[2] -= 100.0 + x[1] * x[1];
        } else {
            y[0] += x[2] * y[1];
        }
        if (y[0] > 0.0, _) {
            y[0] += x[3] * x[3];
            y[1] += y[0] * x[0];
        }
    }

    fn branches_by_constants(y, x) {
        for i in 0..3 {
            if i == 1 {
                y[i] += x[i] * x[i];
            } else if i % 2 == 0 && x.len() > 2 {
                y[i] -= x[i + 1].sin();
            }
        }
        let flag = x[0] > x[1];
        if !flag {
            y[0] += x[3];
        } else {
            y[0] -= x[3] * x[2];
        }
    }

    fn counted(y, x) {
        let mut k = 0;
        while (k < 4, k > 0) {
            y[0] += x[k] * y[1];
            y[2] -= y[0].sin() * x[0];
            k += 1;
        }
        unlet!(k = 4);
    }

    fn series(y, x) {
        #[compute]
        {
            let mut k = 0;
            let mut term = T::one();
            let mut next = 0.0;
            let mut sum = 0.0;
            let mut terms = Stack::new();
            while (term.abs() > 1e-9, k > 0) {
                k += 1;
                sum += term;
                next += term * x[0] / T::from_f64(k as f64);
                swap(&mut term, &mut next);
                terms.push(&mut next);
            }
        }
        y[0] += sum * x[1];
    }

    fn nested(y, x) {
        let mut i = 0;
        while (i < 2, i > 0) {
            let mut j = 0;
            while (j < i + 2, j > 0) {
                if x[j] > 0.0 {
                    y[i] += x[j] * y[i + 1];
                } else {
                    y[i] -= x[j] * x[i];
                }
                j += 1;
            }
            unlet!(j = i + 2);
            i += 1;
        }
        unlet!(i = 2);
    }

    fn never_entered(y, x) {
        let mut k = 0;
        while (k < 0, k > 0) {
            y[0] += x[0];
            k += 1;
        }
        let n = x.len();
        for i in 4..n {
            y[i] += x[1];
        }
        if x[0] > 1e9 {
            y[1] += x[2];
        }
        y[2] += x[3];
    }
}

#[test]
fn ifs() {
    use crate::gradient_harness::Y;
    check_forms!(branches branches_by_constants);
    for x in [[-0.7, 1.3, 2.1, 0.4], [-0.7, -1.3, 2.1, 0.4], [-0.7, -1.3, 0.1, 0.4]] {
        check_forms!(branches branches_by_constants; Y, x);
    }
}

#[test]
fn ifs_with_two_conditions() {
    use crate::gradient_harness::X;
    for y in [[0.5, -2.0, 150.0], [0.5, 1.0, -150.0], [-3.0, 1.0, 5.0], [3.0, 1.0, 5.0]] {
        check_forms!(branches_that_move; y, X);
    }
}

#[test]
fn whiles() {
    check_forms!(counted series nested never_entered);
}
