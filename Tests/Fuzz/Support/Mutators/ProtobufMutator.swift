/// Changes fields of serialised messages and writes their lengths anew. It knows no schema: a field of bytes that reads
/// as a message is one.
package struct ProtobufMutator: Mutator {
  package init() {}

  package func mutated(_ bytes: [UInt8], _ random: inout Random) -> [UInt8]? {
    guard var fields = Field.parse(bytes[...], depth: 0), !fields.isEmpty else { return nil }
    let donors = fields.flatMap { $0.all }
    for _ in 0...random.below(3) {
      let count = fields.reduce(0) { $0 + $1.size }
      guard count > 0 else { break }
      Self.edit(&fields, at: random.below(count)) { Self.change(&$0, $1, donors, &random) }
    }
    return Self.written(fields)
  }

  package func extremes(of bytes: [UInt8], _ visit: ([UInt8]) -> Void) {
    guard let fields = Field.parse(bytes[...], depth: 0) else { return }
    for place in 0..<fields.reduce(0, { $0 + $1.size }) {
      var contents: [Field.Content] = []
      var changed = fields
      Self.edit(&changed, at: place) { contents = $0[$1].content.extremes }
      for content in contents {
        Self.edit(&changed, at: place) { $0[$1].content = content }
        visit(Self.written(changed))
      }
    }
  }

  private static func written(_ fields: [Field]) -> [UInt8] {
    var result: [UInt8] = []
    for field in fields { field.write(to: &result) }
    return result
  }

  /// Calls `change` with the fields among which the one at `place` is, counted in order, and its index there.
  private static func edit(_ fields: inout [Field], at place: Int, _ change: (inout [Field], Int) -> Void) {
    var place = place
    for index in fields.indices {
      if place == 0 { return change(&fields, index) }
      let count = fields[index].size
      if place < count, case .message(var inner) = fields[index].content {
        edit(&inner, at: place - 1, change)
        fields[index].content = .message(inner)
        return
      }
      place -= count
    }
  }

  private static func change(_ fields: inout [Field], _ index: Int, _ donors: [Field], _ random: inout Random) {
    let alike = donors.filter { $0.number == fields[index].number }
    switch random.below(8) {
    case 0: fields.rearrange(&random)
    case 1, 2: if let donor = alike.randomElement(using: &random) { fields[index] = donor }
    case 3: if let donor = donors.randomElement(using: &random) { fields.insert(donor, at: index) }
    case 4: fields[index].number = UInt32(random.below(64))
    default: fields[index].content.change(&random)
    }
  }
}

/// A field of a serialised message.
private struct Field {
  enum Content {
    case varint(UInt64)
    /// Of 8 or 4 bytes.
    case fixed([UInt8])
    case bytes([UInt8])
    case message([Field])
  }
  var number: UInt32
  var content: Content

  /// How many fields it is, with those in it.
  var size: Int {
    if case .message(let fields) = content { fields.reduce(1) { $0 + $1.size } } else { 1 }
  }

  var all: [Field] { if case .message(let fields) = content { [self] + fields.flatMap { $0.all } } else { [self] } }

  /// `nil` for bytes that are no message.
  static func parse(_ bytes: ArraySlice<UInt8>, depth: Int) -> [Field]? {
    var (rest, fields): (ArraySlice<UInt8>, [Field]) = (bytes, [])
    while !rest.isEmpty {
      guard let tag = varint(&rest), tag >> 3 > 0, tag >> 3 < 1 << 16 else { return nil }
      let number = UInt32(tag >> 3)
      switch tag & 7 {
      case 0:
        guard let value = varint(&rest) else { return nil }
        fields.append(Field(number: number, content: .varint(value)))
      case 1, 5:
        let length = tag & 7 == 1 ? 8 : 4
        guard rest.count >= length else { return nil }
        fields.append(Field(number: number, content: .fixed(Array(rest.prefix(length)))))
        rest = rest.dropFirst(length)
      case 2:
        guard let length = varint(&rest), length <= UInt64(rest.count) else { return nil }
        let inner = rest.prefix(Int(length))
        rest = rest.dropFirst(Int(length))
        let message = depth < 24 && inner.count > 1 ? parse(inner, depth: depth + 1) : nil
        fields.append(Field(number: number, content: message.map { .message($0) } ?? .bytes(Array(inner))))
      default: return nil
      }
    }
    return fields
  }

  private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while let byte = bytes.popFirst(), shift < 64 {
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  func write(to out: inout [UInt8]) {
    func tag(_ kind: UInt64) { Field.write(UInt64(number) << 3 | kind, to: &out) }
    switch content {
    case .varint(let value):
      tag(0)
      Field.write(value, to: &out)
    case .fixed(let bytes):
      tag(bytes.count == 8 ? 1 : 5)
      out += bytes
    case .bytes(let bytes):
      tag(2)
      Field.write(UInt64(bytes.count), to: &out)
      out += bytes
    case .message(let fields):
      var inner: [UInt8] = []
      for field in fields { field.write(to: &inner) }
      tag(2)
      Field.write(UInt64(inner.count), to: &out)
      out += inner
    }
  }

  private static func write(_ value: UInt64, to out: inout [UInt8]) {
    var value = value
    while value >= 0x80 {
      out.append(UInt8(value & 0x7f) | 0x80)
      value >>= 7
    }
    out.append(UInt8(value))
  }
}

extension Field.Content {
  mutating func change(_ random: inout Random) {
    switch self {
    case .varint(let value):
      self = .varint(random.below(3) == 0 ? value &+ 1 : UInt64(bitPattern: Int64(random.integer())))
    case .fixed(let bytes):
      var bytes = bytes
      for index in bytes.indices where random.below(3) == 0 { bytes[index] = UInt8(random.below(256)) }
      self = .fixed(bytes)
    case .bytes(let bytes): self = .bytes(mutatedBytes(bytes))
    case .message(var fields):
      fields.rearrange(&random)
      self = .message(fields)
    }
  }
}

extension Field.Content {
  /// What the content may be at most and at least; nothing for a message.
  fileprivate var extremes: [Self] {
    switch self {
    case .varint: Extreme.integers.map { .varint(UInt64(bitPattern: $0)) }
    case .fixed(let bytes) where bytes.count == 8: Extreme.numbers.map { .fixed(Extreme.bytes($0)) }
    case .fixed: Extreme.numbers.map { .fixed(Extreme.bytes(Float($0))) }
    case .bytes(let bytes) where bytes.count <= 128 && bytes.count % 4 == 0 && !bytes.isEmpty:
      Extreme.words(of: bytes).map { .bytes($0) }
    case .bytes, .message: []
    }
  }
}
