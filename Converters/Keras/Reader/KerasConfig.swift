import MLCCore

/// The `config` of a layer: what its author set. Each problem is `keras.config`, naming the key.
package struct KerasConfig: Sendable {
  package let members: [String: JSON]

  package init(_ members: [String: JSON]) { self.members = members }

  package subscript(key: String) -> JSON? {
    guard let value = members[key], value != .null else { return nil }
    return value
  }

  static func wrong(_ key: String, _ problem: String) -> Diagnostic {
    Diagnostic("keras.config", "'\(key)' \(problem)")
  }

  package func string(_ key: String, default other: String? = nil) throws(Diagnostic) -> String {
    switch self[key] {
    case .string(let text)?: return text
    case nil:
      guard let other else { throw KerasConfig.wrong(key, "is missing") }
      return other
    default: throw KerasConfig.wrong(key, "is no string")
    }
  }

  package func bool(_ key: String, default other: Bool) throws(Diagnostic) -> Bool {
    switch self[key] {
    case .bool(let value)?: return value
    case .integer(let value)?: return value != 0
    case nil: return other
    default: throw KerasConfig.wrong(key, "is neither true nor false")
    }
  }

  package func number(_ key: String, default other: Double? = nil) throws(Diagnostic) -> Double {
    guard let value = try optionalNumber(key) ?? other else { throw KerasConfig.wrong(key, "is missing") }
    return value
  }

  /// Numbers of numpy come as arrays in objects: `{"class_name": "__numpy__", "config": {"value": 0.3}}`, `{"value":
  /// 0.3}`.
  package func optionalNumber(_ key: String) throws(Diagnostic) -> Double? {
    var value = self[key]
    for inner in ["config", "value"] {
      if case .object(let members)? = value, let next = members[inner] { value = next }
    }
    switch value {
    case .number(let number)?: return number
    case .integer(let number)?: return Double(number)
    case nil: return nil
    default: throw KerasConfig.wrong(key, "is no number")
    }
  }

  package func int(_ key: String) throws(Diagnostic) -> Int {
    guard let value = self[key] else { throw KerasConfig.wrong(key, "is missing") }
    return try KerasConfig.int(value, key)
  }

  /// One integer for each of `count` axes; a single one stands for all. `nil` when absent.
  package func ints(_ key: String, count: Int) throws(Diagnostic) -> [Int]? {
    guard let value = self[key] else { return nil }
    guard case .array(let items) = value else {
      return [Int](repeating: try KerasConfig.int(value, key), count: count)
    }
    guard items.count == count else { throw KerasConfig.wrong(key, "has \(items.count) numbers, not \(count)") }
    var result: [Int] = []
    for item in items { result.append(try KerasConfig.int(item, key)) }
    return result
  }

  /// A list of integers, or a single one. `nil` when absent.
  package func list(_ key: String) throws(Diagnostic) -> [Int]? {
    switch self[key] {
    case .array(let items)?: return try ints(key, count: items.count)
    case nil: return nil
    default: return [try int(key)]
    }
  }

  /// For each of `count` axes what is added or taken before and after it: a number, one for each axis, or pairs.
  package func pairs(_ key: String, count: Int) throws(Diagnostic) -> [(before: Int, after: Int)] {
    guard case .array(let items)? = self[key] else {
      let all = try int(key)
      return [(before: Int, after: Int)](repeating: (all, all), count: count)
    }
    if count == 1, items.count == 2 {
      return [(try KerasConfig.int(items[0], key), try KerasConfig.int(items[1], key))]
    }
    guard items.count == count else { throw KerasConfig.wrong(key, "has \(items.count) entries, not \(count)") }
    var result: [(before: Int, after: Int)] = []
    for item in items {
      if case .array(let pair) = item {
        guard pair.count == 2 else { throw KerasConfig.wrong(key, "is not made of pairs") }
        result.append((try KerasConfig.int(pair[0], key), try KerasConfig.int(pair[1], key)))
      } else {
        let both = try KerasConfig.int(item, key)
        result.append((both, both))
      }
    }
    return result
  }

  private static func int(_ value: JSON, _ key: String) throws(Diagnostic) -> Int {
    guard case .integer(let number) = value, number.magnitude <= Int32.max else {
      throw KerasConfig.wrong(key, "is no integer in range")
    }
    return number
  }

  /// Extents, `nil` for those left open; `nil` when the key is absent.
  package func shape(_ key: String) throws(Diagnostic) -> [Int?]? {
    guard let value = self[key] else { return nil }
    guard case .array(let items) = value, items.count <= 32 else { throw KerasConfig.wrong(key, "is no shape") }
    var shape: [Int?] = []
    for item in items {
      guard item != .null else {
        shape.append(nil)
        continue
      }
      let extent = try KerasConfig.int(item, key)
      guard extent >= 0 else { throw KerasConfig.wrong(key, "is no shape") }
      shape.append(extent)
    }
    return shape
  }

  /// The type that a layer computes in. Throws `keras.dtype` for policies of quantisation.
  package func computeType() throws(Diagnostic) -> DType {
    var name = "float32"
    switch self["dtype"] {
    case nil: break
    case .string(let text)?: name = text
    case .object(let policy)?:
      guard case .object(let config)? = policy["config"], case .string(let text)? = config["name"] else {
        throw KerasConfig.wrong("dtype", "names no type")
      }
      name = text
    default: throw KerasConfig.wrong("dtype", "names no type")
    }
    let types: [String: DType] = ["mixed_float16": .float16, "mixed_bfloat16": .bfloat16]
    guard let dtype = types[name] ?? DType(keras: name) else {
      throw Diagnostic("keras.dtype", "the type or policy '\(name)' is not supported", kind: .unsupported)
    }
    return dtype
  }
}

extension DType {
  /// The type that numpy and Keras call `name`.
  package init?(keras name: String) {
    let floats: [String: DType] = [
      "float16": .float16, "bfloat16": .bfloat16, "float32": .float32, "float64": .float64, "bool": .bool,
    ]
    if let dtype = floats[name] {
      self = dtype
    } else if name.hasPrefix("int") || name.hasPrefix("uint"), let dtype = DType(rawValue: name), dtype.bitWidth >= 8 {
      self = dtype
    } else {
      return nil
    }
  }
}
