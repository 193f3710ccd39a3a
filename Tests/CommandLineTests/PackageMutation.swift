import Foundation
import MLCCore
import TestSupport

/// One change of what a compiled package says, drawn by a seed: of a value somewhere in its JSON files, of its other
/// files' bytes, or of which file stands where.
struct PackageMutation {
  private var numbers: SeededNumbers

  init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

  /// Changes the package at `path` and says what was changed. Code is only exchanged as a whole: what code does is its
  /// maker's.
  mutating func apply(to path: String, others: [String]) throws -> String {
    let files = try FileManager.default.subpathsOfDirectory(atPath: path).sorted().filter {
      !URL(filePath: "\(path)/\($0)").hasDirectoryPath && $0.contains(#/\.(json|so|bin|txt)$/#)
    }
    switch numbers.below(10) {
    case 0..<4: return try changeJSON(path, "interface.json")
    case 4..<7: return try changeJSON(path, "manifest.json")
    case 7: return try exchange(path, files, others)
    default: return try changeBytes(path, files)
    }
  }

  private mutating func changeJSON(_ path: String, _ name: String) throws -> String {
    let url = URL(filePath: "\(path)/\(name)")
    let json = try JSON(parsing: String(contentsOf: url, encoding: .utf8))
    var places: [[JSONStep]] = []
    json.visit { places.append($0) }
    let place = places[numbers.below(places.count)]
    let strings = json.strings
    let changed = json.replacing(place) { change($0, strings) }
    try Data(changed.text.utf8).write(to: url)
    return "\(name) at \(place.map { $0.text }.joined(separator: "."))"
  }

  /// Another value in the place of `value`; `nil` to remove it.
  private mutating func change(_ value: JSON, _ strings: [String]) -> JSON? {
    switch value {
    case .integer(let number):
      let numbers = [number - 1, number + 1, -1, 0, 1, number * 2, 1 << 31, 1 << 62, .max, .min]
      return self.numbers.below(12) == 0 ? nil : .integer(numbers[self.numbers.below(numbers.count)])
    case .string(let text):
      let other = strings[numbers.below(strings.count)]
      let digit = numbers.changingADigit(of: text)
      let choices: [JSON?] = [
        .string(digit), .string(digit), .string(other), .string(other),
        .string(""), .string(text + text), .string(String(repeating: "9", count: 18)), .string("2*\(text)"),
        .string(["fp32", "fp16", "int8", "int64", "bool", "string", "fp64"][numbers.below(7)]), .integer(1), .null, nil,
      ]
      return choices[numbers.below(choices.count)]
    case .array(var items):
      let place = items.isEmpty ? 0 : numbers.below(items.count)
      switch numbers.below(5) {
      case 0: if !items.isEmpty { items.remove(at: place) }
      case 1: if !items.isEmpty { items.insert(items[place], at: 0) }
      case 2: items.reverse()
      case 3: items.append(.string("3"))
      default: return .array([])
      }
      return .array(items)
    case .object(var members):
      let names = members.keys.sorted()
      guard !names.isEmpty else { return nil }
      let (a, b) = (names[numbers.below(names.count)], names[numbers.below(names.count)])
      switch numbers.below(3) {
      case 0: members[a] = nil
      case 1: (members[a], members[b]) = (members[b], members[a])
      default: members[a] = members[b]
      }
      return .object(members)
    default: return .integer(numbers.below(100))
    }
  }

  /// Puts the file of another package, or another one of this package, in the place of a file.
  private mutating func exchange(_ path: String, _ files: [String], _ others: [String]) throws -> String {
    let name = files[numbers.below(files.count)]
    let other = others[numbers.below(others.count)]
    let takesOther = FileManager.default.fileExists(atPath: "\(other)/\(name)") && numbers.below(3) > 0
    let source = takesOther ? "\(other)/\(name)" : "\(path)/\(files[numbers.below(files.count)])"
    let data = try Data(contentsOf: URL(filePath: source))
    try data.write(to: URL(filePath: "\(path)/\(name)"))
    return "\(name) is \(source)"
  }

  private mutating func changeBytes(_ path: String, _ files: [String]) throws -> String {
    let plans = files.filter { $0.hasSuffix("plan.json") }
    let candidates = files.filter { !$0.hasSuffix(".so") && !$0.hasSuffix(".json") } + plans
    let name = candidates[numbers.below(candidates.count)]
    let url = URL(filePath: "\(path)/\(name)")
    var data = try Data(contentsOf: url)
    let place = data.isEmpty ? 0 : numbers.below(data.count)
    switch numbers.below(4) {
    case 0: data = data.prefix(place)
    case 1: data += Data(repeating: 0xff, count: numbers.below(200))
    case 2: if !data.isEmpty { data[place] = UInt8(numbers.below(256)) }
    default: for index in place..<min(place + 16, data.count) { data[index] = UInt8(numbers.below(256)) }
    }
    try data.write(to: url)
    return "bytes of \(name)"
  }
}

extension SeededNumbers {
  fileprivate mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// `text` with another digit in the place of one of its digits, else with one at its end.
  fileprivate mutating func changingADigit(of text: String) -> String {
    var bytes = Array(text.utf8)
    let digits = bytes.indices.filter { (48...57).contains(bytes[$0]) }
    let digit = UInt8(48 + below(10))
    if digits.isEmpty { bytes.append(digit) } else { bytes[digits[below(digits.count)]] = digit }
    return String(decoding: bytes, as: UTF8.self)
  }
}
