//! A kernel in Rust: f32 to u32, by `as`, which truncates, saturates, and makes 0 of NaN. In the source folder:
//!   rustc -O --crate-type cdylib kernels/abi/examples/cast_f32_to_u32.rs -o build/my.so
//!   assay audit contracts/reference/cast.fkc.md --only cast_f32_to_u32 --kernels build/my.so
use std::{ffi::c_void, slice};

#[repr(C)] #[derive(Clone, Copy, PartialEq)] struct Dtype { code: u8, bits: u8, lanes: u16 }
#[repr(C)] struct Tensor { data: *mut c_void, device_type: i32, device_id: i32, ndim: i32, dtype: Dtype,
                           shape: *const i64, strides: *const i64, byte_offset: u64 }
#[repr(C)] pub struct Call { inputs: *const Tensor, outputs: *const Tensor, parameters: *const c_void,
                             input_count: i32, output_count: i32, parameter_count: i32,
                             message_size: i32, message: *mut u8 }
#[repr(C)] pub struct Kernel { entry_point: *const u8, variant: *const u8, inputs: &'static Dtype,
                               outputs: &'static Dtype, input_count: i32, output_count: i32, flags: u32,
                               function: unsafe extern "C" fn(&Call) -> i32 }
#[repr(C)] pub struct List { abi_version: u32, kernel_count: u32, kernels: *const Kernel }
unsafe impl Sync for Kernel {}
unsafe impl Sync for List {}
static F32: Dtype = Dtype { code: 2, bits: 32, lanes: 1 };
static U32: Dtype = Dtype { code: 1, bits: 32, lanes: 1 };

unsafe fn list<'a>(start: *const i64, n: i32) -> &'a [i64] {
    if n > 0 && !start.is_null() { slice::from_raw_parts(start, n as usize) } else { &[] }
}
unsafe fn dense(t: &Tensor) -> bool {
    let (shape, mut step) = (list(t.shape, t.ndim), 1);
    let in_order = t.strides.is_null() || (0..shape.len()).rev().all(|axis| {
        let here = step;
        step *= shape[axis];
        shape[axis] == 1 || *t.strides.add(axis) == here
    });
    in_order && t.byte_offset == 0 && t.device_type == 1
}
unsafe fn checked(call: &Call) -> Result<(), (i32, &'static str)> {
    if (call.input_count, call.output_count, call.parameter_count) != (1, 1, 0) {
        return Err((1, "expected one input, one output and no parameter\0"));
    }
    let (x, y) = (&*call.inputs, &*call.outputs);
    let shape = list(x.shape, x.ndim);
    if x.dtype != F32 || y.dtype != U32 { return Err((3, "expected f32 as input and u32 as output\0")); }
    if shape != list(y.shape, y.ndim) || x.ndim != y.ndim { return Err((5, "expected equal shapes\0")); }
    if !dense(x) || !dense(y) { return Err((4, "expected dense tensors\0")); }
    let (from, to) = (x.data as *const f32, y.data as *mut u32);
    (0..shape.iter().product::<i64>() as usize).for_each(|i| *to.add(i) = *from.add(i) as u32);
    Ok(())
}
unsafe extern "C" fn cast(call: &Call) -> i32 {
    checked(call).err().map_or(0, |(status, what)| {
        std::ptr::copy(what.as_ptr(), call.message, what.len().min(call.message_size as usize));
        status
    })
}

static KERNEL: Kernel = Kernel { entry_point: "fuel_reference_backend::ops::cast_f32_to_u32\0".as_ptr(),
    variant: "example\0".as_ptr(), inputs: &F32, outputs: &U32, input_count: 1, output_count: 1, flags: 0,
    function: cast };
static LIST: List = List { abi_version: 1, kernel_count: 1, kernels: &KERNEL };

#[no_mangle]
pub extern "C" fn assay_kernel_table() -> &'static List { &LIST }
