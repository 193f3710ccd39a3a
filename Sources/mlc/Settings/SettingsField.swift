import MLCCore
import MLCGraph
import MLCPackage

/// One value of `mlc.json`. Each reader throws `settings.field`.
struct SettingsField {
  let name: String, value: JSON

  static func wrong(_ name: String, _ problem: String) -> Diagnostic {
    Diagnostic("settings.field", "'\(name)' \(problem)")
  }

  func text() throws(Diagnostic) -> String {
    guard case .string(let text) = value else { throw SettingsField.wrong(name, "is no string") }
    return text
  }

  /// What `read` makes of a text of the form `form`.
  func limit<Limit>(_ read: (String) -> Limit?, _ form: String) throws(Diagnostic) -> Limit {
    guard let limit = read(try text()) else { throw SettingsField.wrong(name, "is not \(form)") }
    return limit
  }

  func flag() throws(Diagnostic) -> Bool {
    guard case .bool(let flag) = value else { throw SettingsField.wrong(name, "is neither true nor false") }
    return flag
  }

  func integer() throws(Diagnostic) -> Int {
    guard case .integer(let number) = value else { throw SettingsField.wrong(name, "is no whole number") }
    return number
  }

  func number() throws(Diagnostic) -> Double {
    switch value {
    case .integer(let number): return Double(number)
    case .number(let number): return number
    default: throw SettingsField.wrong(name, "is no number")
    }
  }

  func texts() throws(Diagnostic) -> [String] {
    guard case .array(let items) = value, !items.isEmpty else {
      throw SettingsField.wrong(name, "is no list of one or more strings")
    }
    var texts: [String] = []
    for (index, item) in items.enumerated() {
      texts.append(try SettingsField(name: "\(name)[\(index)]", value: item).text())
    }
    return texts
  }

  func choice<Choice: RawRepresentable>(_ choices: [Choice]) throws(Diagnostic) -> Choice
  where Choice.RawValue == String {
    let text = try text()
    guard let choice = choices.first(where: { $0.rawValue == text }) else {
      let known = choices.map { $0.rawValue }.joined(separator: ", ")
      throw SettingsField.wrong(name, "is '\(text)', not one of \(known)")
    }
    return choice
  }

  /// `{"x": [1, 3, "height", "?"]}`: numbers, names of sizes, and `?` for a size without a name.
  func shapes() throws(Diagnostic) -> [String: InputBinding] {
    guard case .object(let inputs) = value else { throw SettingsField.wrong(name, "is no object of shapes") }
    var result: [String: InputBinding] = [:]
    for (input, shape) in inputs.sorted(by: { $0.key < $1.key }) {
      guard case .array(let extents) = shape else {
        throw SettingsField.wrong("\(name).\(input)", "is no list of sizes")
      }
      var dims: [Dim] = []
      for (axis, extent) in extents.enumerated() {
        switch extent {
        case .integer(let number) where number >= 0: dims.append(Dim(number))
        case .string("?"): dims.append(.symbol("\(input)_\(axis)"))
        case .string(let text):
          guard let dim = try? Dim(parsing: text) else { throw notASize(input, axis) }
          dims.append(dim)
        default: throw notASize(input, axis)
        }
      }
      result[input] = InputBinding(shape: dims)
    }
    return result
  }

  private func notASize(_ input: String, _ axis: Int) -> Diagnostic {
    SettingsField.wrong("\(name).\(input)[\(axis)]", "is neither a size nor the name of one")
  }
}
