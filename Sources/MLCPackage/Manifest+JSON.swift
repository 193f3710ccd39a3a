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
    if let program { members["program"] = program.json }
    if let constants { members["constants"] = constants.json }
    if !devices.isEmpty { members["devices"] = .array(devices.map { .object($0.members) }) }
    return .object(members)
  }

  /// Throws `package.format` for another kind of file, `package.version` for an unknown major version and
  /// `package.field` for a field that is missing or wrong.
  init(_ json: JSON) throws(Diagnostic) {
    let object = try JSONObject(json, "manifest.json")
    guard case .string(Manifest.format)? = object.members["format"] else {
      throw Diagnostic("package.format", "manifest.json does not describe a package compiled by mlc")
    }
    try Manifest.check(version: try object.string("version"))
    tool = try object.string("tool")
    source = try object.string("source")
    functions = try object.strings("functions")
    metadata = try object.dictionary("metadata")
    precision = try Manifest.precision(object)
    interface = try File(try object.object("interface"))
    program = object.has("program") ? try File(try object.object("program")) : nil
    constants = object.has("constants") ? try Constants(try object.object("constants")) : nil
    devices =
      object.has("devices") ? try object.objects("devices") { (item) throws(Diagnostic) in try Device(item) } : []
    targets = try object.objects("targets") { (item) throws(Diagnostic) in try Target(item) }
    guard !functions.isEmpty else { throw JSONObject.malformed(object.at("functions"), "is empty") }
    for target in targets where target.code.map({ $0.function }) != functions {
      throw JSONObject.malformed(object.at("targets"), "hold no code for some function on '\(target.device.name)'")
    }
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
    let digest = try object.string("sha256")
    guard digest.utf8.count == 64, digest.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
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
      requires: try object.strings("requires")
    )
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
    members["code"] = .array(
      code.map {
        .object([
          "function": .string($0.function), "kernels": $0.kernels.json, "weights": $0.weights.json,
          "plan": $0.plan.json,
        ])
      }
    )
    return .object(members)
  }

  fileprivate init(_ object: JSONObject) throws(Diagnostic) {
    device = try Manifest.Device(object)
    code = try object.objects("code") { (item) throws(Diagnostic) in
      Manifest.Code(
        function: try item.string("function"),
        kernels: try Manifest.File(try item.object("kernels")),
        weights: try Manifest.File(try item.object("weights")),
        plan: try Manifest.File(try item.object("plan"))
      )
    }
  }
}
