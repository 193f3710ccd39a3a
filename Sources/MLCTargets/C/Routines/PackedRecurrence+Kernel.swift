import MLCCore
import MLCKernels

extension PackedRecurrence {
  /// What the routines differ in, as C. `start` and `finish` see a row's direction `d`, its place `t` among states, `h`
  /// (the state, padded) and `extra`, memory of its own; `sweeps`, put together by `each`, see `d`.
  struct Cell {
    /// The parameter that takes the outputs of all steps.
    let output: Int
    /// Before the first step, in each step, after the last one. A sweep over the units may use all of the one before.
    let start: CCode, sweeps: [CCode], finish: CCode
    /// The fewest sums of a sweep.
    let fewestSums: Int
  }

  /// The kernel called `name` whose cell is `cell`. A group of its tasks is a direction of a few batch elements; phases
  /// are the start, the sweeps of each step and the end; the tasks of a phase are parts of the units.
  func emitted(
    _ name: String,
    _ cell: Cell,
    _ kernel: Kernel,
    in program: KernelProgram,
    on device: DeviceDescription
  ) throws(Diagnostic) -> EmittedKernel {
    let lanes = row(device)
    let compressed = try compressed(lanes)
    let constant =
      switch weights {
      case .plain(let values): packed(values, lanes)
      case .compressed: compressed!.packed
      }
    let speller = ScalarSpeller(kernel, in: program)
    let prologue = speller.prologue(kernel, in: program)
    let parts = parts(cell, device)
    let blocks = routine.batch.ceilDiv(Dim(tile(device).rows))
    return EmittedKernel(
      KernelName(.float32, name, on: device),
      source: { source(cell, compressed, speller, prologue, parts, device, $0) },
      tasks: "\(parts)",
      phases: .init(
        groups: speller.sizes.spell(blocks * Dim(routine.direction.count)),
        count: "\(cell.sweeps.count) * \(speller.sizes.spell(routine.steps)) + 2"
      ),
      packed: [1: constant],
      scratchBytes: compressed == nil ? 0 : padded(lanes) * gates * routine.hidden * 4
    )
  }

  /// Parts are multiples of so many units: whole vectors, and whole lines of memory.
  private func partUnits(_ cell: Cell, _ device: DeviceDescription) -> Int {
    max(16, vectors(sums: cell.fewestSums, device) * device.lanes)
  }

  /// How many parts the units have: as many as are worth their start, or one where two threads would wait for each
  /// other about as long as they work. Codes are expanded for all units at once.
  private func parts(_ cell: Cell, _ device: DeviceDescription) -> Int {
    guard case .plain = weights else { return 1 }
    let units = partUnits(cell, device)
    let work = gates * routine.hidden * routine.hidden * tile(device).counts.min()! / cell.sweeps.count
    if work < 4 * TaskPlan.grain { return 1 }
    return min((routine.hidden + units - 1) / units, work / TaskPlan.grain)
  }

  private var fault: String { "mlc_fault_set(frame->fault, MLC_FAULT_SIZE);" }

  private func source(
    _ cell: Cell,
    _ compressed: CompressedPanels?,
    _ speller: ScalarSpeller,
    _ prologue: CCode,
    _ parts: Int,
    _ device: DeviceDescription,
    _ symbol: String
  ) -> CCode {
    let (lanes, units) = (row(device), partUnits(cell, device))
    let tile = tile(device)
    let weights = compressed.map { expansion($0, lanes, symbol) }
    let body: CCode = """
      enum { H = \(routine.hidden), HP = \(padded(lanes)), G = \(gates), D = \(routine.direction.count) };
      enum { OWN = \(Routine.PackedRecurrence.memory(routine.hidden)), PARTS = \(parts) };
      enum { UNITS = (H - 1) / \(units) + 1 };
      const int64_t S = \(speller.sizes.spell(routine.steps)), B = \(speller.sizes.spell(routine.batch));
      const int64_t blocks = \(speller.sizes.spell(routine.batch.ceilDiv(Dim(tile.rows))));
      const int64_t phases = \(cell.sweeps.count) * S + 2;
      int64_t expanded = -1;
      (void)expanded;
      for (int64_t task = begin; task < end;) {
        \(extent(tile, units: units))
        float *const states = p\(memory) + (d * B + low) * OWN;
        \(weights ?? "const float *const w0 = p1 + d * (HP * G * H);")
        for (int64_t phase = first; phase < last; phase++) {
          const int64_t n = (phase - 1) / \(cell.sweeps.count), now = n % 2 * HP;
          if (phase == 0 || n == S) {
            \(borders(cell))
            continue;
          }
          const int64_t step = \(routine.direction == .reverse ? "S - 1 - n" : "d == 1 ? S - 1 - n : n");
          const float *const x0 = p0 + ((step * B + low) * D + d) * (G * H);
          float *const y0 = p\(cell.output) + ((step * D + d) * B + low) * H;
          \(sweeps(cell))
        }
        task += whole > 0 ? whole * PARTS * phases : parts;
      }
      """
    return (compressed?.expandFunction(symbol) ?? []) + .kernel(symbol, prologue + body)
  }

  /// What is done from `task` on: phases of a batch's rows and units; of several groups where all their phases are.
  private func extent(_ tile: Tile, units: Int) -> CCode {
    """
    const int64_t part = task % PARTS, first = task / PARTS % phases, group = task / PARTS / phases;
    const int64_t d = group / blocks, block = group % blocks, left = (end - task) / (PARTS * phases);
    const int64_t whole = part + first == 0 ? mlc_min_i64(mlc_min_i64(blocks - block, left), \(tile.together)) : 0;
    const int64_t parts = whole > 0 ? PARTS : mlc_min_i64(PARTS - part, end - task);
    const int64_t count = mlc_max_i64(whole, 1), last = whole > 0 ? phases : first + 1;
    const int64_t low = B * block / blocks, rows = B * (block + count) / blocks - low;
    const int64_t from = UNITS * part / PARTS * \(units);
    const int64_t to = mlc_min_i64(H, UNITS * (part + parts) / PARTS * \(units));
    const int64_t least = rows / count, more = rows % count;
    (void)least, (void)more, (void)from, (void)to;
    """
  }

  /// The first phase and the last one.
  private func borders(_ cell: Cell) -> CCode {
    """
    for (int64_t row = 0; row < rows && part == 0; row++) {
      const int64_t t = d * B + low + row;
      if (phase == 0) {
        float *const h = states + row * OWN, *const extra = h + 2 * HP;
        __builtin_memset(h, 0, sizeof(float) * OWN);
        (void)extra;
        \(cell.start)
        \(lengths.map { "if (p\($0)[low + row] < 0 || p\($0)[low + row] > S) \(fault)" } ?? "")
      } else {
        const float *const h = states + row * OWN + now, *const extra = states + row * OWN + 2 * HP;
        (void)extra;
        \(cell.finish)
      }
    }
    """
  }

  private func sweeps(_ cell: Cell) -> CCode {
    cell.sweeps.enumerated().map { number, sweep -> CCode in
      cell.sweeps.count == 1 ? sweep : .block("if ((phase - 1) % \(cell.sweeps.count) == \(number))", sweep)
    }.joined()
  }
}
