import MLCCore

/// What an operator's attribute may hold; the text form and packages spell exactly these.
package enum AttributeValue: Sendable {
  case int(Int)
  case ints([Int])
  case float(Double)
  case floats([Double])
  case string(String)
  case strings([String])
  case bool(Bool)
  case bools([Bool])
  case dtype(DType)
  case tensor(Tensor)
}

/// Strings are equal where their UTF-8 is.
extension AttributeValue: Hashable {
  package static func == (a: AttributeValue, b: AttributeValue) -> Bool {
    switch (a, b) {
    case (.int(let x), .int(let y)): x == y
    case (.ints(let x), .ints(let y)): x == y
    case (.float(let x), .float(let y)): x == y
    case (.floats(let x), .floats(let y)): x == y
    case (.string(let x), .string(let y)): x.isSameText(as: y)
    case (.strings(let x), .strings(let y)): x.utf8Texts == y.utf8Texts
    case (.bool(let x), .bool(let y)): x == y
    case (.bools(let x), .bools(let y)): x == y
    case (.dtype(let x), .dtype(let y)): x == y
    case (.tensor(let x), .tensor(let y)): x == y
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .int(let x): hasher.combine(x)
    case .ints(let x): hasher.combine(x)
    case .float(let x): hasher.combine(x)
    case .floats(let x): hasher.combine(x)
    case .string(let x): hasher.combine(UTF8Text(x))
    case .strings(let x): hasher.combine(x.utf8Texts)
    case .bool(let x): hasher.combine(x)
    case .bools(let x): hasher.combine(x)
    case .dtype(let x): hasher.combine(x)
    case .tensor(let x): hasher.combine(x)
    }
  }
}

/// A Swift type that can be an operator's stored property and an attribute.
package protocol AttributeConvertible: Sendable {
  init?(_ value: AttributeValue)
  var attributeValue: AttributeValue { get }
}

extension Int: AttributeConvertible {
  package init?(_ value: AttributeValue) {
    guard case .int(let x) = value else { return nil }
    self = x
  }
  package var attributeValue: AttributeValue { .int(self) }
}
extension Double: AttributeConvertible {
  package init?(_ value: AttributeValue) {
    switch value {
    case .float(let x): self = x
    case .int(let x): self = Double(x)
    default: return nil
    }
  }
  package var attributeValue: AttributeValue { .float(self) }
}
extension Bool: AttributeConvertible {
  package init?(_ value: AttributeValue) {
    guard case .bool(let x) = value else { return nil }
    self = x
  }
  package var attributeValue: AttributeValue { .bool(self) }
}
extension String: AttributeConvertible {
  package init?(_ value: AttributeValue) {
    guard case .string(let x) = value else { return nil }
    self = x
  }
  package var attributeValue: AttributeValue { .string(self) }
}
extension DType: AttributeConvertible {
  package init?(_ value: AttributeValue) {
    guard case .dtype(let x) = value else { return nil }
    self = x
  }
  package var attributeValue: AttributeValue { .dtype(self) }
}
extension Tensor: AttributeConvertible {
  package init?(_ value: AttributeValue) {
    guard case .tensor(let x) = value else { return nil }
    self = x
  }
  package var attributeValue: AttributeValue { .tensor(self) }
}

/// Element types whose arrays are attributes too.
package protocol AttributeElement: Sendable {
  static func array(_ value: AttributeValue) -> [Self]?
  static func value(_ array: [Self]) -> AttributeValue
}
extension Int: AttributeElement {
  package static func array(_ value: AttributeValue) -> [Int]? {
    guard case .ints(let x) = value else { return nil }
    return x
  }
  package static func value(_ array: [Int]) -> AttributeValue { .ints(array) }
}
extension Double: AttributeElement {
  package static func array(_ value: AttributeValue) -> [Double]? {
    switch value {
    case .floats(let x): x
    case .ints(let x): x.map(Double.init)
    default: nil
    }
  }
  package static func value(_ array: [Double]) -> AttributeValue { .floats(array) }
}
extension Bool: AttributeElement {
  package static func array(_ value: AttributeValue) -> [Bool]? {
    switch value {
    case .bools(let x): x
    case .ints(let x) where x.isEmpty: []
    default: nil
    }
  }
  package static func value(_ array: [Bool]) -> AttributeValue { .bools(array) }
}
extension String: AttributeElement {
  package static func array(_ value: AttributeValue) -> [String]? {
    switch value {
    case .strings(let x): x
    case .ints(let x) where x.isEmpty: []
    default: nil
    }
  }
  package static func value(_ array: [String]) -> AttributeValue { .strings(array) }
}
extension Array: AttributeConvertible where Element: AttributeElement {
  package init?(_ value: AttributeValue) {
    guard let array = Element.array(value) else { return nil }
    self = array
  }
  package var attributeValue: AttributeValue { Element.value(self) }
}
extension Optional: AttributeConvertible where Wrapped: AttributeConvertible {
  package init?(_ value: AttributeValue) {
    guard let wrapped = Wrapped(value) else { return nil }
    self = wrapped
  }
  /// An absent optional has no spelling: `Schema.attributes(of:)` leaves it out.
  package var attributeValue: AttributeValue { self!.attributeValue }
}
