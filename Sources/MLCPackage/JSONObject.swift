import MLCCore

/// One object of a JSON file, read by its fields. Each problem is `package.field`, naming the file and the field's
/// path.
struct JSONObject {
  let members: [String: JSON]
  /// `manifest.json` or `manifest.json: targets[0]`.
  let place: String

  init(_ value: JSON, _ place: String) throws(Diagnostic) {
    guard case .object(let members) = value else { throw JSONObject.malformed(place, "is not an object") }
    (self.members, self.place) = (members, place)
  }

  static func malformed(_ place: String, _ problem: String) -> Diagnostic {
    Diagnostic("package.field", "\(place) \(problem)")
  }

  func at(_ key: String) -> String { place.contains(": ") ? "\(place).\(key)" : "\(place): \(key)" }

  func has(_ key: String) -> Bool { members[key].map { $0 != .null } ?? false }

  func value(_ key: String) throws(Diagnostic) -> JSON {
    guard let value = members[key], value != .null else { throw JSONObject.malformed(at(key), "is missing") }
    return value
  }

  func string(_ key: String) throws(Diagnostic) -> String {
    guard case .string(let text) = try value(key) else { throw JSONObject.malformed(at(key), "is not a string") }
    guard text.utf8.count <= PackageLimits.stringBytes else { throw JSONObject.malformed(at(key), "is too long") }
    return text
  }

  func bool(_ key: String) throws(Diagnostic) -> Bool {
    guard case .bool(let flag) = try value(key) else { throw JSONObject.malformed(at(key), "is not true or false") }
    return flag
  }

  /// A non-negative integer.
  func size(_ key: String) throws(Diagnostic) -> Int {
    guard case .integer(let size) = try value(key), size >= 0 else {
      throw JSONObject.malformed(at(key), "is not a non-negative integer")
    }
    return size
  }

  /// Non-negative integers.
  func sizes(_ key: String, atMost limit: Int) throws(Diagnostic) -> [Int] {
    var sizes: [Int] = []
    for item in try array(key, atMost: limit) {
      guard case .integer(let size) = item, size >= 0 else {
        throw JSONObject.malformed(at(key), "holds something not a non-negative integer")
      }
      sizes.append(size)
    }
    return sizes
  }

  func object(_ key: String) throws(Diagnostic) -> JSONObject { try JSONObject(try value(key), at(key)) }

  func array(_ key: String, atMost limit: Int = PackageLimits.items) throws(Diagnostic) -> [JSON] {
    guard case .array(let items) = try value(key) else { throw JSONObject.malformed(at(key), "is not an array") }
    guard items.count <= limit else { throw JSONObject.malformed(at(key), "has more than \(limit) items") }
    return items
  }

  func strings(_ key: String, atMost limit: Int = PackageLimits.items) throws(Diagnostic) -> [String] {
    var strings: [String] = []
    for item in try array(key, atMost: limit) {
      guard case .string(let text) = item else { throw JSONObject.malformed(at(key), "holds something not a string") }
      strings.append(text)
    }
    return strings
  }

  /// Each item of an array of objects, through `read`.
  func objects<T>(
    _ key: String,
    atMost limit: Int = PackageLimits.items,
    _ read: (JSONObject) throws(Diagnostic) -> T
  ) throws(Diagnostic) -> [T] {
    var items: [T] = []
    for (index, item) in try array(key, atMost: limit).enumerated() {
      items.append(try read(try JSONObject(item, "\(at(key))[\(index)]")))
    }
    return items
  }

  /// An object of strings; empty when absent.
  func dictionary(_ key: String) throws(Diagnostic) -> [String: String] {
    guard has(key) else { return [:] }
    var strings: [String: String] = [:]
    let object = try object(key)
    for name in object.members.keys { strings[name] = try object.string(name) }
    return strings
  }

  func dim(_ key: String) throws(Diagnostic) -> Dim { try JSONObject.dim(try string(key), at(key)) }

  static func dim(_ text: String, _ place: String) throws(Diagnostic) -> Dim {
    do { return try Dim(parsing: text) } catch { throw malformed(place, "is not a size: \(error.message)") }
  }
}
