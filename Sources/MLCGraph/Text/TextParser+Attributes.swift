import MLCCore

// Attributes and tensors.

extension TextParser {
  /// `{name = value, …}`
  mutating func attributes(_ op: inout any Operator) throws(Diagnostic) {
    try expect("{")
    if try accept("}") { return }
    repeat { try attribute(&op) } while try accept(",")
    try expect("}")
  }

  /// The same before the brace that opens nested blocks: there are attributes when a `=` follows the first word.
  mutating func attributesBeforeBlocks(_ op: inout any Operator) throws(Diagnostic) {
    var trial = lexer
    guard try trial.next() == .mark(UInt8(ascii: "{")), case .word = try trial.next(),
      try trial.next() == .mark(UInt8(ascii: "="))
    else { return }
    try attributes(&op)
  }

  private mutating func attribute(_ op: inout any Operator) throws(Diagnostic) {
    let name = try word()
    try expect("=")
    let value = try attributeValue()
    guard op.setAttribute(name, value) else {
      throw lexer.problem("\(Swift.type(of: op).name) has no attribute '\(name)' of this kind", "text.attribute")
    }
  }

  mutating func attributeValue() throws(Diagnostic) -> AttributeValue {
    if try accept("[") { return try listValue() }
    if case .word(let spelled) = try lexer.peek(), DType(rawValue: spelled) != nil {
      let dtype = try dtype()
      guard try lexer.peek() == .mark(UInt8(ascii: "[")) else { return .dtype(dtype) }
      return .tensor(try tensor(dtype))
    }
    return try scalar()
  }

  private mutating func scalar() throws(Diagnostic) -> AttributeValue {
    switch try lexer.next() {
    case .string(let text): return .string(text)
    case .word("true"): return .bool(true)
    case .word("false"): return .bool(false)
    case .word("nan"): return .float(try nanBits().map { Double(bitPattern: $0) } ?? .nan)
    case .word(let word):
      if let number = Int(word) { return .int(number) }
      guard let number = Double(word) else { throw lexer.problem("'\(word)' is no value", "text.value") }
      return .float(number)
    default: throw lexer.problem("a value is missing")
    }
  }

  /// The bits in `nan(bits)`, after its first word.
  private mutating func nanBits() throws(Diagnostic) -> UInt64? {
    guard try accept("(") else { return nil }
    guard let bits = UInt64(try word()) else { throw lexer.problem("the bits of a NaN are an integer") }
    try expect(")")
    return bits
  }

  /// After `[`: values of one kind.
  private mutating func listValue() throws(Diagnostic) -> AttributeValue {
    if try accept("]") { return .ints([]) }
    var items: [AttributeValue] = []
    repeat { items.append(try scalar()) } while try accept(",")
    try expect("]")
    let ints = items.compactMap { if case .int(let x) = $0 { x } else { nil } }
    if ints.count == items.count { return .ints(ints) }
    let floats = items.compactMap { Double($0) }
    if floats.count == items.count { return .floats(floats) }
    let strings = items.compactMap { String($0) }
    if strings.count == items.count { return .strings(strings) }
    let bools = items.compactMap { Bool($0) }
    if bools.count == items.count { return .bools(bools) }
    throw lexer.problem("a list holds values of one kind", "text.value")
  }

  // MARK: Tensors

  /// `[2](1.0, 2.0)` or `[1000]@blob(3)`, after the element type.
  private mutating func tensor(_ dtype: DType) throws(Diagnostic) -> Tensor {
    guard let shape = TensorType(dtype, try dims()).staticShape, let count = shape.checkedProduct else {
      throw lexer.problem("the extents of a tensor are numbers", "text.tensor")
    }
    if case .name(UInt8(ascii: "@"), "blob") = try lexer.peek() {
      _ = try lexer.next()
      try expect("(")
      let index = try integer()
      try expect(")")
      guard blobs.indices.contains(index), blobs[index].dtype == dtype, blobs[index].shape == shape else {
        throw lexer.problem("blob \(index) is not there or not \(TensorType(dtype, shape))", "text.blob")
      }
      return blobs[index]
    }
    var elements = TensorElements(dtype: dtype)
    try list { parser throws(Diagnostic) in elements.append(try parser.element(dtype)) }
    guard elements.count == count else {
      throw lexer.problem("\(elements.count) elements for \(TensorType(dtype, shape))", "text.tensor")
    }
    return elements.tensor(shape)
  }

  private mutating func element(_ dtype: DType) throws(Diagnostic) -> TensorElement {
    if dtype == .string { return .string(try string()) }
    let word = try word()
    if dtype == .bool {
      guard let value = Bool(word) else { throw lexer.problem("'\(word)' is not true or false", "text.tensor") }
      return .bits(value ? 1 : 0)
    }
    if dtype.isFloat {
      if word == "nan", let bits = try nanBits() { return .bits(bits) }
      guard let number = Double(word) else { throw lexer.problem("'\(word)' is no number", "text.tensor") }
      return .number(number)
    }
    if let number = Int(word), dtype != .uint64 || number >= 0 { return .bits(UInt64(bitPattern: Int64(number))) }
    guard dtype == .uint64, let number = UInt64(word) else {
      throw lexer.problem("'\(word)' is no \(dtype.rawValue)", "text.tensor")
    }
    return .bits(number)
  }
}

/// An element as it is spelled.
enum TensorElement {
  case number(Double)
  /// An integer, or the bits of a NaN.
  case bits(UInt64)
  case string(String)
}

/// Elements on the way to a tensor.
struct TensorElements {
  let dtype: DType
  private var items: [TensorElement] = []

  init(dtype: DType) { self.dtype = dtype }
  var count: Int { items.count }
  mutating func append(_ element: TensorElement) { items.append(element) }

  func tensor(_ shape: [Int]) -> Tensor {
    if dtype == .string { return Tensor(shape, strings: items.map { if case .string(let x) = $0 { x } else { "" } }) }
    if !dtype.isFloat {
      return Tensor(dtype, shape, items.map { if case .bits(let x) = $0 { Int(truncatingIfNeeded: x) } else { 0 } })
    }
    let plain = Tensor(dtype, shape, items.map { if case .number(let x) = $0 { x } else { Double.nan } })
    guard items.contains(where: { if case .bits = $0 { true } else { false } }) else { return plain }
    switch dtype.bitWidth {
    case 64: return withNaNs(plain, UInt64.self)
    case 32: return withNaNs(plain, UInt32.self)
    case 16: return withNaNs(plain, UInt16.self)
    case 8: return withNaNs(plain, UInt8.self)
    default: return plain
    }
  }

  private func withNaNs<Bits: FixedWidthInteger & BitwiseCopyable>(_ plain: Tensor, _: Bits.Type) -> Tensor {
    Tensor(dtype, plain.shape) { (out: UnsafeMutableBufferPointer<Bits>) in
      plain.withElements(of: Bits.self) { numbers in
        for index in numbers.indices {
          if case .bits(let bits) = items[index] {
            out[index] = Bits(truncatingIfNeeded: bits)
          } else {
            out[index] = numbers[index]
          }
        }
      }
    }
  }
}
