import MLCCore
import MLCKernels

extension PackedRecurrence {
  /// What the routines differ in, as C. `start` and `finish` see a row's direction `d`, its place `t` among states, `h`
  /// (the state, padded) and `extra`, memory of its own; `step`, put together by `each`, sees `d`.
  struct Cell {
    /// The parameter that takes the outputs of all steps.
    let output: Int
    /// Before the first step, in each step, and after the last one.
    let start: CCode, step: CCode, finish: CCode
  }

  /// The kernel called `name` whose cell is `cell`.
  func emitted(
    _ name: String,
    _ cell: Cell,
    _ kernel: Kernel,
    in program: KernelProgram,
    on device: DeviceDescription
  ) throws(Diagnostic) -> EmittedKernel {
    let lanes = row(device)
    let (tile, compressed) = (tile(device), try compressed(lanes))
    let constant =
      switch weights {
      case .plain(let values): packed(values, lanes)
      case .compressed: compressed!.packed
      }
    let speller = ScalarSpeller(kernel, in: program)
    let prologue = speller.prologue(kernel, in: program)
    let blocks = routine.batch.ceilDiv(Dim(tile.rows))
    return EmittedKernel(
      KernelName(.float32, name, on: device),
      source: { source(cell, tile, compressed, speller, prologue: prologue, lanes, $0) },
      tasks: speller.sizes.spell(blocks * Dim(routine.direction.count)),
      packed: [1: constant],
      scratchBytes: stateBytes(tile, lanes) + (compressed == nil ? 0 : padded(lanes) * gates * routine.hidden * 4)
    )
  }

  private var fault: String { "mlc_fault_set(frame->fault, MLC_FAULT_SIZE);" }

  private func stateBytes(_ tile: Tile, _ lanes: Int) -> Int {
    (padded(lanes) * 4 * Self.rowStates * tile.rows * tile.together + 63) / 64 * 64
  }

  private func source(
    _ cell: Cell,
    _ tile: Tile,
    _ compressed: CompressedPanels?,
    _ speller: ScalarSpeller,
    prologue: CCode,
    _ lanes: Int,
    _ symbol: String
  ) -> CCode {
    let reverse = routine.direction == .reverse ? "1" : "d == 1"
    let stateBytes = stateBytes(tile, lanes)
    let weights = compressed.map { expansion($0, lanes, after: stateBytes, symbol) }
    let body: CCode = """
      \(prologue)
      enum { H = \(routine.hidden), HP = \(padded(lanes)), G = \(gates), D = \(routine.direction.count) };
      enum { OWN = \(Self.rowStates) * HP };
      const int64_t S = \(speller.sizes.spell(routine.steps)), B = \(speller.sizes.spell(routine.batch));
      const int64_t blocks = \(speller.sizes.spell(routine.batch.ceilDiv(Dim(tile.rows))));
      float *const states = (float *)(void *)scratch;
      int64_t expanded = -1;
      (void)expanded;
      for (int64_t task = begin; task < end;) {
        const int64_t d = task / blocks, block = task % blocks;
        const int64_t count = mlc_min_i64(mlc_min_i64(blocks - block, end - task), \(tile.together));
        const int64_t low = B * block / blocks, rows = B * (block + count) / blocks - low;
        const int64_t least = rows / count, more = rows % count;
        (void)least, (void)more;
        task += count;
        \(weights ?? "const float *const w0 = p1 + d * (HP * G * H);")
        __builtin_memset(states, 0, sizeof(float) * OWN * (uint64_t)rows);
        for (int64_t row = 0; row < rows; row++) {
          const int64_t t = d * B + low + row;
          float *const h = states + row * OWN, *const extra = h + 2 * HP;
          (void)extra;
          \(cell.start)
          \(lengths.map { "if (p\($0)[low + row] < 0 || p\($0)[low + row] > S) \(fault)" } ?? "")
        }
        int64_t now = 0;
        for (int64_t n = 0; n < S; n++, now = HP - now) {
          const int64_t step = \(reverse) ? S - 1 - n : n;
          const float *const x0 = p0 + ((step * B + low) * D + d) * (G * H);
          float *const y0 = p\(cell.output) + ((step * D + d) * B + low) * H;
          \(cell.step)
        }
        for (int64_t row = 0; row < rows; row++) {
          const int64_t t = d * B + low + row;
          const float *const h = states + row * OWN + now, *const extra = states + row * OWN + 2 * HP;
          (void)extra;
          \(cell.finish)
        }
      }
      """
    return (compressed?.expandFunction(symbol) ?? []) + .kernel(symbol, body)
  }
}
