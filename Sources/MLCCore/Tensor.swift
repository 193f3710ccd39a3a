/// A dense row-major host tensor: immutable values of one element type, possibly a view into a mapped file.
package struct Tensor: Sendable {
  package let dtype: DType
  package let shape: [Int]
  /// Packed element bytes; empty for strings.
  private var storage: Storage
  private let range: Range<Int>
  /// Elements of a `string` tensor, row-major; empty otherwise.
  package let strings: [String]

  package var count: Int { shape.reduce(1, *) }
  package var rank: Int { shape.count }
  package var type: TensorType { TensorType(dtype, shape) }
  package var byteCount: Int { range.count }
  /// What the elements take in memory: for strings what refers to them, and the UTF-8 of those that are long. Texts
  /// that several elements share count for each.
  package var memoryBytes: Int {
    dtype == .string ? strings.reduce(0) { $0 + DType.stringBytes + $1.longBytes } : byteCount
  }

  /// A view of `storage[range]`. The range must be as long as the elements; `nil` when it is not or sizes overflow.
  package init?(_ dtype: DType, _ shape: [Int], storage: Storage, range: Range<Int>? = nil) {
    let range = range ?? 0..<storage.bytes.count
    guard let count = shape.checkedProduct, dtype.byteCount(count) == range.count, range.lowerBound >= 0,
      range.upperBound <= storage.bytes.count
    else { return nil }
    (self.dtype, self.shape, self.storage, self.range, strings) = (dtype, shape, storage, range, [])
  }

  package init(_ shape: [Int], strings: [String]) {
    precondition(shape.checkedProduct == strings.count, "\(strings.count) strings for shape \(shape)")
    (dtype, self.shape, self.strings, range) = (.string, shape, strings, 0..<0)
    storage = Storage(byteCount: 0) { _ in }
  }

  /// New memory, zeroed, written by `fill` as elements of `Element`, which must be as wide as `dtype`.
  package init<Element: BitwiseCopyable>(
    _ dtype: DType,
    _ shape: [Int],
    of type: Element.Type = Element.self,
    fill: (UnsafeMutableBufferPointer<Element>) throws -> Void
  ) rethrows {
    let count = shape.checkedProduct!
    precondition(dtype.bitWidth == MemoryLayout<Element>.stride * 8, "\(dtype) is not as wide as \(Element.self)")
    let bytes = dtype.byteCount(count)!
    storage = try Storage(byteCount: bytes) { try fill($0.bindMemory(to: Element.self)) }
    (self.dtype, self.shape, range, strings) = (dtype, shape, 0..<bytes, [])
  }

  /// Packed element bytes, valid during `body`.
  package func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try body(UnsafeRawBufferPointer(rebasing: storage.bytes[range]))
  }

  /// Where the elements may be written, since no other tensor is a view of them; `nil` where one may be, or a file.
  package mutating func ownMemory() -> UnsafeMutableRawPointer? {
    isKnownUniquelyReferenced(&storage) && range == 0..<storage.bytes.count ? storage.memory : nil
  }

  /// The elements as `Element`, which must be as wide as `dtype`. Bytes that a file left misaligned are copied first.
  package func withElements<Element: BitwiseCopyable, R, E: Error>(
    of type: Element.Type = Element.self,
    _ body: (UnsafeBufferPointer<Element>) throws(E) -> R
  ) throws(E) -> R {
    precondition(dtype.bitWidth == MemoryLayout<Element>.stride * 8, "\(dtype) is not as wide as \(Element.self)")
    let bytes = UnsafeRawBufferPointer(rebasing: storage.bytes[range])
    guard let base = bytes.baseAddress, count > 0 else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
    if Int(bitPattern: base).isMultiple(of: MemoryLayout<Element>.alignment) {
      return try body(bytes.bindMemory(to: Element.self))
    }
    let copy = Storage(byteCount: bytes.count) { $0.copyMemory(from: bytes) }
    return try body(copy.bytes.bindMemory(to: Element.self))
  }

  /// The same elements under another shape with as many of them.
  package func reshaped(_ shape: [Int]) -> Tensor {
    if dtype == .string { return Tensor(shape, strings: strings) }
    return Tensor(dtype, shape, storage: storage, range: range)!
  }

  /// The same bytes under another element type and shape; `nil` when these take another number of bytes.
  package func viewed(as dtype: DType, _ shape: [Int]) -> Tensor? {
    if dtype == .string || self.dtype == .string { return nil }
    return Tensor(dtype, shape, storage: storage, range: range)
  }

  /// Whether both are views of the same memory.
  package func sharesMemory(with other: Tensor) -> Bool { storage === other.storage }

  /// The same bits under another element type of the same width.
  package func reinterpreted(as dtype: DType) -> Tensor {
    Tensor(dtype, shape, storage: storage, range: range)!
  }
}

extension Tensor: Hashable {
  /// Same type, same shape, same bits; strings of the same UTF-8.
  package static func == (a: Tensor, b: Tensor) -> Bool {
    guard a.dtype == b.dtype, a.shape == b.shape, a.strings.utf8Texts == b.strings.utf8Texts else { return false }
    if a.storage === b.storage && a.range == b.range { return true }
    return a.withBytes { x in b.withBytes { y in x.count == y.count && x.elementsEqual(y) } }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(dtype)
    hasher.combine(shape)
    withBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0.prefix(256))) }
    hasher.combine(strings.utf8Texts)
  }
}
