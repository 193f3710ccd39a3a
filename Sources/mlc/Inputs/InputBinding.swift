import ArgumentParser
import MLCCore
import MLCGraph

/// Shapes and element types that the user gives for inputs.
struct BindingOptions: ParsableArguments {
  @Option(
    name: .customLong("input"),
    help: ArgumentHelp(
      "Bind the shape of an input; names and '?' keep a size open, 32..640 within a range, {224,320} to a choice. "
        + "May be repeated.",
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
  var extents: [InputExtent]
  var dtype: DType?

  /// The most shapes that the choices of one input may make.
  static let mostShapes = 1024

  /// Its shape, for readers of models: what is open without a name is `Dim.unnamed`.
  var shape: [Dim] { extents.map { extent in if case .size(let dim) = extent { dim } else { .unnamed } } }

  static func parse(_ text: String) throws(Diagnostic) -> (name: String, binding: InputBinding) {
    func wrong(_ problem: String) -> Diagnostic {
      let form = "write NAME=1,3,224,width[:dtype], 32..640 for a range, {224,320} for a choice"
      return Diagnostic("input.syntax", "--input \(text): \(problem); \(form)", kind: .usage)
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
    var binding = InputBinding(extents: [], dtype: dtype)
    for extent in extents.isEmpty ? [] : pieces(extents) {
      guard let extent = InputExtent(parsing: extent) else {
        throw wrong("'\(extent)' is neither a number nor a name, a range or a choice of them")
      }
      binding.extents.append(extent)
    }
    guard binding.shapeCount <= mostShapes else { throw wrong("more than \(mostShapes) shapes to choose from") }
    return (name, binding)
  }

  /// What stands between the commas outside of braces.
  private static func pieces(_ text: Substring) -> [Substring] {
    var (pieces, start, depth) = ([Substring](), text.startIndex, 0)
    for index in text.indices {
      switch text[index] {
      case "{": depth += 1
      case "}": depth -= 1
      case "," where depth <= 0:
        pieces.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    return pieces + [text[start...]]
  }

  /// How many shapes its choices make.
  var shapeCount: Int {
    extents.reduce(1) { count, extent in
      guard case .choice(let numbers) = extent else { return count }
      return count > InputBinding.mostShapes ? count : count * numbers.count
    }
  }

  private static let aliases: [String: DType] = [
    "float16": .float16, "bfloat16": .bfloat16, "float32": .float32, "float": .float32, "float64": .float64,
    "double": .float64, "float8e4m3fn": .float8e4m3fn, "float8e4m3fnuz": .float8e4m3fnuz, "float8e5m2": .float8e5m2,
    "float8e5m2fnuz": .float8e5m2fnuz, "float8e8m0": .float8e8m0, "float4e2m1": .float4e2m1,
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
