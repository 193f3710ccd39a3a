import MLCCore
import MLCPackage
import MLCTensorIO

/// Tensors for a model's inputs, out of files.
struct InputFiles {
  /// `NAME=FILE`.
  var files: [String] = []
  /// An archive with a tensor for each input.
  var archive: String?
  var image: ImageOptions?
  /// Whether tensors that lack the first axis of their input get one of extent 1.
  var addsBatch = false

  var isEmpty: Bool { files.isEmpty && archive == nil }

  /// One tensor for each input of the caller's; optional ones that are not given have their default. Throws
  /// `input.syntax`, `input.unknown`, `input.missing`, `input.shape`, `input.dtype` and what the files' readers throw.
  func tensors(for interface: FunctionInterface) throws(Diagnostic) -> [Tensor] {
    let ports = interface.callerInputs
    var found: [String: (tensor: Tensor, source: String)] = [:]
    if let archive {
      for (name, tensor) in try TensorFile.read(archive) {
        let port = try InputFiles.port(name, ports, in: archive)
        found[port.name] = (tensor, archive)
      }
    }
    for text in files {
      let (port, path) = try split(text, ports)
      found[port.name] = (try read(path, port, interface.features.inputs.first { $0.name == port.name }), path)
    }
    for feature in interface.inputFeatures where feature.ports.allSatisfy({ found[$0.name] == nil }) {
      for (port, tensor) in zip(feature.ports, feature.absent(interface.symbols) ?? []) {
        found[port.name] = (tensor, "default")
      }
    }
    var tensors: [Tensor] = []
    for port in ports {
      guard let (given, source) = found[port.name] else {
        let argument = "\(port.name)=FILE".shellWord
        throw Diagnostic(
          "input.missing",
          "nothing is given for input '\(port.name)', \(port.type); give it with --input \(argument)",
          kind: .usage
        )
      }
      let lacksBatch = addsBatch && given.rank + 1 == port.type.rank
      let tensor = lacksBatch ? given.reshaped([1] + given.shape) : given
      func layout() -> ImageInput.Layout? { TensorFile.isPicture(source) ? image?.imageLayout : nil }
      tensors.append(try InputFiles.fitted(tensor, to: port, from: source, picture: layout()))
    }
    return tensors
  }

  /// Refuses what is wrong whatever the model is: a file that cannot be read, an argument that names none. Throws
  /// `input.syntax` and what the files' readers throw.
  func check() throws(Diagnostic) {
    if let archive { try InputFiles.check(archive) }
    for text in files {
      let parts = text.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count > 1, !text.hasPrefix("=") else { throw InputFiles.misspelt(text) }
      // Names and paths may hold '=': then the model says where the name ends.
      if parts.count == 2 { _ = try OpenFile(reading: String(parts[1])) }
    }
  }

  /// Refuses an archive that cannot be read.
  static func check(_ archive: String) throws(Diagnostic) { _ = try TensorFile.read(archive) }

  private static func misspelt(_ text: String) -> Diagnostic {
    Diagnostic("input.syntax", "--input \(text): write NAME=FILE", kind: .usage)
  }

  /// The input called `name`. Throws `input.unknown` with the names there are.
  static func port(
    _ name: String,
    _ ports: [FunctionInterface.Port],
    in file: String? = nil
  ) throws(Diagnostic) -> FunctionInterface.Port {
    if let port = ports.first(where: { $0.name == name }) { return port }
    throw Diagnostic(
      "input.unknown",
      "the model has no input '\(name)'; its inputs are \(quotedList(ports.map { $0.name }))",
      kind: .usage,
      at: Location(file: file)
    )
  }

  private func split(
    _ text: String,
    _ ports: [FunctionInterface.Port]
  ) throws(Diagnostic) -> (FunctionInterface.Port, String) {
    // Names may hold '=': the longest name that fits is meant.
    let fitting = ports.filter { text.hasPrefix($0.name + "=") }.max { $0.name.count < $1.name.count }
    if let fitting { return (fitting, String(text.dropFirst(fitting.name.count + 1))) }
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw InputFiles.misspelt(text)
    }
    return (try InputFiles.port(String(text[..<equals]), ports), String(text[text.index(after: equals)...]))
  }

  private func read(_ path: String, _ port: FunctionInterface.Port, _ feature: Feature?) throws(Diagnostic) -> Tensor {
    if let image, TensorFile.isPicture(path) {
      return try image.tensor(path, as: port.type, feature)
    }
    let tensors = try TensorFile.read(path)
    if tensors.count == 1 { return tensors[0].tensor }
    guard let tensor = tensors.first(where: { $0.name == port.name })?.tensor else {
      throw Diagnostic(
        "input.missing",
        "the file has no tensor '\(port.name)', only \(quotedList(tensors.map { $0.name }))",
        at: Location(file: path)
      )
    }
    return tensor
  }

  /// `tensor` in the input's element type; bytes are the codes of floats of at most eight bits. Rank and fixed extents
  /// must be the input's.
  static func fitted(
    _ tensor: Tensor,
    to port: FunctionInterface.Port,
    from source: String,
    picture layout: @autoclosure () -> ImageInput.Layout? = nil
  ) throws(Diagnostic) -> Tensor {
    let fits =
      tensor.rank == port.type.rank
      && zip(port.type.shape, tensor.shape).allSatisfy { $0.constant == nil || $0.constant == $1 }
    guard fits else {
      throw Diagnostic(
        "input.shape",
        "input '\(port.name)' is \(port.type), the tensor given is \(tensor.type)",
        at: Location(file: source),
        notes: InputRemedy.of(tensor.shape, port.type.shape, picture: layout())
      )
    }
    if tensor.dtype == port.type.dtype { return tensor }
    // An array without elements says nothing of their type.
    if port.type.dtype == .string, tensor.count == 0 { return Tensor(tensor.shape, strings: []) }
    guard tensor.dtype != .string, port.type.dtype != .string else {
      throw Diagnostic(
        "input.dtype",
        "input '\(port.name)' is \(port.type), the tensor given is \(tensor.type)",
        at: Location(file: source)
      )
    }
    if tensor.dtype == .uint8, port.type.dtype.smallFloat != nil {
      Console.note("\(source): input '\(port.name)' is \(port.type.dtype.rawValue), and its bytes are taken as codes")
      return Tensor(port.type.dtype, tensor.shape, codes: tensor.codes)
    }
    let converted = tensor.converted(to: port.type.dtype)
    guard port.type.dtype.isFloat || tensor.doubles == converted.doubles else {
      throw Diagnostic(
        "input.dtype",
        "input '\(port.name)' is \(port.type), which cannot hold the numbers of the \(tensor.dtype.rawValue) tensor "
          + "given",
        at: Location(file: source)
      )
    }
    Console.note(
      "\(source): input '\(port.name)' is converted from \(tensor.dtype.rawValue) to \(port.type.dtype.rawValue)"
    )
    return converted
  }
}
