import MLCCore

/// Tensors as JSON: nested arrays of numbers, of booleans or of texts, or an object of such arrays by name.
package enum JSONTensor {
  /// The tensors of a JSON text; a bare array has no name.
  ///
  /// Numbers written without fraction and exponent that fit 64 bits make an `int64` tensor, other numbers `fp64`,
  /// booleans `bool`, texts `string`, an empty array `fp64`. `NaN`, `Infinity` and `-Infinity` are taken as numbers.
  /// Throws `json.syntax`, `json.shape` (ragged, or deeper than 64 arrays) and `json.element` (null, a mixture).
  package static func decode(_ storage: Storage) throws(Diagnostic) -> [(name: String?, tensor: Tensor)] {
    defer { withExtendedLifetime(storage) {} }
    var parser = JSONTensorParser(storage.bytes)
    return try parser.document()
  }

  /// The tensors of a JSON file. Throws `file.*` and what `decode` throws.
  package static func read(_ path: String) throws(Diagnostic) -> [(name: String?, tensor: Tensor)] {
    let file = try MappedFile(path: path)
    return try locating(Location(file: path)) { () throws(Diagnostic) in try decode(file.storage) }
  }

  /// `[[1.0, 2.5], [3.0, 4.0]]`: each number in the fewest digits that read back to it, NaN and infinities as Python's
  /// `json` spells them.
  package static func encode(_ tensor: Tensor) -> String {
    let elements = spelled(tensor)
    var text = ""
    var position = 0
    func write(_ axis: Int) {
      if axis == tensor.rank {
        text += elements[position]
        position += 1
        return
      }
      text += "["
      for index in 0..<tensor.shape[axis] {
        if index > 0 { text += ", " }
        write(axis + 1)
      }
      text += "]"
    }
    write(0)
    return text
  }

  /// Writes an object with one member a tensor. The file appears whole or not at all. Throws `file.write`.
  package static func write(_ tensors: [(name: String, tensor: Tensor)], to path: String) throws(Diagnostic) {
    var members: [String] = []
    for (name, tensor) in tensors {
      members.append("  \(JSON.quoted(name)): \(encode(tensor))")
    }
    try AtomicFile.write(Array("{\n\(members.joined(separator: ",\n"))\n}\n".utf8)[...], to: path)
  }

  private static func spelled(_ tensor: Tensor) -> [String] {
    switch tensor.dtype {
    case .float64: return tensor.doubles.map { spelled($0) { $0.description } }
    case _ where tensor.dtype.isFloat: return tensor.floats.map { spelled(Double($0)) { Float($0).description } }
    case .bool: return tensor.integers.map { $0 == 0 ? "false" : "true" }
    case .uint64: return tensor.integers.map { String(UInt64(bitPattern: Int64($0))) }
    case .string: return tensor.strings.map(JSON.quoted)
    default: return tensor.integers.map(String.init)
    }
  }

  private static func spelled(_ value: Double, _ finite: (Double) -> String) -> String {
    if value.isNaN { return "NaN" }
    return value.isInfinite ? (value < 0 ? "-Infinity" : "Infinity") : finite(value)
  }
}
