import MLCCore
import MLCGraph

extension AttributeValue {
  /// Reads what `noteFields` writes; `nil` for anything else.
  init?(noteFields fields: [String]) {
    guard let kind = fields.first else { return nil }
    let rest = Array(fields.dropFirst())
    func all<T>(_ convert: (String) -> T?) -> [T]? {
      let converted = rest.compactMap(convert)
      return converted.count == rest.count ? converted : nil
    }
    func only<T>(_ convert: (String) -> T?) -> T? { rest.count == 1 ? convert(rest[0]) : nil }
    let float = { (text: String) in UInt64(text).map { Double(bitPattern: $0) } }
    let result: AttributeValue? =
      switch kind {
      case "int": only { Int($0) }.map { .int($0) }
      case "ints": all { Int($0) }.map { .ints($0) }
      case "float": only(float).map { .float($0) }
      case "floats": all(float).map { .floats($0) }
      case "string": only { $0 }.map { .string($0) }
      case "strings": .strings(rest)
      case "bool": only { Bool($0) }.map { .bool($0) }
      case "bools": all { Bool($0) }.map { .bools($0) }
      case "dtype": only { DType(rawValue: $0) }.map { .dtype($0) }
      case "tensor": Tensor(noteFields: rest).map { .tensor($0) }
      case "strings-tensor": Tensor(stringNoteFields: rest).map { .tensor($0) }
      default: nil
      }
    guard let result else { return nil }
    self = result
  }
}

extension Tensor {
  /// Element type, extents, bytes in hexadecimal.
  fileprivate init?(noteFields fields: [String]) {
    guard fields.count == 3, let dtype = DType(rawValue: fields[0]), dtype != .string,
      let shape = Tensor.extents(fields[1])
    else { return nil }
    let digits = fields[2].utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0 != nil }) else { return nil }
    let storage = Storage(byteCount: digits.count / 2) { bytes in
      for index in bytes.indices { bytes[index] = UInt8(digits[2 * index]! * 16 + digits[2 * index + 1]!) }
    }
    self.init(dtype, shape, storage: storage)
  }

  fileprivate init?(stringNoteFields fields: [String]) {
    guard let text = fields.first, let shape = Tensor.extents(text), shape.checkedProduct == fields.count - 1 else {
      return nil
    }
    self.init(shape, strings: Array(fields.dropFirst()))
  }

  private static func extents(_ text: String) -> [Int]? {
    let parts = text.split(separator: ",")
    let extents = parts.compactMap { Int($0) }
    return extents.count == parts.count && extents.checkedProduct != nil ? extents : nil
  }
}
