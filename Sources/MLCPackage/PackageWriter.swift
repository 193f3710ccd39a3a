import MLCCore

/// Writes compiled packages. Equal contents give equal bytes: no times, sorted keys, names that follow from the
/// contents.
package enum PackageWriter {
  /// Builds the package beside `path` and puts it there in one step; an older compiled package goes. Anything else at
  /// `path` stays and `package.in-the-way` is thrown; other problems are `file.…`, and `package.field` for contents
  /// that no reader takes. Answers the package's digest.
  @discardableResult
  package static func write(_ contents: PackageContents, to path: String) throws(Diagnostic) -> String {
    for function in contents.functions {
      precondition(function.inconsistency == nil, "\(function.name): \(function.inconsistency!)")
    }
    let path = trimmed(path)
    try refuseForeign(path)
    let temporary = try Temporary(beside: path)
    var builder = PackageBuilder(root: try temporary.makeFolder("new"))
    let digest = try builder.build(contents)
    try temporary.publish("new", as: path)
    return digest
  }

  /// Writes a copy of `package` that has learnt `parameters`, which are all that it has. An empty folder at `path`, as
  /// applications make it for what they write, gives way. Throws as the other form does, and for a package that is
  /// damaged.
  package static func write(
    _ package: PackageReader,
    learning parameters: [(name: String, tensor: Tensor)],
    to path: String
  ) throws(Diagnostic) {
    let path = trimmed(path)
    FileSystem.removeEmptyDirectory(path)
    try refuseForeign(path)
    let temporary = try Temporary(beside: path)
    var builder = PackageBuilder(root: try temporary.makeFolder("new"))
    try builder.copy(package, learning: parameters)
    try temporary.publish("new", as: path)
  }

  /// Refuses before the work what `write` would refuse after it: something else in the way, a folder that cannot be
  /// written.
  package static func check(_ path: String) throws(Diagnostic) {
    let path = trimmed(path)
    try refuseForeign(path)
    _ = try Temporary(beside: path)
  }

  private static func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  private static func refuseForeign(_ path: String) throws(Diagnostic) {
    guard FileSystem.exists(path) else { return }
    do { _ = try PackageReader.manifest(at: path) } catch {
      // A package of another version, or one that is damaged, is still one of ours.
      if error.id == "package.version" || error.id == "package.digest" { return }
      throw Diagnostic(
        "package.in-the-way",
        "'\(path)' exists and is not a package compiled by mlc; remove it or choose another name",
        kind: .usage,
        at: .init(file: path),
        notes: [error.message]
      )
    }
  }
}

/// Fills one new directory with a package's files.
private struct PackageBuilder {
  let root: String
  private var directories: Set<String> = []
  /// Blobs by the files that they are copies of.
  private var copies: [String: Manifest.File] = [:]

  init(root: String) { self.root = root }

  /// Answers the package's digest.
  mutating func build(_ contents: PackageContents) throws(Diagnostic) -> String {
    for function in contents.functions { _ = try FunctionInterface(try JSONObject(function.json, "interface.json")) }
    let interface = JSON.object(["functions": .array(contents.functions.map { $0.json })])
    var manifest = Manifest(
      tool: contents.tool,
      source: contents.source,
      functions: contents.functions.map { $0.name },
      metadata: contents.metadata,
      precision: contents.precision,
      interface: try write(.bytes(Array(interface.text.utf8)), as: "interface.json"),
      program: nil,
      targets: []
    )
    manifest.avoidsWinograd = contents.avoidsWinograd
    if let text = contents.structure?.storedText {
      manifest.structure = try write(.bytes(Array(text.utf8)), as: "structure.json")
    }
    if let learning = contents.learning {
      manifest.learning = try write(.bytes(Array(learning.json.text.utf8)), as: "learning.json")
      manifest.parameters = try write(parameters: contents.parameters)
    }
    if let program = contents.program {
      manifest.program = try write(.bytes(Array(program.utf8)), as: "program.txt")
      manifest.constants = try write(constants: contents.constants)
      manifest.devices = contents.devices
    }
    for (number, target) in contents.targets.enumerated() {
      precondition(target.code.map { $0.function } == manifest.functions, "code of every function, in order")
      manifest.targets.append(
        Manifest.Target(device: target.device, accelerators: target.accelerators, code: try write(target, number))
      )
    }
    let sealed = manifest.sealed
    _ = try write(.bytes(Array(sealed.text.utf8)), as: "manifest.json")
    return try Manifest(sealed).digest
  }

  mutating func copy(
    _ package: PackageReader,
    learning parameters: [(name: String, tensor: Tensor)]
  ) throws(Diagnostic) {
    var manifest = package.manifest
    for file in manifest.files where file.path != manifest.parameters?.file.path {
      let copy = try write(.mapped(try package.open(file).mapped), as: file.path)
      // Whoever changes a file does so at any moment, also while it is read.
      guard copy == file else {
        let message = "'\(file.path)' changed while it was copied"
        throw Diagnostic("package.digest", message, at: .init(file: package.path))
      }
    }
    manifest.parameters = try write(parameters: parameters)
    _ = try write(.bytes(Array(manifest.sealed.text.utf8)), as: "manifest.json")
  }

  /// The tensors one after the other, each at a multiple of 64 bytes.
  private mutating func write(constants tensors: [Tensor]) throws(Diagnostic) -> Manifest.Constants {
    var placed: [(offset: Int, tensor: Tensor)] = []
    var end = 0
    for tensor in tensors {
      let offset = (end + 63) & ~63
      placed.append((offset, tensor))
      end = offset + tensor.byteCount
    }
    let file = try write(.tensors(placed, byteCount: end), as: "program.bin")
    let entries = placed.map { Manifest.Constants.Entry(dtype: $1.dtype, shape: $1.shape, offset: $0) }
    return Manifest.Constants(file: file, tensors: entries)
  }

  private mutating func write(
    parameters: [(name: String, tensor: Tensor)]
  ) throws(Diagnostic) -> Manifest.Parameters {
    let placed = PlacedParameters(parameters)
    let file = try write(.tensors(placed.tensors, byteCount: placed.byteCount), as: "parameters.bin")
    return Manifest.Parameters(file: file, tensors: placed.entries)
  }

  private mutating func write(
    _ target: PackageContents.Target,
    _ number: Int
  ) throws(Diagnostic) -> [Manifest.Code] {
    var written: [Manifest.Code] = []
    let device = component(target.name, "device", number)
    for (index, code) in target.code.enumerated() {
      let folder = "targets/\(device)/\(component(code.function, "function", index))"
      var segments: [Manifest.Segment] = []
      for (index, segment) in code.segments.enumerated() {
        segments.append(try write(segment, code.segments.count == 1 ? folder : "\(folder)/\(index)"))
      }
      written.append(Manifest.Code(function: code.function, values: code.values, segments: segments))
    }
    return written
  }

  private mutating func write(
    _ segment: PackageContents.Segment,
    _ folder: String
  ) throws(Diagnostic) -> Manifest.Segment {
    Manifest.Segment(
      wiring: segment.wiring,
      kernels: try write(segment.kernels, as: "\(folder)/kernels.so"),
      weights: try writeBlob(segment.weights),
      gathered: segment.gathered,
      plan: try write(.bytes(Array(segment.plan.json.text.utf8)), as: "\(folder)/plan.json")
    )
  }

  /// `name` as a folder. Names come from models: one that is no plain word gives way to `kind+number`, which is none.
  private func component(_ name: String, _ kind: String, _ number: Int) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "_-.".unicodeScalars.contains($0))
    }
    return isPlain && (1...64).contains(name.utf8.count) && !name.hasPrefix(".") ? name : "\(kind)+\(number)"
  }

  /// Stores a file under its digest, so that equal ones are stored once.
  private mutating func writeBlob(_ payload: PackageContents.Payload) throws(Diagnostic) -> Manifest.File {
    if case .file(let source) = payload, let known = copies[source] { return known }
    var file = try write(payload, as: "blobs/new")
    file.path = "blobs/\(file.digest).bin"
    try FileSystem.rename("\(root)/blobs/new", to: "\(root)/\(file.path)")
    if case .file(let source) = payload { copies[source] = file }
    return file
  }

  private mutating func write(
    _ payload: PackageContents.Payload,
    as path: String
  ) throws(Diagnostic) -> Manifest.File {
    var parent = root
    for part in path.split(separator: "/").dropLast() {
      parent += "/\(part)"
      if directories.insert(parent).inserted { try FileSystem.makeDirectory(parent) }
    }
    var output = try FileOutput("\(root)/\(path)")
    switch payload {
    case .bytes(let bytes): try output.write(bytes)
    case .file(let source): try output.write(try MappedFile(path: source).storage)
    case .mapped(let file): try output.write(file.storage)
    case .tensors(let tensors, let byteCount):
      for (offset, tensor) in tensors {
        precondition(offset >= output.size && offset + tensor.byteCount <= byteCount, "tensors overlap")
        try output.writeZeros(offset - output.size)
        try tensor.withBytes { (bytes) throws(Diagnostic) in try output.write(bytes) }
      }
      try output.writeZeros(byteCount - output.size)
    }
    try output.close()
    return Manifest.File(path: path, size: output.size, digest: output.digest)
  }
}
