import MLCCore
import MLCKernels

/// What the packed LSTM, GRU and RNN share: groups of tasks for each direction and a few batch elements, and
/// recurrent weights packed as `[D][⌈H/R⌉][H][gates][R]`, where R is the vector's width, or that of the strips that
/// devices share. A direction of weights that are codes is expanded before its first step. Batch elements of
/// neighbouring groups go through the steps together, so that a row of weights serves all of them.
struct PackedRecurrence {
  let routine: Routine.PackedRecurrence
  let gates: Int
  let weights: Weights
  /// The parameters that hold the sequences' lengths, where they differ, and the memory.
  let lengths: Int?, memory: Int
  private var hidden: Int { routine.hidden }
  private var directions: Int { routine.direction.count }

  enum Weights {
    case plain(Tensor)
    case compressed(CompressedConstant)
  }

  init(
    _ routine: Routine.PackedRecurrence,
    gates: Int,
    params count: Int,
    _ kernel: Kernel,
    in program: KernelProgram
  ) throws(Diagnostic) {
    func bad(_ why: String) -> Diagnostic {
      Diagnostic("target.recurrence", "a packed recurrence: \(why)", kind: .unsupported)
    }
    guard routine.hidden > 0 else { throw bad("the hidden size is \(routine.hidden)") }
    let wanted = count + (routine.hasLengths ? 2 : 1)
    guard kernel.params.count == wanted else { throw bad("\(kernel.params.count) parameters, not \(wanted)") }
    for param in kernel.params.prefix(count) where program[param.tensor].dtype != .float32 {
      throw bad("parameters must be fp32")
    }
    (lengths, memory) = (routine.hasLengths ? count : nil, wanted - 1)
    guard program[kernel.params[memory].tensor].dtype == .float32 else { throw bad("memory must be fp32") }
    for param in kernel.params[count..<memory] where ![.int32, .int64].contains(program[param.tensor].dtype) {
      throw bad("lengths must be int32 or int64")
    }
    guard routine.order.sorted() == Array(0..<gates) else { throw bad("order of gates \(routine.order)") }
    (self.routine, self.gates) = (routine, gates)
    let shape = [routine.direction.count, gates * routine.hidden, routine.hidden]
    switch program[program.root(kernel.params[1].tensor)].kind {
    case .constant(let weights) where weights.shape == shape: self.weights = .plain(weights)
    case .compressed(let weights) where weights.shape == shape: self.weights = .compressed(weights)
    default: throw bad("the recurrent weights are not a constant \(shape)")
    }
    if case .compressed = weights, expandedBytes > 1 << 25 { throw bad("the codes are too many to expand at once") }
  }

  /// Units whose weights of one gate and step lie together, R above.
  func row(_ device: DeviceDescription) -> Int {
    switch weights {
    case .plain: device.packedLanes ?? device.lanes
    case .compressed: device.lanes
    }
  }

  func padded(_ lanes: Int) -> Int { (hidden + lanes - 1) / lanes * lanes }

  /// Where the kernel's lanes and steps lie in the weights.
  private func grid(_ lanes: Int) -> WeightGrid {
    let panels = padded(lanes) / lanes
    var rows: [Int] = []
    for d in 0..<directions {
      for panel in 0..<panels {
        for gate in routine.order {
          for unit in panel * lanes..<(panel + 1) * lanes {
            rows.append(unit < hidden ? ((d * gates + gate) * hidden + unit) * hidden : -1)
          }
        }
      }
    }
    return WeightGrid(
      lanes: rows,
      steps: Array(0..<hidden),
      panels: [Int](repeating: gates, count: directions * panels)
    )
  }

  /// Compressed weights for vectors of `lanes`; `nil` for plain ones. Throws when blocks do not follow vectors.
  func compressed(_ lanes: Int) throws(Diagnostic) -> CompressedPanels? {
    guard case .compressed(let constant) = weights else { return nil }
    guard let panels = CompressedPanels(constant, grid(lanes), lanes: lanes) else {
      throw Diagnostic(
        "target.recurrence",
        "its codes are cut into blocks that vectors do not follow",
        kind: .unsupported
      )
    }
    return panels
  }

  /// Throws when compressed weights suit no vector width: blocks of them run along both axes of a gate's matrix, or
  /// save nothing.
  func checkBlocks() throws(Diagnostic) {
    for lanes in [4, 8, 16] { _ = try compressed(lanes) }
  }

  /// Bytes of one direction's weights, for vectors of 16.
  private var expandedBytes: Int { padded(16) * gates * hidden * 4 }

  /// Plain weights as the kernel reads them; lanes past H are zero.
  func packed(_ weights: Tensor, _ lanes: Int) -> Tensor {
    let (source, grid) = (weights.floats, grid(lanes))
    let width = gates * lanes
    return Tensor(.float32, [directions, padded(lanes) / lanes, hidden, gates, lanes]) {
      (out: UnsafeMutableBufferPointer<Float>) in
      for (panel, first) in stride(from: 0, to: grid.lanes.count, by: width).enumerated() {
        for lane in 0..<width where grid.lanes[first + lane] >= 0 {
          let row = grid.lanes[first + lane]
          for k in 0..<hidden { out[(panel * hidden + k) * width + lane] = source[row + k] }
        }
      }
    }
  }

  /// Statements that declare `w0`, and expand the weights of direction `d` into it unless they are there.
  func expansion(_ panels: CompressedPanels, _ lanes: Int, _ symbol: String) -> CCode {
    let perPanel = hidden * gates * lanes
    let call = panels.expand(
      "p1",
      panel: "d * (HP / VL) + panel",
      vector: "(d * (HP / VL) + panel) * G",
      vectors: "G",
      first: "0",
      count: "H",
      to: "w0 + panel * \(perPanel)",
      symbol
    )
    return """
      float *const w0 = (float *)(void *)scratch;
      if (d != expanded) for (int64_t panel = 0; panel < HP / VL; panel++) \(call)
      expanded = d;
      """
  }
}
