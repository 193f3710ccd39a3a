import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGraph
import MLCKernels
import MLCOps
import MLCPasses
import MLCRuntime
import MLCTargetC
import TestSupport
import Testing

/// Attention in all the forms that its kernels tell apart, as generated code of every device that this CPU runs.
@Suite(.serialized) struct AttentionTests {
  private static let devices = DeviceSet.here

  /// Numbers of mild size that do not repeat soon.
  private func wave(_ shape: [Int], _ step: Double, _ dtype: DType = .float32, scale: Double = 1) -> Tensor {
    var phase = step
    return Tensor(
      dtype,
      shape,
      (0..<shape.reduce(1, *)).map { _ in
        phase = (phase * 1.7 + step).truncatingRemainder(dividingBy: 2)
        return (phase - 1) * scale
      }
    )
  }

  private struct Form {
    var function: Builder = Builder()
    var inputs: [Tensor] = []
    var outputs: [(String, ValueID)] = []

    /// Adds an attention over new inputs; the extents at `open` of the last but one axis are symbols.
    mutating func add(
      _ name: String,
      _ tensors: [Tensor],
      isOpen: Bool = false,
      maskedScore: Double = -.infinity
    ) throws {
      var values: [[ValueID]] = []
      for (port, tensor) in zip(["q", "k", "v", "mask"], tensors) {
        var shape = tensor.type.shape
        if isOpen { shape[shape.count - 2] = Dim(stringLiteral: port == "q" ? "\(name)_l" : "\(name)_s") }
        values.append([function.input("\(name)_\(port)", TensorType(tensor.dtype, shape))])
        inputs.append(tensor)
      }
      if values.count == 3 { values.append([]) }
      let op = ScaledDotProductAttention(maskedScore: maskedScore)
      outputs.append((name, try function.append(op, values, names: [name])[0]))
    }
  }

  private func forms() throws -> Form {
    var form = Form()
    let odd = [wave([2, 3, 29, 20], 0.3), wave([2, 3, 37, 20], 0.7), wave([2, 3, 37, 23], 0.9)]
    try form.add("odd", odd)
    try form.add("open", odd, isOpen: true)
    try form.add("broadcast", [wave([2, 3, 9, 16], 0.3), wave([1, 37, 16], 0.7), wave([3, 37, 16], 0.9)])
    try form.add("half", odd.map { $0.converted(to: .float16) })
    try form.add(
      "long",
      [wave([1, 70, 8], 0.3, scale: 9), wave([1, 2500, 8], 0.7, scale: 9), wave([1, 2500, 8], 0.9)]
    )
    let row = [wave([2, 3, 2, 64], 0.3), wave([2, 3, 41, 64], 0.7), wave([2, 3, 41, 32], 0.9)]
    try form.add("rows", row)
    try form.add("half_rows", row.map { $0.converted(to: .float16) })
    try form.add("open_row", [wave([3, 1, 32], 0.3), wave([3, 4500, 32], 0.7), wave([3, 4500, 32], 0.9)])
    try form.add("no_keys", [wave([1, 5, 4], 0.3), wave([1, 0, 4], 0.7), wave([1, 0, 4], 0.9)])
    try form.add("no_keys_row", [wave([1, 1, 16], 0.3), wave([1, 0, 16], 0.7), wave([1, 0, 16], 0.9)])
    try form.add("no_queries", [wave([1, 0, 4], 0.3), wave([1, 3, 4], 0.7), wave([1, 3, 4], 0.9)])
    return form
  }

  /// Masks with rows that are −∞ in a whole chunk or everywhere, hold NaN, or differ among heads.
  private func maskedForms() throws -> Form {
    var form = Form()
    let (l, s) = (31, 2600)
    var mask = wave([1, l, s], 0.11, scale: 3).doubles
    for n in 0..<s { mask[2 * s + n] = -.infinity }
    for n in 0..<2000 { mask[3 * s + n] = -.infinity }
    for n in 1000..<s { mask[4 * s + n] = -.infinity }
    mask[5 * s + 7] = .nan
    for n in 0..<1500 { mask[6 * s + n] = n == 3 ? .nan : -.infinity }
    mask[8 * s + 2100] = .infinity
    let data = [wave([2, l, 12], 0.3), wave([2, s, 12], 0.7), wave([2, s, 12], 0.9)]
    try form.add("added", data + [Tensor(.float32, [1, l, s], mask)])
    let flags = Tensor(.bool, [2, l, s], (0..<2 * l * s).map { ($0 * 7 / 3) % 5 == 0 || $0 / s == 4 ? 0 : 1 })
    try form.add("flags", data + [flags])
    for score in [-1e9, Double(-Float.greatestFiniteMagnitude), 0.5] {
      let halves = data.map { $0.converted(to: .float16) }
      try form.add("flags_\(form.outputs.count)", data + [flags], maskedScore: score)
      try form.add("half_flags_\(form.outputs.count)", halves + [flags], maskedScore: score)
    }
    let row = [wave([4, 1, 32], 0.3), wave([4, 21, 32], 0.7), wave([4, 21, 32], 0.9)]
    try form.add("blind_row", row + [Tensor(.bool, [1, 21], [Int](repeating: 0, count: 21))], maskedScore: -3e4)
    try form.add(
      "flag_row",
      row + [Tensor(.bool, [1, 21], (0..<21).map { $0 % 3 == 0 ? 0 : 1 })]
    )
    try form.add(
      "per_row",
      [wave([2, 9, 12], 0.3), wave([2, 21, 12], 0.7), wave([2, 21, 12], 0.9), wave([9, 1], 0.4)]
    )
    return form
  }

  private func expectAgreement(_ function: Function, _ inputs: [Tensor]) throws {
    let expected = try Interpreter(function).run(inputs)
    for device in Self.devices {
      let results = try CompiledRunner(device).run(function, [inputs])[0]
      for (index, (result, reference)) in zip(results, expected).enumerated() {
        let (rtol, atol) = reference.dtype == .float16 ? (2e-3, 2e-3) : (1e-4, 1e-5)
        let problem = disagreement(result, reference, rtol: rtol, atol: atol)
        #expect(problem == nil, "\(function.outputNames[index]) on \(device.name): \(problem ?? "")")
      }
    }
  }

  @Test func everyForm() throws {
    var form = try forms()
    try expectAgreement(form.function.finish(form.outputs), form.inputs)
  }

  @Test func everyMask() throws {
    var form = try maskedForms()
    try expectAgreement(form.function.finish(form.outputs), form.inputs)
  }

  /// Heads that stand beside each other in rows are read, and written, where they are: one kernel and no copy.
  @Test func headsStayInPlace() throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [1, "n", 3, 2, 16]))
    let turned = try builder(Transpose([2, 0, 3, 1, 4]), x)
    let parts = try builder.append(Split(axis: 0, sizes: [1, 1, 1]), [[turned]])
    var heads: [ValueID] = []
    for part in parts { heads.append(try builder(Squeeze([0]), part)) }
    let sums = try builder.append(ScaledDotProductAttention(), [[heads[0]], [heads[1]], [heads[2]], []])[0]
    let back = try builder(Transpose([0, 2, 1, 3]), sums)
    let function = builder.finish([("y", back)])
    try expectAgreement(function, [wave([1, 50, 3, 2, 16], 0.3)])
    var families: [String] = []
    KernelProgram.forEachKernel(try KernelProgram.optimized(function, for: CTarget.v3).steps) {
      families.append($0.family)
    }
    #expect(families == ["attention"])
  }
}
