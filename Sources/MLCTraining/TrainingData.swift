import MLCCore

/// Examples in memory: a tensor for each input of a model and one of targets, whose first axis counts the examples.
package struct TrainingData: Sendable {
  /// The inputs in the model's order, then the targets, of the types that a training function takes.
  package let tensors: [Tensor]
  package let count: Int

  /// Takes of `archive` what `ports`, inputs and the target, say: floats of any width, and integers for integers, are
  /// converted. One number an example may have any number of axes of extent 1.
  ///
  /// Throws `update.data-missing`, `update.data-type`, `update.data-shape`, `update.data-empty`, and
  /// `update.data-finite` for NaN, infinities and what becomes one.
  package init(_ archive: [(name: String, tensor: Tensor)], ports: [(name: String, type: TensorType)])
    throws(Diagnostic)
  {
    var tensors: [Tensor] = []
    for port in ports {
      guard let found = archive.first(where: { $0.name == port.name })?.tensor else {
        let names = archive.map { "'\($0.name)'" }.joined(separator: ", ")
        throw Diagnostic("update.data-missing", "there is no '\(port.name)' among the data; there are \(names)")
      }
      tensors.append(try TrainingData.fitted(found, to: port))
    }
    count = tensors[0].shape[0]
    for (port, tensor) in zip(ports, tensors) where tensor.shape[0] != count {
      let message = "'\(port.name)' has \(tensor.shape[0]) examples, '\(ports[0].name)' has \(count)"
      throw Diagnostic("update.data-shape", message)
    }
    if count == 0 { throw Diagnostic("update.data-empty", "there are no examples") }
    self.tensors = tensors
  }

  private static func fitted(_ given: Tensor, to port: (name: String, type: TensorType)) throws(Diagnostic) -> Tensor {
    let wanted = port.type
    let ones = wanted.shape.dropFirst().map { _ in 1 }
    let tensor = given.holdsNumbers(like: wanted) ? given.reshaped([given.count] + ones) : given
    guard wanted.dtype != .string, wanted.dtype.bitWidth.isMultiple(of: 8),
      tensor.dtype == wanted.dtype || tensor.dtype.isFloat && wanted.dtype.isFloat
        || tensor.dtype.isInteger && wanted.dtype.isInteger
    else {
      let message = "'\(port.name)' is of \(tensor.dtype.rawValue), and \(wanted.dtype.rawValue) is taken"
      throw Diagnostic("update.data-type", message)
    }
    let fits =
      tensor.rank == wanted.rank
      && zip(tensor.shape, wanted.shape).dropFirst().allSatisfy { extent, dim in
        dim.constant.map { $0 == extent } ?? true
      }
    guard fits else {
      let message = "'\(port.name)' is \(tensor.type), and \(wanted) is taken, the first axis counting the examples"
      throw Diagnostic("update.data-shape", message)
    }
    if wanted.dtype.isInteger, let wrong = tensor.first({ $0.firstIndex { !wanted.dtype.holds($0) } }) {
      let number = "\(Int(wrong.element)) in example \(wrong.example)"
      throw Diagnostic("update.data-type", "'\(port.name)' has \(number), which \(wanted.dtype.rawValue) cannot hold")
    }
    let converted = tensor.dtype == wanted.dtype ? tensor : tensor.converted(to: wanted.dtype)
    if wanted.dtype.isFloat, let wrong = converted.first({ $0.firstIndex { !$0.isFinite } }) {
      throw Diagnostic("update.data-finite", "'\(port.name)' has a NaN or an infinity in example \(wrong.example)")
    }
    return converted
  }

  /// The examples with these numbers, in this order.
  package func batch(_ numbers: ArraySlice<Int>) -> [Tensor] { tensors.map { $0.examples(numbers) } }
}

extension Tensor {
  /// Whether an example is one number here and in `wanted`, with however many axes of extent 1.
  fileprivate func holdsNumbers(like wanted: TensorType) -> Bool {
    rank > 0 && count == shape[0] && wanted.rank > 0 && wanted.shape.dropFirst().allSatisfy { $0.constant == 1 }
  }
}

extension DType {
  /// Whether an integer of this type, at most 32 bits wide, may be `number`; wider ones are not asked.
  fileprivate func holds(_ number: Double) -> Bool {
    if bitWidth > 32 { return true }
    let (low, count) = (isSigned ? -Double(1 << (bitWidth - 1)) : 0, Double(1 << bitWidth))
    return number >= low && number < low + count
  }
}
