import MLCCore

/// Changes values, members and keys of JSON, also of JSON that stands in strings of it.
package struct JSONMutator: Mutator {
  package init() {}

  /// Marks an object that stands in a string.
  private static let quoted = "\u{1}quoted"

  package func mutated(_ bytes: [UInt8], _ random: inout Random) -> [UInt8]? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let whole = try? JSON(parsing: text) else { return nil }
    var value = Self.opened(whole)
    for _ in 0...random.below(3) {
      let donor = value
      value = Self.edited(value, at: random.below(Self.size(value))) { Self.changed($0, donor: donor, &random) }
    }
    return Array(Self.closed(value).text.utf8)
  }

  package func extremes(of bytes: [UInt8], _ visit: ([UInt8]) -> Void) {
    guard let whole = try? JSON(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
    let value = Self.opened(whole)
    for place in 0..<Self.size(value) {
      var isNumber = false
      _ = Self.edited(value, at: place) { old in
        switch old {
        case .integer, .number: isNumber = true
        default: break
        }
        return old
      }
      guard isNumber else { continue }
      for extreme in Extreme.integers.map({ JSON.integer(Int($0)) }) + [.number(1e300), .number(-0.5), .null] {
        visit(Array(Self.closed(Self.edited(value, at: place) { _ in extreme }).text.utf8))
      }
    }
  }

  private static func opened(_ value: JSON) -> JSON {
    switch value {
    case .string(let text) where text.first == "{":
      guard let inner = try? JSON(parsing: text) else { return value }
      return .object([quoted: opened(inner)])
    case .array(let items): return .array(items.map { opened($0) })
    case .object(let members): return .object(members.mapValues { opened($0) })
    default: return value
    }
  }

  private static func closed(_ value: JSON) -> JSON {
    switch value {
    case .object(let members):
      if let inner = members[quoted] { return .string(closed(inner).text) }
      return .object(members.mapValues { closed($0) })
    case .array(let items): return .array(items.map { closed($0) })
    default: return value
    }
  }

  private static func size(_ value: JSON) -> Int {
    switch value {
    case .array(let items): items.reduce(1) { $0 + size($1) }
    case .object(let members): members.reduce(1) { $0 + size($1.value) }
    default: 1
    }
  }

  /// `value` with the one at `place`, counted in order, changed.
  private static func edited(_ value: JSON, at place: Int, _ change: (JSON) -> JSON) -> JSON {
    if place == 0 { return change(value) }
    var place = place - 1
    switch value {
    case .array(var items):
      for index in items.indices {
        let count = size(items[index])
        if place < count {
          items[index] = edited(items[index], at: place, change)
          break
        }
        place -= count
      }
      return .array(items)
    case .object(var members):
      for key in members.keys.sorted() {
        let count = size(members[key]!)
        if place < count {
          members[key] = edited(members[key]!, at: place, change)
          break
        }
        place -= count
      }
      return .object(members)
    default: return value
    }
  }

  private static func changed(_ value: JSON, donor: JSON, _ random: inout Random) -> JSON {
    if random.below(5) == 0 {
      var place = random.below(size(donor))
      return part(of: donor, at: &place) ?? .null
    }
    switch value {
    case .array(var items) where random.below(4) > 0:
      items.rearrange(&random)
      return .array(items)
    case .object(var members) where random.below(4) > 0:
      guard let key = members.keys.sorted().randomElement(using: &random), let member = members[key] else { break }
      members[key] = nil
      if random.below(2) == 0 { members[String(decoding: mutatedBytes(Array(key.utf8)), as: UTF8.self)] = member }
      return .object(members)
    case .string(let text) where random.below(4) > 0:
      return .string(String(decoding: mutatedBytes(Array(text.utf8)), as: UTF8.self))
    case .integer where random.below(4) > 0: return .integer(random.integer())
    default: break
    }
    let others: [JSON] = [
      .null, .bool(true), .bool(false), .integer(random.integer()), .number(Double(random.integer()) * 0.5),
      .number(1e300), .string(""), .string("\(random.integer())"), .array([]), .object([:]), .array([value]),
    ]
    return others[random.below(others.count)]
  }

  private static func part(of value: JSON, at place: inout Int) -> JSON? {
    if place == 0 { return value }
    place -= 1
    var children: [JSON] = []
    if case .array(let items) = value { children = items }
    if case .object(let members) = value { children = members.keys.sorted().map { members[$0]! } }
    for child in children {
      let count = size(child)
      if place < count { return part(of: child, at: &place) }
      place -= count
    }
    return nil
  }
}
