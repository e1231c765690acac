//! Kernels: the text of a function and of all that it calls, the header before it,
//! and the entry that a launch calls behind it.

use retrograde::device::{Check, Form, Source, Struct};
use std::collections::HashMap;
use std::fmt::Write;

/// What the device knows beforehand.
const HEADER: [&str; 5] = [
    include_str!("header/types.h"),
    include_str!("header/sequences.h"),
    include_str!("header/math.h"),
    include_str!("header/rules.h"),
    include_str!("header/entry.h"),
];

/// The threads of a block that finds rows of a Jacobian: more would leave no room for them.
pub const ROWS_THREADS: usize = 128;

/// One of a function's directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The function.
    Forward,
    /// Its inverse.
    Inverse,
    /// Its adjoint.
    Adjoint,
    /// The adjoint of its inverse.
    InverseAdjoint,
    /// Its adjoint, where only the gradients are looked at.
    Gradient,
    /// The same for every number of the output in turn.
    Jacobian,
}

impl Direction {
    fn name(self) -> &'static str {
        match self {
            Direction::Forward => "forward",
            Direction::Inverse => "inverse",
            Direction::Adjoint => "adjoint",
            Direction::InverseAdjoint => "inverse_adjoint",
            Direction::Gradient | Direction::Jacobian => "gradient",
        }
    }

    /// Whether arguments are followed by their shadows.
    pub fn with_shadows(self) -> bool {
        !matches!(self, Direction::Forward | Direction::Inverse)
    }
}

/// How an argument comes to the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A slice of memory.
    Slice,
    /// One value in memory.
    Place,
    /// A value.
    Value,
    /// One element that is one in turn, of a slice of outputs.
    Basis,
    /// A row of the Jacobian for each index.
    Rows,
}

/// An argument of a kernel.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// How it comes.
    pub shape: Shape,
    /// What it is made of.
    pub form: Form,
    /// Whether the kernel writes to it.
    pub written: bool,
    /// What it is to the function.
    pub role: Role,
}

/// What an argument is to a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A value that it works on.
    Value,
    /// One that many indices add to, and none of them reads.
    Sum,
    /// The shadow of a value, of which each index has its own element, or all only read it.
    Own,
    /// The shadow of one that many indices add to, and none of them reads.
    Shared,
    /// The shadow of one that an index writes and others may read: all may add to it.
    Open,
}

impl Role {
    /// Whether it is a value, and not the shadow of one.
    pub fn is_value(self) -> bool {
        matches!(self, Role::Value | Role::Sum)
    }

    /// Whether workers may sum up what is added to it, each for itself.
    pub fn is_summed_apart(self) -> bool {
        matches!(self, Role::Sum | Role::Shared)
    }
}

/// How a kernel is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// The direction.
    pub direction: Direction,
    /// Whether there are two indices.
    pub two: bool,
    /// Whether the checks are on.
    pub checked: bool,
    /// Whether shared shadows are summed in an order that does not change.
    pub deterministic: bool,
}

/// The text of a kernel, and what its checks are of.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The text.
    pub text: String,
    /// The statements, in the order of their numbers.
    pub checks: Vec<Check>,
}

/// Puts a kernel together.
pub fn kernel(source: &'static Source, parameters: &[Parameter], settings: Settings) -> Kernel {
    let mut writer = Writer::default();
    if settings.checked {
        writer.text.push_str("#define RG_CHECKS\n");
    }
    HEADER.iter().for_each(|part| writer.text.push_str(part));
    let types: Vec<String> = parameters.iter().map(|p| writer.form(&p.form)).collect();
    let function = writer.function(source);
    writer.entry(source, &function, parameters, &types, settings);
    Kernel { text: writer.text, checks: writer.checks }
}

/// Whether a type is made of `f64` alone or of `f32` alone, and of how many; `None` if it
/// is of others, too.
pub fn numbers_in(form: &Form) -> Option<(bool, usize)> {
    match form {
        Form::Scalar("rg::f64") => Some((true, 1)),
        Form::Scalar("rg::f32") => Some((false, 1)),
        Form::Scalar(_) => None,
        Form::Complex(part) => numbers_in(part).map(|(wide, count)| (wide, 2 * count)),
        Form::Array(element, length) => {
            numbers_in(element).map(|(wide, count)| (wide, length * count))
        }
        Form::Struct(layout) => {
            let mut all = layout.fields.iter().map(|(_, form)| numbers_in(form));
            let first = all.next()??;
            all.try_fold(first, |(wide, count), next| {
                next.filter(|(other, _)| *other == wide).map(|(_, more)| (wide, count + more))
            })
        }
    }
}

#[derive(Default)]
struct Writer {
    text: String,
    checks: Vec<Check>,
    structs: HashMap<Struct, String>,
    /// Functions by module, name and text: two blocks of one module may have one each of
    /// the same name.
    functions: HashMap<(&'static str, &'static str, String), String>,
}

impl Writer {
    /// The name of a type, which is defined before.
    fn form(&mut self, form: &Form) -> String {
        match form {
            Form::Scalar(name) => name.to_string(),
            Form::Complex(part) => format!("rg::Complex<{}>", self.form(part)),
            Form::Array(element, length) => {
                format!("rg::Array<{}, {length}>", self.form(element))
            }
            Form::Struct(layout) => {
                if let Some(name) = self.structs.get(layout) {
                    return name.clone();
                }
                let name = format!("Struct{}", self.structs.len());
                let full = format!("rg::{name}");
                self.structs.insert(layout.clone(), full.clone());
                self.define(layout, &name);
                full
            }
        }
    }

    /// A struct in its two forms, and what is done with it field by field.
    fn define(&mut self, layout: &Struct, name: &str) {
        let fields: Vec<(&str, String)> =
            layout.fields.iter().map(|(field, form)| (*field, self.form(form))).collect();
        let parameters: Vec<String> = layout.parameters.iter().map(|p| self.form(p)).collect();
        let each = |action: &dyn Fn(&str) -> String| -> String {
            fields.iter().map(|(field, _)| action(field)).collect()
        };
        let own: String = fields.iter().map(|(field, ty)| format!("  {ty} {field};\n")).collect();
        let shared: String =
            fields.iter().map(|(field, ty)| format!("  Shared<{ty}> {field};\n")).collect();
        let parameters = parameters.join(", ");
        let equal = each(&|f| format!(" && {f} == o.{f}"));
        let up = each(&|f| format!(" {f} += value(o.{f});"));
        let down = each(&|f| format!(" {f} -= value(o.{f});"));
        let text = &mut self.text;
        let _ = write!(
            text,
            "namespace rg {{\n\
             // {about}\n\
             struct {name} {{\n  using Parameters = Tuple<{parameters}>;\n{own}\
             \x20 RG bool operator==(const {name}& o) const {{ return true{equal}; }}\n\
             \x20 template <class O> RG void operator+=(const O& o) {{{up} }}\n\
             \x20 template <class O> RG void operator-=(const O& o) {{{down} }}\n}};\n\
             struct {name}Shared {{\n  using Parameters = Tuple<{parameters}>;\n{shared}}};\n\
             static_assert(sizeof({name}) == {size}, \"laid out as on the host\");\n\
             template <> struct Sharing<{name}> {{ using type = {name}Shared; }};\n\
             template <> struct Owning<{name}Shared> {{ using type = {name}; }};\n",
            about = layout.name,
            size = layout.size,
        );
        for own in [name.to_string(), format!("{name}Shared")] {
            let zero = each(&|f| format!(" s.{f} = shadow(x.{f});"));
            let add = each(&|f| format!(" add_shadow(to.{f}, x.{f});"));
            let retract = each(&|f| format!(" retract_shadow(to.{f}, x.{f});"));
            let _ = write!(
                text,
                "RG {name} shadow(const {own}& x) {{ {name} s;{zero} return s; }}\n\
                 template <class B> RG void add_shadow({own}& to, const B& x) {{{add} }}\n\
                 template <class B> RG void retract_shadow({own}& to, const B& x) {{{retract} }}\n",
            );
        }
        let close = each(&|f| format!(" && close(a.{f}, b.{f})"));
        let reduce = each(&|f| format!(" reduce(x.{f}, to.{f});"));
        let total = each(&|f| format!(" total(x.{f}, to.{f});"));
        let nothing = each(&|f| format!(" s.{f} = nothing(x.{f});"));
        let _ = write!(
            text,
            "RG bool close(const {name}& a, const {name}& b) {{ return true{close}; }}\n\
             RG void reduce(const {name}& x, {name}Shared& to) {{{reduce} }}\n\
             RG void total(const {name}& x, {name}Shared& to) {{{total} }}\n\
             RG {name} nothing(const {name}Shared& x) {{ {name} s;{nothing} return s; }}\n}}\n"
        );
    }

    /// The name of a function, which is defined before, with all that it calls.
    fn function(&mut self, source: &'static Source) -> String {
        if source.module.is_empty() {
            return source.name.to_string();
        }
        let mut text = source.text.to_string();
        for (i, callee) in source.callees.iter().enumerate() {
            text = text.replace(&format!("@{i}@"), &self.function(callee));
        }
        for (i, constant) in (source.constants)().iter().enumerate() {
            text = text.replace(&format!("@c{i}@"), constant);
        }
        let key = (source.module, source.name, text.clone());
        if let Some(name) = self.functions.get(&key) {
            return name.clone();
        }
        let name = format!("{}_{}", source.name, self.functions.len());
        self.functions.insert(key, name.clone());
        text = text.replace("@@", &name);
        text = text.replace("@k@", &self.checks.len().to_string());
        self.checks.extend_from_slice(source.checks);
        let _ = writeln!(self.text, "// {}::{}\n{text}", source.module, source.name);
        name
    }

    /// The entry: one index on a device, all of them in a loop elsewhere.
    fn entry(
        &mut self,
        source: &'static Source,
        function: &str,
        parameters: &[Parameter],
        types: &[String],
        settings: Settings,
    ) {
        let Settings { direction, two, checked, deterministic } = settings;
        // What comes in, and what is made of it.
        let mut list: Vec<(String, String)> = Vec::new();
        let mut takes = |ty: &str, name: String| list.push((ty.to_string(), name));
        let count = "rg::u64";
        takes(count, "rows".to_string());
        takes(count, "columns".to_string());
        if checked {
            takes("rg::Report*", "report".to_string());
        }
        if deterministic {
            takes(count, "workers".to_string());
        }
        let mut made = String::new();
        let mut after = String::new();
        let mut passed = vec!["index".to_string()];
        let mut values = source.arguments.iter();
        // The index has no shadow.
        values.next();
        if direction.with_shadows() {
            passed.push("rg::NoShadow{}".to_string());
        }
        let mut active = false;
        let mut components = 1;
        let mut rows_of = Vec::new();
        for (i, (parameter, ty)) in parameters.iter().zip(types).enumerate() {
            let is_value = parameter.role.is_value();
            if is_value {
                active = values.next().is_some_and(|argument| argument.active);
            }
            let constant = if parameter.written { "" } else { "const " };
            match (parameter.shape, parameter.role) {
                (Shape::Slice, Role::Value)
                    if direction == Direction::Jacobian && parameter.written =>
                {
                    // A copy, which every pass may change.
                    takes(&format!("const {ty}* RG_RESTRICT"), format!("p{i}"));
                    takes(count, format!("n{i}"));
                    let _ = writeln!(made, "    rg::Lone<{ty}> a{i}{{p{i}[at]}};");
                    passed.push(format!("a{i}"));
                }
                (Shape::Basis, _) => {
                    let (wide, numbers) = numbers_in(&parameter.form).unwrap_or((true, 1));
                    let number = if wide { "rg::f64" } else { "rg::f32" };
                    components = numbers;
                    let _ = writeln!(made, "    auto a{i} = rg::unit<{ty}, {number}>(component);");
                    passed.push(format!("a{i}"));
                }
                (Shape::Rows, _) => {
                    takes(&format!("{ty}* RG_RESTRICT"), format!("p{i}"));
                    takes(count, format!("n{i}"));
                    let _ = writeln!(made, "    rg::Lone<{ty}> a{i}{{rg::shadow({ty}())}};");
                    passed.push(format!("a{i}"));
                    let _ = writeln!(after, "      h{i}.held[component] = a{i}.held;");
                    rows_of.push((i, ty));
                }
                (Shape::Value, _) => {
                    takes(ty, format!("a{i}"));
                    passed.push(format!("a{i}"));
                }
                (Shape::Slice, Role::Shared) if deterministic => {
                    // Every worker has one of its own, behind each other.
                    takes(&format!("{ty}*"), format!("p{i}"));
                    takes(count, format!("n{i}"));
                    let _ =
                        writeln!(made, "    rg::Slice<{ty}> a{i}{{p{i} + worker * n{i}, n{i}}};");
                    passed.push(format!("a{i}"));
                }
                (Shape::Slice, Role::Shared | Role::Open) => {
                    takes(&format!("rg::Shared<{ty}>*"), format!("p{i}"));
                    takes(count, format!("n{i}"));
                    let _ = writeln!(made, "    rg::Slice<rg::Shared<{ty}>> a{i}{{p{i}, n{i}}};");
                    passed.push(format!("a{i}"));
                }
                (Shape::Slice, _) => {
                    takes(&format!("{constant}{ty}* RG_RESTRICT"), format!("p{i}"));
                    takes(count, format!("n{i}"));
                    let _ = writeln!(made, "    rg::Slice<{constant}{ty}> a{i}{{p{i}, n{i}}};");
                    passed.push(format!("a{i}"));
                }
                (Shape::Place, Role::Value | Role::Own) => {
                    takes(&format!("{constant}{ty}* RG_RESTRICT"), format!("p{i}"));
                    passed.push(format!("*p{i}"));
                }
                (Shape::Place, Role::Sum | Role::Shared) if deterministic => {
                    takes(&format!("{ty}*"), format!("p{i}"));
                    passed.push(format!("p{i}[worker]"));
                }
                // Summed within a block first.
                (Shape::Place, role) => {
                    takes(&format!("rg::Shared<{ty}>*"), format!("p{i}"));
                    let (begin, end) = match role {
                        Role::Sum => ("nothing", "total"),
                        _ => ("shadow", "reduce"),
                    };
                    let _ = writeln!(made, "    auto a{i} = rg::{begin}(*p{i});");
                    passed.push(format!("a{i}"));
                    let _ = writeln!(after, "    rg::{end}(a{i}, *p{i});");
                }
            }
            if direction.with_shadows() && is_value && !active {
                passed.push("rg::NoShadow{}".to_string());
            }
        }
        let call = format!("{function}::{}({});", direction.name(), passed.join(", "));
        let index = if two {
            "const rg::Tuple<rg::usize, rg::usize> index{row, column};"
        } else {
            "const rg::usize index = column; (void)row;"
        };
        let called: Vec<String> = list
            .iter()
            .enumerate()
            .map(|(i, (ty, _))| format!("*({}*)arguments[{i}]", ty.replace(" RG_RESTRICT", "")))
            .collect();
        let list: Vec<String> = list.iter().map(|(ty, name)| format!("{ty} {name}")).collect();
        let (list, called) = (list.join(", "), called.join(", "));
        let note = if checked { "RG_NOTE_INDEX(row * columns + column) " } else { "" };
        let report = if checked { "  RG_REPORT_TO(report);\n" } else { "" };
        let text = &mut self.text;
        if direction == Direction::Jacobian {
            // A division takes its time.
            let place = if two {
                "const rg::u64 row = at / columns, column = at % columns;"
            } else {
                "const rg::u64 row = 0, column = at;"
            };
            // The rows of a warp lie behind each other, and leave through shared memory.
            let rooms: Vec<String> = rows_of
                .iter()
                .map(|(_, ty)| format!("sizeof(rg::Array<{ty}, components>)"))
                .collect();
            let room = rooms.iter().fold("0".to_string(), |a, b| format!("rg::larger({a}, {b})"));
            let held: String = rows_of
                .iter()
                .map(|(i, ty)| format!("    rg::Array<{ty}, components> h{i};\n"))
                .collect();
            let leave: String = rows_of
                .iter()
                .map(|(i, _)| format!("    rg::leave(p{i}, h{i}, first, all, room);\n"))
                .collect();
            let _ = write!(
                text,
                "RG_ENTRY_OF({ROWS_THREADS}, rg_kernel)({list}) {{\n{report}\
                 \x20 constexpr int components = {components};\n\
                 \x20 const rg::u64 all = rows * columns;\n\
                 \x20 RG_ROOM(room, {ROWS_THREADS}, {room})\n\
                 \x20 RG_EACH_OF_A_WARP(all) {{\n\
                 \x20   {place}\n\
                 \x20   {note}{index}\n{held}\
                 \x20   RG_UNROLL for (int component = 0; component < components; ++component) {{\n\
                 {made}      {call}\n{after}    }}\n{leave}  }}\n}}\n"
            );
        } else if deterministic {
            // Each worker takes its share of the indices, in their order.
            let _ = write!(
                text,
                "RG_ENTRY(rg_kernel)({list}) {{\n{report}\
                 \x20 RG_EACH_WORKER(workers) {{\n\
                 \x20   const rg::u64 all = rows * columns, share = (all + workers - 1) / workers;\n\
                 {made}\
                 \x20   for (rg::u64 k = worker * share; k < (worker + 1) * share && k < all; ++k) {{\n\
                 \x20     const rg::usize row = k / columns, column = k % columns;\n\
                 \x20     {note}{index}\n      {call}\n    }}\n  }}\n}}\n"
            );
        } else {
            let _ = write!(
                text,
                "RG_ENTRY(rg_kernel)({list}) {{\n{report}\
                 \x20 RG_EACH_INDEX(rows, columns) {{\n{made}\
                 \x20   if (row < rows && column < columns) {{\n\
                 \x20     {note}{index}\n      {call}\n    }}\n{after}  }}\n}}\n"
            );
        }
        let _ = write!(
            text,
            "#if !defined(__CUDACC__)\n\
             extern \"C\" void rg_call(void** arguments) {{ RG_CATCH(rg_kernel({called})) }}\n\
             #endif\n"
        );
    }
}
