import ArgumentParser
import MLCCore

/// Shapes and element types that the user gives for inputs.
struct BindingOptions: ParsableArguments {
  @Option(
    name: .customLong("input"),
    help: ArgumentHelp(
      "Bind the shape of an input; names and '?' keep a size open. May be repeated.",
      valueName: "NAME=1,3,224,width[:dtype]"
    )
  )
  var inputs: [String] = []

  /// By input name. Throws `input.syntax` for an argument of another form and for an input that is bound twice.
  func bindings() throws(Diagnostic) -> [String: InputBinding] {
    var result: [String: InputBinding] = [:]
    for text in inputs {
      let (name, binding) = try InputBinding.parse(text)
      guard result.updateValue(binding, forKey: name) == nil else {
        throw Diagnostic("input.syntax", "--input binds '\(name)' twice", kind: .usage)
      }
    }
    return result
  }
}

/// What `--input NAME=1,3,224,width:fp32` says about one input.
struct InputBinding: Equatable {
  var shape: [Dim]
  var dtype: DType?

  static func parse(_ text: String) throws(Diagnostic) -> (name: String, binding: InputBinding) {
    func wrong(_ problem: String) -> Diagnostic {
      Diagnostic("input.syntax", "--input \(text): \(problem); write NAME=1,3,224,width[:dtype]", kind: .usage)
    }
    guard let equals = text.lastIndex(of: "="), equals != text.startIndex else { throw wrong("there is no NAME=") }
    let name = String(text[..<equals])
    var extents = text[text.index(after: equals)...]
    var dtype: DType?
    if let colon = extents.lastIndex(of: ":") {
      let spelled = String(extents[extents.index(after: colon)...])
      dtype = DType(rawValue: spelled) ?? aliases[spelled]
      guard dtype != nil else { throw wrong("'\(spelled)' is no element type") }
      extents = extents[..<colon]
    }
    var shape: [Dim] = []
    for (axis, extent) in extents.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
      if extents.isEmpty { break }
      let spelled = extent.trimmingPrefix { $0 == " " }
      if spelled == "?" {
        shape.append(.symbol("\(name)_\(axis)"))
        continue
      }
      do throws(Diagnostic) { shape.append(try Dim(parsing: String(spelled))) } catch {
        throw wrong("'\(extent)' is neither a number nor a name")
      }
      if let number = shape[axis].constant, number < 0 { throw wrong("\(number) is negative") }
    }
    return (name, InputBinding(shape: shape, dtype: dtype))
  }

  private static let aliases: [String: DType] = [
    "float16": .float16, "bfloat16": .bfloat16, "float32": .float32, "float": .float32, "float64": .float64,
    "double": .float64,
  ]
}

/// Numbers for sizes that a model leaves open.
struct SizeOptions: ParsableArguments {
  @Option(
    name: .customLong("size"),
    help: ArgumentHelp("The value of an open size in generated inputs. May be repeated.", valueName: "NAME=N")
  )
  var sizes: [String] = []

  /// Throws `size.syntax`.
  func byName() throws(Diagnostic) -> [String: Int] {
    var result: [String: Int] = [:]
    for text in sizes {
      guard let equals = text.lastIndex(of: "="), equals != text.startIndex,
        let value = Int(text[text.index(after: equals)...]), value >= 0, value <= 1 << 40
      else { throw Diagnostic("size.syntax", "--size \(text): write NAME=N, N a whole number", kind: .usage) }
      result[String(text[..<equals])] = value
    }
    return result
  }
}
