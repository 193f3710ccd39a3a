import Foundation

/// Objects of small whole numbers, made once: making one takes longer than all else that an access to an element does.
struct SharedNumbers: Sendable {
  static let int8 = SharedNumbers { NSNumber(value: Int8(clamping: $0)) }
  static let int32 = SharedNumbers { NSNumber(value: Int32(clamping: $0)) }
  static let int = SharedNumbers { NSNumber(value: $0) }

  /// All numbers of 8 bits, and as many more as most shapes and labels need.
  private static let range = -128...1023
  private let numbers: [NSNumber]

  private init(_ make: (Int) -> NSNumber) { numbers = Self.range.map { make($0) } }

  /// The object of `number`; `nil` for one that is not small.
  subscript(number: Int) -> NSNumber? {
    Self.range.contains(number) ? numbers[number - Self.range.lowerBound] : nil
  }
}

/// Shape and strides of an array as Core ML hands them out.
final class NumberedLayout: Sendable {
  let shape: [NSNumber]
  let strides: [NSNumber]

  init(_ layout: ArrayLayout) {
    shape = layout.shape.map { SharedNumbers.int[$0] ?? NSNumber(value: $0) }
    strides = layout.strides.map { SharedNumbers.int[$0] ?? NSNumber(value: $0) }
  }
}
