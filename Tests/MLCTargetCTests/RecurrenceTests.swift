import Foundation
import MLCCore
import MLCKernels
import Testing

@Suite struct RecurrenceTests {
  let s = 4
  let b = 2
  var h = 21

  func values(_ count: Int, _ seed: Int) -> [Float] { (0..<count).map { Float(($0 * 37 + seed) % 101) / 120 - 0.4 } }
  func sigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }

  func play(
    _ direction: Routine.Direction,
    gates: Int,
    _ form: (Routine.PackedRecurrence) -> Routine,
    _ expected: ([[Float]]) -> [Float]
  ) throws {
    let d = direction.count
    let packed = Routine.PackedRecurrence(
      steps: Dim(s),
      batch: Dim(b),
      hidden: h,
      direction: direction,
      order: Array(0..<gates)
    )
    let routine = form(packed)
    let name = routine.name
    var shapes = [[s, b, d * gates * h], [d, gates * h, h]]
    if name == "gru" { shapes.append([d, h]) }
    shapes += [[Int]](repeating: [d, b, h], count: name == "lstm" ? 2 : 1)
    let inputs = shapes.enumerated().map { values($1.reduce(1, *), $0 * 13) }
    var program = KernelProgram()
    var ids: [TensorID] = []
    for (k, shape) in shapes.enumerated() {
      let tensor = Tensor(shape, floats: inputs[k])
      ids.append(
        program.add(KernelTensor("i\(k)", .float32, shape.map { Dim($0) }, k == 1 ? .constant(tensor) : .temporary))
      )
    }
    let outputs = name == "lstm" ? [[s, d, b, h], [d, b, h], [d, b, h]] : [[s, d, b, h], [d, b, h]]
    let memory = [d * b, Routine.PackedRecurrence.memory(h)]
    for shape in outputs + [memory] {
      ids.append(program.add(KernelTensor("o", .float32, shape.map { Dim($0) }, .temporary)))
    }
    let params = ids.enumerated().map { Kernel.Param($1, $0 < shapes.count ? .read : .write) }
    let kernel = Kernel(name, params, .routine(routine), origins: [])
    var bytes: [TensorID: [UInt8]] = [:]
    for k in shapes.indices { bytes[ids[k]] = inputs[k].withUnsafeBytes { Array($0) } }
    let wanted = expected(inputs)
    for device in CompileAndRun.layouts {
      let result = try CompileAndRun(device).run(kernel, in: program, inputs: bytes)
      let y = result.outputs[ids[shapes.count]]!.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      let worst = zip(y, wanted).map { abs($0 - $1) }.max()!
      #expect(y.count == wanted.count && worst < 2e-5, "\(routine) on \(device.label): off by \(worst)")
      let last = result.outputs[ids[shapes.count + 1]]!.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      for dir in 0..<d {
        let step = direction == .reverse || dir == 1 ? 0 : s - 1
        let from = (step * d + dir) * b * h
        #expect(Array(y[from..<from + b * h]) == Array(last[dir * b * h..<(dir + 1) * b * h]))
      }
    }
  }

  /// Y by the definition; `cell` maps (x gates, h·Rᵀ as a function of any h, h, unit) to the new h of all units.
  func scan(
    _ i: [[Float]],
    _ d: Int,
    _ gates: Int,
    _ reverse: Bool,
    _ start: Int,
    _ cell: ([Double], ([Double], Int) -> Double, [Double], Int, Int) -> [Double]
  ) -> [Float] {
    var y = [Float](repeating: 0, count: s * d * b * h)
    for dir in 0..<d {
      for n in 0..<b {
        var state = (0..<h).map { Double(i[start][(dir * b + n) * h + $0]) }
        for t in 0..<s {
          let step = reverse || dir == 1 ? s - 1 - t : t
          let x = (0..<gates * h).map { Double(i[0][((step * b + n) * d + dir) * gates * h + $0]) }
          let product = { (v: [Double], row: Int) in
            (0..<self.h).reduce(0.0) { $0 + v[$1] * Double(i[1][(dir * gates * self.h + row) * self.h + $1]) }
          }
          state = cell(x, product, state, dir, t == 0 ? n : -1)
          for u in 0..<h { y[((step * d + dir) * b + n) * h + u] = Float(state[u]) }
        }
      }
    }
    return y
  }

  @Test(arguments: [Routine.Direction.forward, .reverse, .bidirectional])
  func lstm(_ direction: Routine.Direction) throws {
    try play(direction, gates: 4, Routine.packedLSTM) { i in
      var c: [Double] = []
      return scan(i, direction.count, 4, direction == .reverse, 2) { x, product, state, dir, first in
        if first >= 0 { c = (0..<h).map { Double(i[3][(dir * b + first) * h + $0]) } }
        return (0..<h).map { u in
          let g = (0..<4).map { x[$0 * h + u] + product(state, $0 * h + u) }
          c[u] = sigmoid(g[2]) * c[u] + sigmoid(g[0]) * tanh(g[3])
          return sigmoid(g[1]) * tanh(c[u])
        }
      }
    }
  }

  @Test(arguments: [Routine.Activation.sigmoid, .tanh, .relu, .hardSigmoid, .linear])
  func rnn(_ activation: Routine.Activation) throws {
    func form(_ packed: Routine.PackedRecurrence) -> Routine { .packedRNN(packed, activation) }
    try play(.bidirectional, gates: 1, form) { i in
      scan(i, 2, 1, false, 2) { x, product, state, _, _ in
        (0..<h).map { u in
          let sum = x[u] + product(state, u)
          return switch activation {
          case .sigmoid: sigmoid(sum)
          case .tanh: tanh(sum)
          case .relu: max(sum, 0)
          case .hardSigmoid: min(max(0.2 * sum + 0.5, 0), 1)
          case .linear: sum
          }
        }
      }
    }
  }

  @Test(arguments: [false, true]) func gru(_ isLinear: Bool) throws {
    func form(_ packed: Routine.PackedRecurrence) -> Routine { .packedGRU(packed, linearBeforeReset: isLinear) }
    try play(.bidirectional, gates: 3, form) { i in
      scan(i, 2, 3, false, 3) { x, product, state, dir, _ in
        let r = (0..<h).map { sigmoid(x[h + $0] + product(state, h + $0)) }
        return (0..<h).map { u in
          let z = sigmoid(x[u] + product(state, u))
          let bias = Double(i[2][dir * h + u])
          let inner =
            isLinear
            ? r[u] * (product(state, 2 * h + u) + bias) : product(zip(r, state).map { $0 * $1 }, 2 * h + u) + bias
          return (1 - z) * tanh(x[2 * h + u] + inner) + z * state[u]
        }
      }
    }
  }

  /// So many units that the tasks of a step are parts of them.
  @Test func partsOfTheUnits() throws {
    var large = self
    large.h = 150
    try large.lstm(.bidirectional)
    try large.gru(false)
    try large.gru(true)
    large.h = 200
    try large.rnn(.tanh)
  }
}
