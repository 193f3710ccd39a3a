import MLCCore
import MLCGraph
import MLCOps

/// ONNX `DFT` → products by constants: `x: T[*B, n, *I, p]`, p 1 for real numbers or 2 → the same with as many
/// frequencies along `axis` and p = 2. `onesided` keeps the first ⌊L / 2⌋ + 1; `inverse` and `onesided` take those and
/// give a real signal, p = 1. The length must be known; `dft_length` cuts the signal or fills it up with zeros.
package enum ONNXDFT: ONNXOperator {
  package static let types = ["DFT"]
  package static let sinceOpset = 17
  package static var note: String { "lengths that are known, without prime factors beyond 2048" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let data = context.fact(x)
    guard data.rank >= 2, data.dtype.isFloat, let parts = data.shape[data.rank - 1].constant, 1...2 ~= parts else {
      throw Diagnostic("onnx.dft", "\(data.type) are no real or complex numbers")
    }
    let range = -data.rank...data.rank - 1
    let given =
      context.opset < 20
      ? try node.int("axis", default: 1) : try context.integer(2, "axis", in: range) ?? -2
    let axis = try normalized(axis: given, rank: data.rank, "dft")
    guard axis < data.rank - 1, let extent = data.shape[axis].constant, extent <= 1 << 40 else {
      throw Diagnostic("onnx.dft", "axis \(axis) of \(data.type) is no signal of a known length", kind: .unsupported)
    }
    let (isInverse, isOneSided) = (try node.flag("inverse"), try node.flag("onesided"))
    let isReal = isInverse && isOneSided
    let length = try context.integer(1, "dft_length", in: 1...1 << 20) ?? (isReal ? 2 * (extent - 1) : extent)
    guard 1...1 << 20 ~= length, extent > 0 else { throw Diagnostic("onnx.dft", "a length of \(length)") }

    let work: DType = data.dtype == .float64 ? .float64 : .float32
    let last = data.rank - 2
    let perm = (0..<last + 1).filter { $0 != axis } + [axis, last + 1]
    var y = try context.cast(x, to: work)
    if axis != last { y = try context.emit(Transpose(perm), y) }
    let used = min(extent, isReal ? length / 2 + 1 : length)
    if used < extent { y = try context.slice(y, axis: last, from: 0, to: used) }
    let fourier = ONNXFourier(length: length, isInverse: isInverse)
    if isReal {
      y = try context.realSignal(y, fourier)
    } else {
      y = try context.transformed(y, fourier, frequencies: isOneSided ? length / 2 + 1 : length)
    }
    if axis != last { y = try context.emit(Transpose(perm.indices.map { perm.firstIndex(of: $0)! }), y) }
    return [try context.cast(y, to: data.dtype)]
  }
}

extension ONNXContext {
  /// The real signal that `x: T[*B, n, parts]` are the first frequencies of: `T[*B, length, 1]`.
  fileprivate mutating func realSignal(_ x: ValueID, _ fourier: ONNXFourier) throws(Diagnostic) -> ValueID {
    let (shape, length) = (fact(x).shape, fourier.length)
    let batch = Array(shape.dropLast(2))
    guard let count = shape[batch.count].constant, let parts = shape[batch.count + 1].constant else { return x }
    guard length > ONNXFourier.directLimit else {
      let numbers = fourier.realMatrix(count, parts: parts)
      let matrix = constant(Tensor(fact(x).dtype, [count * parts, length], numbers), "dft")
      let flat = try reshape(x, batch + [Dim(count * parts)], sources: [x])
      return try reshape(try emit(MatMul(), flat, matrix), batch + [Dim(length), 1], sources: [x])
    }
    let half = length / 2 + 1
    let first = count == half ? x : try padded(x, axis: batch.count, by: half - count)
    let places = (0..<length).map { min($0, length - $0) }
    let all = try emit(Gather(axis: batch.count), first, constant(ints: places, "places"))
    let signs: [Double] = (0..<length).flatMap { k -> [Double] in
      let sign: Double = 2 * k > length ? -1 : 1
      return parts == 1 ? [1] : [1, sign]
    }
    let conjugates = constant(Tensor(fact(x).dtype, [length, parts], signs), "signs")
    let signal = try transformed(try emit(Mul(), all, conjugates), fourier, frequencies: length)
    return try slice(signal, axis: batch.count + 1, from: 0, to: 1)
  }
}
