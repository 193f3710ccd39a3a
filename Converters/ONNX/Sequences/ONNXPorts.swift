import MLCCore
import MLCGraph

extension ONNXValueFile.Content {
  /// What this value, which the model calls `name`, is for each of the program's `ports` that stand for it: inputs or
  /// outputs, as `ONNXImporter+Ports` names them. `nil` where the value does not come in these.
  package func tensors(_ name: String, ports: [(name: String, type: TensorType)]) -> [Tensor]? {
    var tensors: [Tensor] = []
    for port in ports {
      guard let tensor = tensor(port.name.dropFirst(name.count), port.type) else { return nil }
      tensors.append(tensor)
    }
    let listed = ports.count { Int($0.name.dropFirst(name.count + 1)) != nil }
    if case .sequence(let elements) = self, listed > 0, listed != elements.count { return nil }
    return tensors
  }

  private func tensor(_ part: Substring, _ type: TensorType) -> Tensor? {
    let blank = Tensor(type.dtype, type.shape.map { $0.constant ?? 0 })
    switch (self, part) {
    case (.nothing, ".present"): return .scalar(.bool, 0)
    case (.nothing, _): return blank
    case (_, ".present"): return .scalar(.bool, 1)
    case (.tensor(let tensor), ""): return tensor
    case (.sequence(let elements), ".elements"): return Tensor.joined(elements, type.dtype)
    case (.sequence(let elements), ".shapes"):
      let rank = elements.first?.rank ?? type.shape[1].constant ?? 0
      guard elements.allSatisfy({ $0.rank == rank }) else { return nil }
      return Tensor(.int64, [elements.count, rank], elements.flatMap(\.shape))
    case (.sequence(let elements), _):
      guard let index = Int(part.dropFirst()), elements.indices.contains(index) else { return nil }
      return elements[index]
    case (.tensor, _): return nil
    }
  }
}

extension Tensor {
  /// A tensor of zeros, or of empty strings.
  fileprivate init(_ dtype: DType, _ shape: [Int]) {
    let count = shape.reduce(1, *)
    self =
      dtype == .string
      ? Tensor(shape, strings: [String](repeating: "", count: count))
      : Tensor(dtype, shape, [Int](repeating: 0, count: count))
  }

  /// All elements, one tensor behind the other.
  fileprivate static func joined(_ tensors: [Tensor], _ dtype: DType) -> Tensor? {
    guard tensors.allSatisfy({ $0.dtype == dtype }) else { return nil }
    if dtype == .string { return Tensor([tensors.reduce(0) { $0 + $1.count }], strings: tensors.flatMap(\.strings)) }
    if dtype.isFloat { return Tensor(dtype, [tensors.reduce(0) { $0 + $1.count }], tensors.flatMap(\.doubles)) }
    return Tensor(dtype, [tensors.reduce(0) { $0 + $1.count }], tensors.flatMap(\.integers))
  }
}

extension ONNXValueFile {
  /// What `values`, in order, are for each of the program's `ports`; `nil` where nothing is known.
  ///
  /// Throws `onnx.input-type` for a value that does not come in the ports that stand for it, and for ports of none.
  package static func tensors(of values: [Named], ports: [(name: String, type: TensorType)])
    throws(Diagnostic) -> [Tensor?]
  {
    let names = ports.map(\.name)
    var tensors: [Tensor?] = []
    for (info, content) in values {
      let range = info.ports(in: names, from: tensors.count)
      guard let content else {
        tensors += range.map { _ in nil }
        continue
      }
      guard let own = content.tensors(info.name, ports: Array(ports[range])), !range.isEmpty else {
        throw Diagnostic("onnx.input-type", "the value given for '\(info.name)' does not come in \(names[range])")
      }
      tensors += own
    }
    guard tensors.count == ports.count else {
      throw Diagnostic("onnx.input-type", "nothing is given for \(names[tensors.count...])")
    }
    return tensors
  }

  /// Types for sequences whose model does not say the rank of their elements.
  package static func bindings(_ values: [Named]) -> [String: TensorType] {
    var bindings: [String: TensorType] = [:]
    for (info, content) in values where info.isSequence && info.type == nil {
      guard case .sequence(let elements) = content, let first = elements.first else { continue }
      bindings[info.name] = TensorType(first.dtype, first.shape.indices.map { .symbol("\(info.name)_d\($0)") })
    }
    return bindings
  }
}

extension ONNXValueInfo {
  /// Which of `ports`, from `first` on, stand for this value.
  package func ports(in ports: [String], from first: Int) -> Range<Int> {
    var end = first
    while end < ports.count, isPart(ports[end]) { end += 1 }
    return first..<end
  }

  private func isPart(_ port: String) -> Bool {
    guard port.hasPrefix(name) else { return false }
    let rest = port.dropFirst(name.count)
    if rest.isEmpty { return true }
    guard rest.first == "." else { return false }
    let parts: [Substring] = ["elements", "shapes", "present", "keys", "values"]
    return parts.contains(rest.dropFirst()) || rest.dropFirst().allSatisfy(\.isNumber)
  }
}
