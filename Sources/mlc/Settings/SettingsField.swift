import MLCCore
import MLCInterfaceCode

/// One value of `mlc.json`. Each reader throws `settings.field`, located at the value.
struct SettingsField {
  let value: JSON
  private let file: JSONText
  private let path: [JSONText.Step]

  /// The whole file.
  init(_ file: JSONText) { (self.file, value, path) = (file, file.value, []) }

  private init(_ value: JSON, _ file: JSONText, _ path: [JSONText.Step]) {
    (self.value, self.file, self.path) = (value, file, path)
  }

  /// `models.detector.onnx.targets[0]`
  var name: String {
    let name = path.reduce(into: "") { name, step in
      switch step {
      case .key(let key): name += name.isEmpty ? key : ".\(key)"
      case .index(let index): name += "[\(index)]"
      }
    }
    return name.isEmpty ? ModelSettings.fileName : name
  }

  var location: Location { Location(position: file.position(of: path)) }

  func wrong(_ problem: String) -> Diagnostic { Diagnostic("settings.field", "'\(name)' \(problem)", at: location) }

  /// By their keys.
  func members(_ what: String = "is no object") throws(Diagnostic) -> [String: SettingsField] {
    guard case .object(let members) = value else { throw wrong(what) }
    var fields: [String: SettingsField] = [:]
    for (key, value) in members { fields[key] = SettingsField(value, file, path + [.key(key)]) }
    return fields
  }

  func items(_ what: String) throws(Diagnostic) -> [SettingsField] {
    guard case .array(let items) = value else { throw wrong(what) }
    return items.enumerated().map { SettingsField($1, file, path + [.index($0)]) }
  }

  /// What stands in it by name: members by their keys, items that are texts by what they say.
  var parts: [(name: String, field: SettingsField)] {
    if let members = try? members() { return members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    let items = (try? items("")) ?? []
    return items.compactMap { item in (try? item.text()).map { ($0, item) } }
  }

  func text() throws(Diagnostic) -> String {
    guard case .string(let text) = value else { throw wrong("is no string") }
    return text
  }

  /// A name for a Swift class. Throws `generate.class-name`.
  func identifier() throws(Diagnostic) -> String {
    let text = try text()
    try locating(location) { () throws(Diagnostic) in try ModelClass.check(name: text) }
    return text
  }

  /// What `read` makes of a text of the form `form`.
  func limit<Limit>(_ read: (String) -> Limit?, _ form: String) throws(Diagnostic) -> Limit {
    guard let limit = read(try text()) else { throw wrong("is not \(form)") }
    return limit
  }

  func flag() throws(Diagnostic) -> Bool {
    guard case .bool(let flag) = value else { throw wrong("is neither true nor false") }
    return flag
  }

  func integer() throws(Diagnostic) -> Int {
    guard case .integer(let number) = value else { throw wrong("is no whole number") }
    return number
  }

  func number() throws(Diagnostic) -> Double {
    switch value {
    case .integer(let number): return Double(number)
    case .number(let number): return number
    default: throw wrong("is no number")
    }
  }

  func texts() throws(Diagnostic) -> [String] {
    let what = "is no list of one or more strings"
    let items = try items(what)
    guard !items.isEmpty else { throw wrong(what) }
    var texts: [String] = []
    for item in items { texts.append(try item.text()) }
    return texts
  }

  func choice<Choice: RawRepresentable>(_ choices: [Choice]) throws(Diagnostic) -> Choice
  where Choice.RawValue == String {
    let text = try text()
    guard let choice = choices.first(where: { $0.rawValue == text }) else {
      let known = choices.map { $0.rawValue }.joined(separator: ", ")
      throw wrong("is '\(text)', not one of \(known)")
    }
    return choice
  }

  /// `{"groupnorm": "groupnorm.txt"}`: files by name.
  func files() throws(Diagnostic) -> [String: String] {
    var result: [String: String] = [:]
    for (name, file) in try members("is no object of files") {
      guard case .string(let path) = file.value else { throw file.wrong("is no file") }
      result[name] = path
    }
    return result
  }

  /// `{"x": [1, 3, "height", "32..640", [224, 320]]}`: numbers, names of sizes, `?` for a size without a name, ranges,
  /// and choices.
  func shapes() throws(Diagnostic) -> [String: InputBinding] {
    var result: [String: InputBinding] = [:]
    for (input, shape) in try members("is no object of shapes").sorted(by: { $0.key < $1.key }) {
      var binding = InputBinding(extents: [])
      for item in try shape.items("is no list of sizes") {
        guard let extent = SettingsField.extent(item.value) else {
          throw item.wrong("is neither a size nor the name of one, a range or a choice")
        }
        binding.extents.append(extent)
      }
      guard binding.shapeCount <= InputBinding.mostShapes else {
        throw shape.wrong("has more than \(InputBinding.mostShapes) shapes to choose from")
      }
      result[input] = binding
    }
    return result
  }

  private static func extent(_ item: JSON) -> InputExtent? {
    switch item {
    case .integer(let number): return InputExtent(choice: [number])
    case .string(let text): return InputExtent(parsing: text)
    case .array(let items):
      let numbers = items.compactMap { item in if case .integer(let number) = item { number } else { nil } }
      return numbers.count == items.count ? InputExtent(choice: numbers) : nil
    default: return nil
    }
  }
}
