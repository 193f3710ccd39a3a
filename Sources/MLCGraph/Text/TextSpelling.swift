import MLCCore

/// How names, numbers and tensors are spelled.
enum TextSpelling {
  /// Letters, digits, `_`, `.` and `/` need no quotes.
  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 46...57, 95: true
    default: false
    }
  }

  static func name(_ name: String, _ sigil: String) -> String {
    sigil + (!name.isEmpty && name.utf8.allSatisfy(isPlain) ? name : quoted(name))
  }

  /// Escapes are those that `String(unescaping:)` reads.
  static func quoted(_ string: String) -> String { string.quoted() }

  /// The shortest decimal that reads back equal; a NaN other than the usual one by its bits.
  static func number(_ value: Double) -> String {
    if value.isNaN, value.bitPattern != Double.nan.bitPattern { return "nan(\(value.bitPattern))" }
    return value.isNaN ? "nan" : "\(value)"
  }

  static func attribute(_ value: AttributeValue) -> String {
    func list<T>(_ items: [T], _ spell: (T) -> String) -> String { "[\(items.map(spell).joined(separator: ", "))]" }
    return switch value {
    case .int(let x): "\(x)"
    case .ints(let x): list(x) { "\($0)" }
    case .float(let x): number(x)
    case .floats(let x): list(x, number)
    case .string(let x): quoted(x)
    case .strings(let x): list(x, quoted)
    case .bool(let x): "\(x)"
    case .bools(let x): list(x) { "\($0)" }
    case .dtype(let x): x.rawValue
    case .tensor(let x): tensor(x)
    }
  }

  /// Like equality, but telling 0 from −0, and NaN equal to itself.
  static func isSame(_ a: AttributeValue, _ b: AttributeValue) -> Bool { attribute(a).isSameText(as: attribute(b)) }

  static func tensor(_ tensor: Tensor) -> String { "\(tensor.type)(\(elements(tensor).joined(separator: ", ")))" }

  private static func elements(_ tensor: Tensor) -> [String] {
    switch tensor.dtype {
    case .string: return tensor.strings.map(quoted)
    case .bool: return tensor.integers.map { $0 == 0 ? "false" : "true" }
    case .uint64: return tensor.integers.map { "\(UInt(bitPattern: $0))" }
    case .float64: return tensor.doubles.map(number)
    case .float32:
      return tensor.withElements(of: UInt32.self) {
        $0.map { spell(Double(Float(bitPattern: $0)), bits: $0, 0x7fc0_0000) }
      }
    case .float16, .bfloat16:
      let usual: UInt16 = tensor.dtype == .float16 ? 0x7e00 : 0x7fc0
      let numbers = tensor.floats
      return tensor.withElements(of: UInt16.self) { bits in
        bits.indices.map { spell(Double(numbers[$0]), bits: bits[$0], usual) }
      }
    case _ where tensor.dtype.smallFloat != nil:
      let usual = tensor.dtype.smallFloat!.nan ?? 0
      return zip(tensor.doubles, tensor.codes).map { spell($0, bits: $1, usual) }
    default: return tensor.integers.map { "\($0)" }
    }
  }

  private static func spell<Bits: FixedWidthInteger>(_ value: Double, bits: Bits, _ usualNaN: Bits) -> String {
    if value.isNaN { return bits == usualNaN ? "nan" : "nan(\(bits))" }
    return Double(Float(value)) == value ? "\(Float(value))" : "\(value)"
  }
}
