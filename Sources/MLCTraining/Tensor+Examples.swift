import MLCCore

// Examples lie along the first axis.

extension Tensor {
  /// How many elements an example has.
  var exampleCount: Int { shape.dropFirst().reduce(1, *) }

  /// The examples with these numbers, in this order.
  func examples(_ numbers: some Collection<Int>) -> Tensor {
    let width = byteCount / max(1, shape[0])
    let storage = Storage(byteCount: width * numbers.count) { memory in
      withBytes { bytes in
        for (place, number) in numbers.enumerated() {
          let row = UnsafeRawBufferPointer(rebasing: bytes[number * width..<(number + 1) * width])
          UnsafeMutableRawBufferPointer(rebasing: memory[place * width..<(place + 1) * width]).copyMemory(from: row)
        }
      }
    }
    guard let result = Tensor(dtype, [numbers.count] + shape.dropFirst(), storage: storage) else {
      preconditionFailure("\(storage.bytes.count) bytes for \(numbers.count) examples of \(type)")
    }
    return result
  }

  /// The number of the first example with an element that `find` finds among the elements of some of them, and that
  /// element. So many examples are taken at a time that mapped ones need little memory.
  func first(_ find: ([Double]) -> Int?) -> (example: Int, element: Double)? {
    let step = max(1, 65_536 / max(1, exampleCount))
    for start in stride(from: 0, to: count == 0 ? 0 : shape[0], by: step) {
      let elements = examples(start..<min(start + step, shape[0])).doubles
      if let place = find(elements) { return (start + place / exampleCount, elements[place]) }
    }
    return nil
  }
}

extension TensorType {
  /// Any number of this type, one behind the other.
  var counted: TensorType { TensorType(dtype, ["examples"] + shape) }
}

extension Tensor {
  /// The only example.
  var withoutFirstAxis: Tensor { reshaped(Array(shape.dropFirst())) }

  /// Whether the examples of this can stand behind those of `other`.
  func follows(_ other: Tensor) -> Bool {
    dtype == other.dtype && dtype != .string && rank > 0 && rank == other.rank
      && shape.dropFirst() == other.shape.dropFirst()
  }

  /// The examples of `parts`, each of which follows the first, one part after the other.
  init(joining parts: [Tensor]) {
    if parts.count == 1 {
      self = parts[0]
      return
    }
    let storage = Storage(byteCount: parts.reduce(0) { $0 + $1.byteCount }) { memory in
      var start = 0
      for part in parts {
        let end = start + part.byteCount
        part.withBytes { UnsafeMutableRawBufferPointer(rebasing: memory[start..<end]).copyMemory(from: $0) }
        start = end
      }
    }
    let shape = [parts.reduce(0) { $0 + $1.shape[0] }] + parts[0].shape.dropFirst()
    guard let result = Tensor(parts[0].dtype, shape, storage: storage) else {
      preconditionFailure("\(storage.bytes.count) bytes for \(shape)")
    }
    self = result
  }
}
