import CoreMLProto
import MLCCore
import MLCOps

extension ModelPart {
  /// A constant of the file: a tensor, or a list of scalars as a vector. Throws `coreml.weights`, `coreml.constant`.
  func constant(_ value: MILValue) throws(Diagnostic) -> Tensor {
    guard case .immediateValue(let immediate)? = value.value, case .list(let list)? = immediate.value else {
      return try tensor(value)
    }
    var elements: [Tensor] = []
    for element in list.values {
      let tensor = try tensor(element)
      guard tensor.count == 1, tensor.dtype == elements.first?.dtype ?? tensor.dtype else {
        throw Diagnostic("coreml.constant", "a list holds \(tensor.type) beside \(elements.first?.type ?? tensor.type)")
      }
      elements.append(tensor)
    }
    guard !elements.isEmpty else { throw Diagnostic("coreml.constant", "a list is empty") }
    return Tensor.flat(elements)
  }
}
