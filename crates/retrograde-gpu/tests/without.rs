//! What a machine without an NVIDIA processor can see: errors, and the same calls on the
//! processor.

use retrograde::prelude::*;
use retrograde_gpu::{Device, Error};

#[reversible(gpu)]
fn scale(i: usize, y: &mut [f64], x: &[f64], w: f64) {
    y[i] += w * x[i];
}

#[test]
fn no_driver_is_an_error_that_says_what_to_do() {
    match Device::gpu(0) {
        Ok(device) => println!("there is one: {}", device.name()),
        Err(error @ (Error::NoDriver | Error::NoCompiler | Error::NoDevice { .. })) => {
            let text = error.to_string();
            assert!(text.contains("driver") || text.contains("NVRTC") || text.contains("device"));
        }
        Err(other) => panic!("{other}"),
    }
    assert!(matches!(Device::gpu(1000), Err(Error::NoDriver | Error::NoDevice { .. })));
    // Still there are calls.
    assert!(!Device::best().name().is_empty());
}

#[test]
fn a_shadow_of_another_length_is_refused() {
    let device = Device::cpu();
    let x = device.upload(&[1.0, 2.0]).unwrap();
    let (mut y, mut d_y) = (device.zeros(2).unwrap(), device.zeros(2).unwrap());
    let (mut short, mut d_w) = (device.zeros(1).unwrap(), device.single(0.0).unwrap());
    let launch = device.launch(&scale {}, 2);
    let error = launch.adjoint((&mut y, &mut d_y, &x, &mut short, 2.0, &mut d_w)).unwrap_err();
    assert_eq!(error.to_string(), "the shadow of `x`: 1 elements instead of 2");
}

#[test]
fn lengths_of_copies_are_compared() {
    let mut x = Device::cpu().upload(&[1.0, 2.0]).unwrap();
    assert_eq!(
        x.write(&[1.0]).unwrap_err().to_string(),
        "writing a buffer: 1 elements instead of 2"
    );
    assert!(matches!(x.read(&mut [0.0; 3]), Err(Error::Lengths { .. })));
    let other = Device::cpu().zeros(3).unwrap();
    assert!(matches!(x.copy_from(&other), Err(Error::Lengths { .. })));
}

#[test]
fn a_launch_that_speaks_of_no_argument_is_refused() {
    let device = Device::cpu();
    let (mut y, x) = (device.zeros(1).unwrap(), device.zeros(1).unwrap());
    let error = device.launch(&scale {}, 1).own("z").forward((&mut y, &x, 1.0)).unwrap_err();
    assert_eq!(error.to_string(), "`scale` has no argument `z`");
}

#[reversible(gpu)]
fn doubles(_i: usize, y: &mut f64) {
    let now = *y;
    host! { assert!(now < 100.0); }
    swap_with_half(y);
}

#[reversible(gpu)]
fn swap_with_half(y: &mut f64) {
    neg(y);
}

#[reversible(gpu)]
fn left(i: usize, u: &mut [f64]) {
    u[i + 1] += u[i];
}

#[test]
fn what_every_index_writes_is_a_sum_or_refused() {
    let device = Device::cpu();
    let mut y = device.single(3.0).unwrap();
    device.launch(&doubles {}, 1).forward((&mut y,)).unwrap();
    assert_eq!(y.get().unwrap(), -3.0);
    let error = device.launch(&doubles {}, 2).forward((&mut y,)).unwrap_err();
    assert!(
        error.to_string().starts_with("every index of `doubles` writes the one `y`"),
        "{error}"
    );

    let (mut u, mut d_u) = (device.zeros(3).unwrap(), device.zeros(3).unwrap());
    let launch = device.launch(&left {}, 2).shared("u").deterministic();
    let error = launch.adjoint((&mut u, &mut d_u)).unwrap_err();
    assert!(error.to_string().starts_with("`left` writes `u`, so what several"), "{error}");
}

#[test]
fn no_index_is_no_work() {
    let device = Device::cpu();
    let (mut y, x) = (device.zeros(0).unwrap(), device.zeros(0).unwrap());
    device.launch(&scale {}, 0).forward((&mut y, &x, 1.0)).unwrap();
    assert!(y.is_empty());
}

#[test]
fn all_directions_on_the_processor() {
    let device = Device::cpu();
    let x = device.upload(&[1.0, 2.0]).unwrap();
    let mut y = device.upload(&[10.0, 20.0]).unwrap();
    device.launch(&scale {}, 2).forward((&mut y, &x, 3.0)).unwrap();
    assert_eq!(y.download().unwrap(), [13.0, 26.0]);
    device.launch(&scale {}, 2).inverse((&mut y, &x, 3.0)).unwrap();
    assert_eq!(y.download().unwrap(), [10.0, 20.0]);
    let mut d_y = device.upload(&[1.0, 10.0]).unwrap();
    let (mut d_x, mut d_w) = (device.zeros(2).unwrap(), device.single(0.0).unwrap());
    let mut back = |inverse: bool| {
        let launch = device.launch(&scale {}, 2);
        let arguments = (&mut y, &mut d_y, &x, &mut d_x, 3.0, &mut d_w);
        match inverse {
            false => launch.adjoint(arguments),
            true => launch.inverse_adjoint(arguments),
        }
        .unwrap();
        (y.download().unwrap(), d_x.download().unwrap(), d_w.get().unwrap())
    };
    assert_eq!(back(false), (vec![7.0, 14.0], vec![3.0, 30.0], 21.0));
    assert_eq!(back(true), (vec![10.0, 20.0], vec![0.0, 0.0], 0.0));
}
