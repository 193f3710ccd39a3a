import MLCCore

extension Manifest {
  var json: JSON {
    var members: [String: JSON] = [
      "format": .string(Manifest.format),
      "version": .string("\(Manifest.major).\(Manifest.minor)"),
      "tool": .string(tool),
      "source": .string(source),
      "functions": .array(functions.map { .string($0) }),
      "interface": interface.json,
      "targets": .array(targets.map { $0.json }),
    ]
    if !metadata.isEmpty { members["metadata"] = .object(metadata.mapValues { .string($0) }) }
    if let precision { members["precision"] = .string(precision.rawValue) }
    if avoidsWinograd { members["winograd"] = .bool(false) }
    if let program { members["program"] = program.json }
    if let structure { members["structure"] = structure.json }
    if let learning { members["learning"] = learning.json }
    if let parameters { members["parameters"] = parameters.json }
    if let constants { members["constants"] = constants.json }
    if !devices.isEmpty { members["devices"] = .array(devices.map { .object($0.members) }) }
    return .object(members)
  }

  /// `json` with its digest: what `manifest.json` holds.
  var sealed: JSON { Manifest.seal(json) }

  /// `manifest` with the digest that belongs to it, whatever it had.
  package static func seal(_ manifest: JSON) -> JSON {
    guard case .object(var members) = manifest else { return manifest }
    members["digest"] = .string(digest(of: manifest))
    return .object(members)
  }

  /// SHA-256 of the manifest's canonical form: its text without the member `digest`.
  static func digest(of manifest: JSON) -> String {
    guard case .object(var members) = manifest else { return "" }
    members["digest"] = nil
    return SHA256.hexDigest(JSON.object(members).text)
  }

  /// Throws `package.format` for another kind of file, `package.version` for an unknown major version, `package.digest`
  /// for a manifest that is not as it was written and `package.field` for a field that is missing or wrong.
  init(_ json: JSON) throws(Diagnostic) {
    let object = try JSONObject(json, "manifest.json")
    guard case .string(Manifest.format)? = object.members["format"] else {
      throw Diagnostic("package.format", "manifest.json does not describe a package compiled by mlc")
    }
    try Manifest.check(version: try object.string("version"))
    digest = Manifest.digest(of: json)
    guard try object.string("digest") == digest else {
      throw Diagnostic("package.digest", "manifest.json is damaged: its SHA-256 is not the one that stands in it")
    }
    tool = try object.string("tool")
    source = try object.string("source")
    functions = try object.strings("functions", atMost: PackageLimits.functions)
    metadata = try object.dictionary("metadata")
    precision = try Manifest.precision(object)
    avoidsWinograd = object.has("winograd") ? !(try object.bool("winograd")) : false
    interface = try File(try object.object("interface"))
    program = object.has("program") ? try File(try object.object("program")) : nil
    structure = object.has("structure") ? try File(try object.object("structure")) : nil
    learning = object.has("learning") ? try File(try object.object("learning")) : nil
    parameters = object.has("parameters") ? try Parameters(try object.object("parameters")) : nil
    constants = object.has("constants") ? try Constants(try object.object("constants")) : nil
    devices =
      object.has("devices")
      ? try object.objects("devices", atMost: PackageLimits.devices) { (item) throws(Diagnostic) in try Device(item) }
      : []
    targets = try object.objects("targets", atMost: PackageLimits.devices) { (item) throws(Diagnostic) in
      try Target(item)
    }
    guard !functions.isEmpty else { throw JSONObject.malformed(object.at("functions"), "is empty") }
    for target in targets where target.code.map({ $0.function }) != functions {
      throw JSONObject.malformed(object.at("targets"), "hold no code for some function on '\(target.name)'")
    }
    if let name = targets.map({ $0.name }).firstRepeated {
      throw JSONObject.malformed(object.at("targets"), "hold code for '\(name)' twice")
    }
    if let name = functions.firstRepeated { throw JSONObject.malformed(object.at("functions"), "hold '\(name)' twice") }
    if (learning == nil) != (parameters == nil) {
      throw JSONObject.malformed(object.at("learning"), "and parameters are not there together")
    }
    if let path = contradictoryPath { throw JSONObject.malformed("manifest.json", "says two things of '\(path)'") }
  }

  private static func precision(_ object: JSONObject) throws(Diagnostic) -> DType? {
    guard object.has("precision") else { return nil }
    guard let dtype = DType(rawValue: try object.string("precision")), dtype.isFloat else {
      throw JSONObject.malformed(object.at("precision"), "is no floating-point type")
    }
    return dtype
  }

  private static func check(version: String) throws(Diagnostic) {
    let parts = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let major = parts[0], parts[1] != nil else {
      throw Diagnostic("package.version", "'\(version)' is not a package version")
    }
    guard major == Manifest.major else {
      let advice = major > Manifest.major ? "a newer mlc wrote it" : "compile the model again"
      throw Diagnostic(
        "package.version",
        "the package has format version \(version), this mlc reads version \(Manifest.major): \(advice)"
      )
    }
  }

  /// A path that stands for files of different sizes or digests.
  private var contradictoryPath: String? {
    var known: [String: File] = [:]
    return allFiles.first { file in known.updateValue(file, forKey: file.path).map { $0 != file } ?? false }?.path
  }
}

extension Manifest.File {
  fileprivate var json: JSON {
    .object(["path": .string(path), "size": .integer(size), "sha256": .string(digest)])
  }

  /// The path stays inside the package: relative, with no empty, `.` or `..` component.
  fileprivate init(_ object: JSONObject) throws(Diagnostic) {
    let path = try object.string("path")
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), !path.unicodeScalars.contains("\0") else {
      throw JSONObject.malformed(object.at("path"), "is '\(path)', which may lead out of the package")
    }
    guard parts.count <= PackageLimits.folders, parts.allSatisfy({ $0.utf8.count <= PackageLimits.nameBytes }) else {
      throw JSONObject.malformed(object.at("path"), "is longer than any that mlc writes")
    }
    let digest = try object.string("sha256")
    guard digest.digestBytes != nil else {
      throw JSONObject.malformed(object.at("sha256"), "is not 64 hexadecimal digits")
    }
    self.init(path: path, size: try object.size("size"), digest: digest)
  }
}

extension Manifest.Device {
  fileprivate var members: [String: JSON] {
    [
      "device": .string(name), "family": .string(family), "isa": .string(isa),
      "requires": .array(requires.map { .string($0) }),
    ]
  }

  fileprivate init(_ object: JSONObject) throws(Diagnostic) {
    self.init(
      name: try object.string("device"),
      family: try object.string("family"),
      isa: try object.string("isa"),
      requires: try object.strings("requires", atMost: PackageLimits.features)
    )
  }
}

extension Manifest.Parameters {
  fileprivate var json: JSON {
    let entries: [JSON] = tensors.map { tensor in
      .object([
        "name": .string(tensor.name), "dtype": .string(tensor.dtype.rawValue),
        "shape": .array(tensor.shape.map { .integer($0) }), "offset": .integer(tensor.offset),
      ])
    }
    return .object(["file": file.json, "tensors": .array(entries)])
  }

  fileprivate init(_ object: JSONObject) throws(Diagnostic) {
    file = try Manifest.File(try object.object("file"))
    tensors = try object.objects("tensors", atMost: PackageLimits.ports) { (item) throws(Diagnostic) in
      guard let dtype = DType(rawValue: try item.string("dtype")) else {
        throw JSONObject.malformed(item.at("dtype"), "is no element type")
      }
      let shape = try item.sizes("shape", atMost: 16)
      return Entry(name: try item.string("name"), dtype: dtype, shape: shape, offset: try item.size("offset"))
    }
    if let name = tensors.map({ $0.name }).firstRepeated {
      throw JSONObject.malformed(object.at("tensors"), "hold '\(name)' twice")
    }
  }
}

extension Manifest.Constants {
  fileprivate var json: JSON {
    let entries: [JSON] = tensors.map { tensor in
      .object([
        "dtype": .string(tensor.dtype.rawValue), "shape": .array(tensor.shape.map { .integer($0) }),
        "offset": .integer(tensor.offset),
      ])
    }
    return .object(["file": file.json, "tensors": .array(entries)])
  }

  fileprivate init(_ object: JSONObject) throws(Diagnostic) {
    file = try Manifest.File(try object.object("file"))
    tensors = try object.objects("tensors") { (item) throws(Diagnostic) in
      guard let dtype = DType(rawValue: try item.string("dtype")), dtype != .string else {
        throw JSONObject.malformed(item.at("dtype"), "is no element type of constants")
      }
      var shape: [Int] = []
      for extent in try item.array("shape") {
        guard case .integer(let size) = extent, size >= 0, shape.count < 64 else {
          throw JSONObject.malformed(item.at("shape"), "is no shape")
        }
        shape.append(size)
      }
      return Entry(dtype: dtype, shape: shape, offset: try item.size("offset"))
    }
  }
}

extension Manifest.Target {
  fileprivate var json: JSON {
    var members = device.members
    if !accelerators.isEmpty { members["accelerators"] = .array(accelerators.map { .object($0.members) }) }
    members["code"] = .array(code.map { $0.json })
    return .object(members)
  }

  fileprivate init(_ object: JSONObject) throws(Diagnostic) {
    device = try Manifest.Device(object)
    accelerators =
      object.has("accelerators")
      ? try object.objects("accelerators", atMost: PackageLimits.devices) { (item) throws(Diagnostic) in
        try Manifest.Device(item)
      } : []
    code = try object.objects("code") { (item) throws(Diagnostic) in try Manifest.Code(item) }
  }
}

extension Manifest.Segment {
  fileprivate var members: [String: JSON] {
    var members = wiring.members
    (members["kernels"], members["weights"], members["plan"]) = (kernels.json, weights.json, plan.json)
    if !gathered.isEmpty {
      members["gathered"] = .array(
        gathered.map { .object(["offset": .integer($0.lowerBound), "size": .integer($0.count)]) }
      )
    }
    return members
  }

  fileprivate init(_ object: JSONObject) throws(Diagnostic) {
    let weights = try Manifest.File(try object.object("weights"))
    self.init(
      wiring: try SegmentWiring(object),
      kernels: try Manifest.File(try object.object("kernels")),
      weights: weights,
      gathered: object.has("gathered") ? try Manifest.Segment.gathered(object, within: weights.size) : [],
      plan: try Manifest.File(try object.object("plan"))
    )
  }

  private static func gathered(_ object: JSONObject, within size: Int) throws(Diagnostic) -> [Range<Int>] {
    var end = 0
    return try object.objects("gathered", atMost: PackageLimits.ports) { (item) throws(Diagnostic) in
      let (offset, count) = (try item.size("offset"), try item.size("size"))
      guard offset >= end, offset <= size, count <= size - offset else {
        throw JSONObject.malformed(object.at("gathered"), "are not parts of the weights in their order")
      }
      end = offset + count
      return offset..<end
    }
  }
}

extension Manifest.Code {
  fileprivate var json: JSON {
    var members: [String: JSON] = [
      "function": .string(function),
      "segments": .array(segments.map { .object($0.members) }),
    ]
    if !values.isEmpty { members["values"] = Manifest.Code.json(values) }
    return .object(members)
  }

  static func json(_ values: [TensorType]) -> JSON { .array(values.map { .object($0.members) }) }

  fileprivate init(_ object: JSONObject) throws(Diagnostic) {
    function = try object.string("function")
    values =
      object.has("values")
      ? try object.objects("values", atMost: PackageLimits.ports) { (item) throws(Diagnostic) in
        try TensorType.read(item)
      } : []
    segments = try object.objects("segments", atMost: PackageLimits.ports) { (item) throws(Diagnostic) in
      try Manifest.Segment(item)
    }
    guard !segments.isEmpty else { throw JSONObject.malformed(object.at("segments"), "is empty") }
  }
}
