import MLCCore

/// One step from a JSON value to one inside of it.
enum JSONStep {
  case index(Int)
  case key(String)

  var text: String {
    switch self {
    case .index(let index): "\(index)"
    case .key(let key): key
    }
  }
}

extension JSON {
  /// The way to every value inside of this one, in an order that is always the same.
  func visit(_ way: [JSONStep] = [], _ body: ([JSONStep]) -> Void) {
    switch self {
    case .array(let items):
      for (index, item) in items.enumerated() {
        body(way + [.index(index)])
        item.visit(way + [.index(index)], body)
      }
    case .object(let members):
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        body(way + [.key(key)])
        value.visit(way + [.key(key)], body)
      }
    default: break
    }
  }

  /// Every string in it, names of members included.
  var strings: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let items): items.flatMap { $0.strings }
    case .object(let members): members.sorted { $0.key < $1.key }.flatMap { [$0.key] + $0.value.strings }
    default: []
    }
  }

  /// The value with what `change` makes of the one at the end of `way`; `nil` removes that.
  func replacing(_ way: [JSONStep], _ change: (JSON) -> JSON?) -> JSON {
    guard let step = way.first else { return change(self) ?? .null }
    let rest = Array(way.dropFirst())
    switch (self, step) {
    case (.array(var items), .index(let index)):
      if !rest.isEmpty {
        items[index] = items[index].replacing(rest, change)
      } else if let value = change(items[index]) {
        items[index] = value
      } else {
        items.remove(at: index)
      }
      return .array(items)
    case (.object(var members), .key(let key)):
      if let value = members[key] { members[key] = rest.isEmpty ? change(value) : value.replacing(rest, change) }
      return .object(members)
    default: return self
    }
  }
}
