//! The inputs of the evaluations, at the sizes that are measured.
//!
//! They have the distributions of GradBench's own drivers, from a generator of
//! ours; what GradBench keeps in files is read from the checkout.

use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::fs;
use std::path::{Path, PathBuf};

/// The evaluations that are measured.
pub const EVALUATIONS: [&str; 11] =
    ["ba", "det", "gmm", "ht", "kmeans", "llsq", "lse", "lstm", "ode", "particle", "saddle"];

/// One evaluation at one size.
pub struct Workload {
    pub evaluation: &'static str,
    pub size: String,
    pub objective: Option<&'static str>,
    pub gradient: &'static str,
    pub input: Value,
}

/// The workloads of an evaluation, from small to large.
pub fn workloads(evaluation: &'static str, checkout: &Path) -> Result<Vec<Workload>, String> {
    let data = checkout.join("evals").join(evaluation).join("data");
    let random = &mut Random(31337);
    let sized = |(size, input)| {
        let (objective, gradient) = match evaluation {
            "kmeans" => ("cost", "dir"),
            "ba" | "gmm" | "ht" | "lstm" => ("objective", "jacobian"),
            _ => ("primal", "gradient"),
        };
        Workload { evaluation, size, objective: Some(objective), gradient, input }
    };
    // Of these, every function is a gradient, and named by how it is nested.
    let nested = |gradient: &'static str, input: Value| Workload {
        evaluation,
        size: gradient.into(),
        objective: None,
        gradient,
        input,
    };
    Ok(match evaluation {
        "ba" => each(1..=5, |i| ba(&data, i))?.into_iter().map(sized).collect(),
        "det" => (5..=10).map(|ell| sized(det(ell, random))).collect(),
        "gmm" => {
            let sizes = [(2, 5), (2, 25), (10, 5), (32, 5), (10, 25), (64, 5), (32, 25), (64, 25)];
            sizes.map(|(d, k)| sized(gmm(d, k, 1000, random))).into()
        }
        "ht" => each(1..=5, |i| ht(&data, i))?.into_iter().map(sized).collect(),
        "kmeans" => [10, 100].map(|k| sized(kmeans(k, 10000, 8, random))).into(),
        "llsq" => {
            let input = json!({ "x": random.uniforms(128), "n": 4096 });
            vec![sized(("n=4096,m=128".into(), input))]
        }
        "lse" => vec![sized(("n=640000".into(), json!({ "x": random.uniforms(640_000) })))],
        "lstm" => {
            let path = data.join("lstm_full.txt");
            let text: Vec<char> = read(&path)?.chars().take(4096).collect();
            if text.len() < 4096 {
                return Err(format!("{}: shorter than 4096 characters", path.display()));
            }
            let sizes = [(2, 1024), (4, 1024), (2, 4096), (4, 4096)];
            sizes.map(|(l, c)| sized(lstm(l, &text[..c], random))).into()
        }
        // At the sizes of GradBench all derivatives underflow to zero.
        "ode" => [(10000, 100), (100, 10000)]
            .map(|(n, s)| {
                sized((format!("n={n},s={s}"), json!({ "x": random.uniforms(n), "s": s })))
            })
            .into(),
        "particle" => ["ff", "fr", "rf", "rr"].map(|f| nested(f, json!({ "w": 0.0 }))).into(),
        "saddle" => {
            ["ff", "fr", "rf", "rr"].map(|f| nested(f, json!({ "start": [1.0, 1.0] }))).into()
        }
        _ => return Err(format!("there is no evaluation `{evaluation}`")),
    })
}

type Sized = (String, Value);

fn each<I, T>(all: I, f: impl Fn(I::Item) -> Result<T, String>) -> Result<Vec<T>, String>
where
    I: Iterator,
{
    all.map(f).collect()
}

fn det(ell: usize, random: &mut Random) -> Sized {
    (ell.to_string(), json!({ "A": random.uniforms(ell * ell), "ell": ell }))
}

fn gmm(d: usize, k: usize, n: usize, random: &mut Random) -> Sized {
    let x: Vec<_> = (0..n).map(|_| random.normals(d)).collect();
    let alpha = random.normals(k);
    let mu: Vec<_> = (0..k).map(|_| random.uniforms(d)).collect();
    let q: Vec<_> = (0..k).map(|_| random.normals(d)).collect();
    let l: Vec<_> = (0..k).map(|_| random.normals(d * (d - 1) / 2)).collect();
    let input = json!({
        "d": d, "k": k, "n": n, "x": x, "m": 0, "gamma": 1.0, "alpha": alpha, "mu": mu, "q": q, "l": l,
    });
    (format!("d={d},k={k},n={n}"), input)
}

fn kmeans(k: usize, n: usize, d: usize, random: &mut Random) -> Sized {
    let points: Vec<_> = (0..n).map(|_| random.uniforms(d)).collect();
    // So no cluster is empty.
    let centroids = &points[n - k..];
    (format!("k={k},n={n},d={d}"), json!({ "points": points, "centroids": centroids }))
}

fn lstm(layers: usize, text: &[char], random: &mut Random) -> Sized {
    let largest = text.iter().map(|&c| u32::from(c)).max().unwrap_or(1);
    let bits = f64::from(largest).log2().ceil() as usize;
    let character = |&c: &char| -> Vec<f64> {
        (0..bits).rev().map(|bit| f64::from(u32::from(c) >> bit & 1)).collect()
    };
    let sequence: Vec<_> = text.iter().map(character).collect();
    let mut rows = |n: usize, width| -> Vec<_> { (0..n).map(|_| random.uniforms(width)).collect() };
    let input = json!({
        "state": rows(2 * layers, bits),
        "main_params": rows(2 * layers, 4 * bits),
        "extra_params": rows(3, bits),
        "sequence": sequence,
    });
    (format!("l={layers},c={}", text.len()), input)
}

fn ba(data: &Path, i: usize) -> Result<Sized, String> {
    let path = starting_with(data, &format!("ba{i}_"))?;
    let text = read(&path)?;
    let parsed = || {
        let mut lines = text.lines();
        let mut counts = lines.next()?.split_whitespace().map(|n| n.parse::<usize>().ok());
        let (n, m, p) = (counts.next()??, counts.next()??, counts.next()??);
        let mut line = || lines.next().and_then(floats);
        let (cam, x, w, feat) = (line()?, line()?, line()?, line()?);
        let w = *w.first()?;
        Some(json!({ "n": n, "m": m, "p": p, "cam": cam, "x": x, "w": w, "feat": feat }))
    };
    Ok((format!("ba{i}"), parsed().ok_or_else(|| unreadable(&path))?))
}

fn ht(data: &Path, i: usize) -> Result<Sized, String> {
    let folder = data.join("complicated_big");
    let path = starting_with(&folder, &format!("hand{i}_"))?;
    let text = read(&path)?;
    let parsed = |model: Value| {
        let mut lines = text.lines();
        let counts = lines.next().and_then(floats)?;
        let (points, thetas) = (*counts.first()? as usize, *counts.get(1)? as usize);
        let mut rows = |n| (0..n).map(|_| floats(lines.next()?)).collect::<Option<Vec<_>>>();
        let (found, us, theta) = (rows(points)?, rows(points)?, rows(thetas)?.concat());
        let correspondences: Vec<_> = found.iter().map(|row| row[0] as usize).collect();
        let points: Vec<_> = found.iter().map(|row| &row[1..]).collect();
        let data = json!({ "model": model, "correspondences": correspondences, "points": points });
        Some(json!({ "theta": theta, "data": data, "us": us }))
    };
    let model = hand_model(&folder.join("model"))?;
    Ok((format!("hand{i}"), parsed(model).ok_or_else(|| unreadable(&path))?))
}

fn hand_model(folder: &Path) -> Result<Value, String> {
    let table = |name: &str| -> Result<Vec<Vec<String>>, String> {
        let text = read(&folder.join(name))?;
        Ok(text.lines().map(|line| line.split(':').map(|s| s.trim().into()).collect()).collect())
    };
    let (bones, vertices, triangles) =
        (table("bones.txt")?, table("vertices.txt")?, table("triangles.txt")?);
    let number = |s: &String| s.parse::<f64>().ok();
    let matrices = |from: usize| -> Option<Vec<Vec<Vec<f64>>>> {
        let matrix = |bone: &Vec<String>| {
            let row = |k: usize| bone.get(k..k + 4)?.iter().map(number).collect::<Option<Vec<_>>>();
            (0..4).map(|k| row(from + 4 * k)).collect()
        };
        bones.iter().map(matrix).collect()
    };
    let integers = |row: &[String]| -> Option<Vec<i64>> {
        row.iter().filter(|s| !s.is_empty()).map(|s| s.parse().ok()).collect()
    };
    let weights_of = |vertex: &Vec<String>| {
        let mut weights = vec![0.0; bones.len()];
        let count: usize = vertex.get(8)?.parse().ok()?;
        for pair in vertex.get(9..9 + 2 * count)?.chunks(2) {
            *weights.get_mut(pair[0].parse::<usize>().ok()?)? = number(&pair[1])?;
        }
        Some(weights)
    };
    let position_of = |vertex: &Vec<String>| {
        let mut position: Vec<f64> = vertex.get(..3)?.iter().map(number).collect::<Option<_>>()?;
        position.push(1.0);
        Some(position)
    };
    let model = || {
        let names: Vec<_> = bones.iter().map(|bone| &bone[0]).collect();
        let parents = bones.iter().map(|bone| bone.get(1)?.parse().ok());
        Some(json!({
            "bone_count": bones.len(),
            "bone_names": names,
            "parents": parents.collect::<Option<Vec<i64>>>()?,
            "base_relatives": matrices(2)?,
            "inverse_base_absolutes": matrices(18)?,
            "base_positions": vertices.iter().map(position_of).collect::<Option<Vec<_>>>()?,
            "weights": vertices.iter().map(weights_of).collect::<Option<Vec<_>>>()?,
            "triangles": triangles.iter().map(|row| integers(row)).collect::<Option<Vec<_>>>()?,
            "is_mirrored": false,
        }))
    };
    model().ok_or_else(|| unreadable(folder))
}

fn floats(line: &str) -> Option<Vec<f64>> {
    line.split_whitespace().map(|number| number.parse().ok()).collect()
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn unreadable(path: &Path) -> String {
    format!("{}: this is not the data of GradBench", path.display())
}

fn starting_with(folder: &Path, start: &str) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names = entries.flatten().map(|entry| entry.path());
    let fits = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start))
    };
    names.find(fits).ok_or_else(|| format!("{}: no file `{start}…`", folder.display()))
}

/// The generator SplitMix64.
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// By the method of Box and Muller.
    fn normal(&mut self) -> f64 {
        let (radius, angle) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * radius.ln()).sqrt() * (TAU * angle).cos()
    }

    fn uniforms(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.uniform()).collect()
    }

    fn normals(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.normal()).collect()
    }
}
