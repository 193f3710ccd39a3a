import MLCCore

/// A weight's numbers while it is compressed.
struct WeightData {
  let dtype: DType
  let shape: [Int]
  var values: [Float]
  /// Which elements are kept, 1 or 0 each; `nil` when none was pruned.
  var mask: [UInt8]?

  /// Throws `Untouched` for element types that Core ML has no compressed form of, and for infinities and NaN.
  init(_ tensor: Tensor) throws(Untouched) {
    guard tensor.dtype == .float32 || tensor.dtype == .float16 else {
      throw Untouched("compressed constants are not \(tensor.dtype.rawValue)")
    }
    (dtype, shape, values) = (tensor.dtype, tensor.shape, tensor.floats)
    guard values.allSatisfy(\.isFinite) else { throw Untouched("it holds infinities or NaN") }
  }

  /// A number as the weight's element type holds it.
  func rounded(_ value: Double) -> Float { dtype == .float16 ? Float(Float16(value)) : Float(value) }

  func tensor(_ shape: [Int], _ values: [Float]) -> Tensor {
    dtype == .float32
      ? Tensor(shape, floats: values) : Tensor(dtype, shape, values.map(Double.init))
  }

  /// The elements that are kept, in row-major order.
  func kept<T>(_ elements: [T]) -> [T] {
    guard let mask else { return elements }
    return zip(elements, mask).filter { $1 != 0 }.map { $0.0 }
  }

  var maskTensor: Tensor? { mask.map { Tensor(.uint1, shape, codes: $0) } }
}
