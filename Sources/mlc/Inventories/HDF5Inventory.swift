import MLCCore
import MLCHDF5

/// What an HDF5 file holds, for `inspect`.
struct HDF5Inventory {
  private let file: HDF5File

  init(_ file: HDF5File) { self.file = file }

  /// Longer values of attributes are cut.
  private static let maximumValue = 60

  var text: ConsoleText {
    var table = Table(["object", "kind", "type", "shape or value", "storage"], cut: [0, 3])
    for object in file.objects {
      let dataset = object.dataset
      let shape = dataset.map { $0.shape.map { "[\($0.map { "\($0)" }.joined(separator: ", "))]" } ?? "null" } ?? ""
      let storage = dataset.map { ([$0.storage] + $0.filters).joined(separator: " ") } ?? object.target ?? ""
      table.add([object.path, object.kind.rawValue, dataset?.type ?? "", shape, storage])
      for attribute in object.attributes {
        table.add(["  @\(attribute.name)", "attribute", attribute.type, Self.spelled(attribute), ""])
      }
    }
    return table.text
  }

  private static func spelled(_ attribute: HDF5Attribute) -> String {
    let items: [String]
    switch attribute.value {
    case .strings(let strings): items = strings.map { "\"\($0)\"" }
    case .integers(let numbers): items = numbers.map { "\($0)" }
    case .numbers(let numbers): items = numbers.map { "\($0)" }
    case nil: return "…"
    }
    let text = attribute.shape == [] ? items.joined() : "[\(items.joined(separator: ", "))]"
    return text.count > maximumValue ? String(text.prefix(maximumValue)) + "…" : text
  }

  var json: [String: JSON] {
    let objects = file.objects.map { object -> JSON in
      var entry: [String: JSON] = ["path": .string(object.path), "kind": .string(object.kind.rawValue)]
      if let dataset = object.dataset {
        entry["type"] = .string(dataset.type)
        entry["shape"] = dataset.shape.map { .array($0.map { .integer($0) }) } ?? .null
        entry["storage"] = .string(dataset.storage)
        entry["filters"] = .array(dataset.filters.map { .string($0) })
      }
      let attributes = object.attributes.map { ($0.name, Self.value($0)) }
      entry["attributes"] = .object(Dictionary(attributes, uniquingKeysWith: { first, _ in first }))
      return .object(entry)
    }
    return ["objects": .array(objects)]
  }

  private static func value(_ attribute: HDF5Attribute) -> JSON {
    let items: [JSON]
    switch attribute.value {
    case .strings(let strings): items = strings.map { .string($0) }
    case .integers(let numbers): items = numbers.map { .integer($0) }
    case .numbers(let numbers): items = numbers.map { .number($0) }
    case nil: return .null
    }
    return attribute.shape == [] && items.count == 1 ? items[0] : .array(items)
  }
}
