import MLCCore

/// A compiled package, opened: manifest and interface read and checked, the other files known to be there and as long as
/// the manifest says. Weights are not touched.
package struct PackageReader: Sendable {
  package let path: String
  package let manifest: Manifest
  package let functions: [FunctionInterface]

  /// Throws `package.missing-file`, `package.size`, `package.json`, `package.format`, `package.version` or
  /// `package.field`, located at the package.
  package init(path: String) throws(Diagnostic) {
    self.path = path
    manifest = try PackageReader.manifest(at: path)
    functions = try locating(.init(file: path)) { [manifest] () throws(Diagnostic) in
      for file in manifest.files {
        guard let size = FileSystem.sizeOfFile("\(path)/\(file.path)") else { throw PackageReader.missing(file.path) }
        guard size == file.size else {
          throw Diagnostic("package.size", "'\(file.path)' has \(size) bytes, the manifest says \(file.size)")
        }
      }
      let object = try JSONObject(try PackageReader.json(path, manifest.interface.path), manifest.interface.path)
      let functions = try object.objects("functions") { (item) throws(Diagnostic) in try FunctionInterface(item) }
      guard functions.map({ $0.name }) == manifest.functions else {
        throw JSONObject.malformed(manifest.interface.path, "describes other functions than manifest.json names")
      }
      return functions
    }
  }

  /// The manifest alone.
  package static func manifest(at path: String) throws(Diagnostic) -> Manifest {
    try locating(.init(file: path)) { () throws(Diagnostic) in
      guard FileSystem.sizeOfFile("\(path)/manifest.json") != nil else { throw missing("manifest.json") }
      return try Manifest(try json(path, "manifest.json"))
    }
  }

  /// The whole file, mapped.
  package func map(_ file: Manifest.File) throws(Diagnostic) -> MappedFile {
    let mapped = try MappedFile(path: "\(path)/\(file.path)")
    guard mapped.bytes.count == file.size else {
      throw Diagnostic("package.size", "'\(file.path)' changed its size", at: .init(file: path))
    }
    return mapped
  }

  /// Throws `package.digest` when the file does not have the bytes that the manifest vouches for.
  package func verifyDigest(_ file: Manifest.File) throws(Diagnostic) {
    let mapped = try map(file)
    guard withExtendedLifetime(mapped, { SHA256.hexDigest(mapped.bytes) }) == file.digest else {
      throw Diagnostic(
        "package.digest",
        "'\(file.path)' is damaged: its SHA-256 is not the manifest's",
        at: .init(file: path)
      )
    }
  }

  /// Reads every file; throws `package.digest` for the first that is damaged.
  package func verifyDigests() throws(Diagnostic) {
    for file in manifest.files { try verifyDigest(file) }
  }

  package func plan(_ code: Manifest.Code) throws(Diagnostic) -> KernelPlan {
    try locating(.init(file: path)) { () throws(Diagnostic) in
      try KernelPlan(try JSONObject(try PackageReader.json(path, code.plan.path), code.plan.path))
    }
  }

  /// The program's text form; `nil` when the package carries none.
  package func program() throws(Diagnostic) -> String? {
    guard let file = manifest.program else { return nil }
    let mapped = try map(file)
    guard let text = withExtendedLifetime(mapped, { String(validating: mapped.bytes, as: UTF8.self) }) else {
      throw Diagnostic("package.field", "\(file.path) is not UTF-8", at: .init(file: path))
    }
    return text
  }

  /// The tensors that the program's text leaves out, views into the mapped file. Throws `package.field` for one that is not
  /// inside of it.
  package func constants() throws(Diagnostic) -> [Tensor] {
    guard let constants = manifest.constants else { return [] }
    let storage = try map(constants.file).storage
    var tensors: [Tensor] = []
    for (index, entry) in constants.tensors.enumerated() {
      guard let count = entry.shape.checkedProduct, let bytes = entry.dtype.byteCount(count),
        entry.offset <= storage.bytes.count, bytes <= storage.bytes.count - entry.offset,
        let tensor = Tensor(
          entry.dtype,
          entry.shape,
          storage: storage,
          range: entry.offset..<entry.offset + bytes
        )
      else {
        throw Diagnostic(
          "package.field",
          "constant \(index) of the program does not fit into '\(constants.file.path)'",
          at: .init(file: path)
        )
      }
      tensors.append(tensor)
    }
    return tensors
  }

  private static func missing(_ file: String) -> Diagnostic {
    Diagnostic("package.missing-file", "the package has no '\(file)'")
  }

  private static func json(_ path: String, _ file: String) throws(Diagnostic) -> JSON {
    let mapped = try MappedFile(path: "\(path)/\(file)")
    defer { withExtendedLifetime(mapped) {} }
    do { return try JSON(parsing: mapped.bytes) } catch {
      throw Diagnostic("package.json", "\(file) is not readable as JSON: \(error.message)")
    }
  }
}
