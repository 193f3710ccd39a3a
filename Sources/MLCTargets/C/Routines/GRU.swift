import MLCCore
import MLCKernels

/// The recurrent part of a GRU, gates in the order z, r, h (ONNX), sigmoid and tanh.
///
/// Parameters, all fp32: gates `[S, B, D·3H]` (x·W plus every bias except the one of parameter 2), R `[D, 3H, H]`,
/// the recurrent bias of the h gate `[D, H]`, initial h `[D, B, H]`, then stored: Y `[S, D, B, H]`, Y_h `[D, B, H]`.
/// `h = (1 − z)·ĥ + z·h`, where ĥ is `tanh(x + (r·h)·Rᵀ + bias)`, or with the option `linear_before_reset` of `1`
/// `tanh(x + r·(h·Rᵀ + bias))`.
struct GRUEmitter: RoutineEmitter {
  let packed: Routine.PackedRecurrence
  let linearBeforeReset: Bool

  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic? {
    do { try PackedRecurrence(packed, gates: 3, params: 6, kernel, in: program).checkBlocks() } catch { return error }
    return nil
  }

  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
  {
    let recurrence = try PackedRecurrence(packed, gates: 3, params: 6, kernel, in: program)
    let cell = PackedRecurrence.Cell(
      output: 4,
      start: """
        (void)extra;
        const float *const bias = p2 + d * H;
        __builtin_memcpy(h, p3 + t * H, sizeof(float) * H);
        """,
      step: linearBeforeReset ? resetLast : resetFirst,
      finish: "__builtin_memcpy(p5 + t * H, h, sizeof(float) * H);"
    )
    return try recurrence.emitted("gru", cell, kernel, in: program, on: device)
  }

  private var resetLast: CCode {
    """
    for (int64_t j = 0; j < H; j += VL) {
      const int64_t part = mlc_min_i64(VL, H - j);
      const float *w = w0 + j * (G * H);
      V z = mlc_ld_part(x + j, part), r = mlc_ld_part(x + H + j, part), g = mlc_ld_part(bias + j, part);
      for (int64_t k = 0; k < H; k++, w += G * VL) {
        const float s = h[k];
        z += LD(w) * s, r += LD(w + VL) * s, g += LD(w + 2 * VL) * s;
      }
      z = mlc_sigmoid_v(z);
      g = mlc_tanh_v(mlc_ld_part(x + 2 * H + j, part) + mlc_sigmoid_v(r) * g);
      const V out = (1.0f - z) * g + z * mlc_ld_part(h + j, part);
      mlc_st_part(next + j, out, part);
      mlc_st_part(y + j, out, part);
    }
    """
  }

  private var resetFirst: CCode {
    """
    float *const zs = extra, *const rh = extra + HP;
    for (int64_t j = 0; j < H; j += VL) {
      const int64_t part = mlc_min_i64(VL, H - j);
      const float *w = w0 + j * (G * H);
      V z = mlc_ld_part(x + j, part), r = mlc_ld_part(x + H + j, part);
      for (int64_t k = 0; k < H; k++, w += G * VL) z += LD(w) * h[k], r += LD(w + VL) * h[k];
      mlc_st_part(zs + j, mlc_sigmoid_v(z), part);
      mlc_st_part(rh + j, mlc_sigmoid_v(r) * mlc_ld_part(h + j, part), part);
    }
    for (int64_t j = 0; j < H; j += VL) {
      const int64_t part = mlc_min_i64(VL, H - j);
      const float *w = w0 + j * (G * H) + 2 * VL;
      V g = mlc_ld_part(x + 2 * H + j, part) + mlc_ld_part(bias + j, part);
      for (int64_t k = 0; k < H; k++, w += G * VL) g += LD(w) * rh[k];
      const V z = mlc_ld_part(zs + j, part);
      const V out = (1.0f - z) * mlc_tanh_v(g) + z * mlc_ld_part(h + j, part);
      mlc_st_part(next + j, out, part);
      mlc_st_part(y + j, out, part);
    }
    """
  }
}
