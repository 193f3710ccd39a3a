import MLCCore
import MLCKernels
import Testing

/// A loop nest over named tensors, the last of which it stores to.
struct NestCase {
  var name: String
  var tensors: [KernelTensor] = []
  var nest: LoopNest
  var symbols: [String: Int] = [:]
  /// Values of parameter `p` at flat position `i`.
  var fill: (Int, Int) -> Double = { p, i in Double((i * 37 + p * 11) % 101) / 16 - 3 }
  /// The fault that the kernel sets, where that is to be checked.
  var fault: Int64?

  static func tensor(_ t: DType, _ shape: [Dim], _ layout: Layout = .plain) -> KernelTensor {
    var tensor = KernelTensor("t", t, shape, .temporary)
    tensor.layout = layout
    return tensor
  }

  /// Compares the last tensor with the reference, and checks that the padding of blocked results is zero.
  func check(on device: DeviceDescription, tolerance: Double = 1e-5) throws {
    var program = KernelProgram()
    program.symbols = symbols.keys.sorted()
    let ids = tensors.map { program.add($0) }
    let last = tensors.count - 1
    let kernel = Kernel(
      name,
      ids.enumerated().map { .init($1, $0 == last ? .readWrite : .read) },
      .loopNest(nest),
      origins: []
    )
    var reference = NestReference(program: program, kernel: kernel, values: [], bindings: symbols)
    for p in tensors.indices {
      let count = reference.shape(p).reduce(1, *)
      let values = (0..<count).map { p == last ? 0 : fill(p, $0) }
      reference.values.append(Tensor(tensors[p].dtype, [count], values).doubles)
    }
    var inputs: [TensorID: [UInt8]] = [:]
    for p in 0..<last { inputs[ids[p]] = stored(reference.values[p], tensors[p], reference.shape(p)) }
    reference.run(nest)
    let runner = try CompileAndRun(device)
    let order = program.symbols.map { Int64(symbols[$0]!) }
    for split in [true, false] {
      let result = try runner.run(kernel, in: program, inputs: inputs, symbols: order, splitTasks: split)
      if let fault, result.fault != fault {
        Issue.record("\(name) on \(device.name): fault \(result.fault), not \(fault)")
      }
      let expected = stored(reference.values[last], tensors[last], reference.shape(last))
      let t = tensors[last].dtype
      let count = expected.count * 8 / t.bitWidth
      let e = numbers(expected, t, count)
      let a = numbers(result.outputs[ids[last]]!, t, count)
      for i in 0..<count
      where !(abs(e[i] - a[i]) <= tolerance * max(1, abs(e[i])) || (e[i].isNaN && a[i].isNaN) || e[i] == a[i]) {
        Issue.record("\(name) on \(device.name): element \(i) of \(count) is \(a[i]), not \(e[i])")
        return
      }
    }
  }

  private func numbers(_ bytes: [UInt8], _ t: DType, _ count: Int) -> [Double] {
    let storage = Storage(byteCount: bytes.count) { out in bytes.withUnsafeBytes { out.copyMemory(from: $0) } }
    return Tensor(t, [count], storage: storage)!.doubles
  }

  /// The bytes of `values` in the tensor's layout.
  private func stored(_ values: [Double], _ tensor: KernelTensor, _ shape: [Int]) -> [UInt8] {
    var elements = values
    if case .blocked(let b) = tensor.layout {
      elements = [Double](repeating: 0, count: b.storedCount(shape))
      for (flat, value) in values.enumerated() { elements[b.place(of: flat, in: shape)] = value }
    }
    return Tensor(tensor.dtype, [elements.count], elements).withBytes { Array($0) }
  }
}
