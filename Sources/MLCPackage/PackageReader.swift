import MLCCore

/// A compiled package, opened: manifest and interface read and checked, the other files known to be there and as long
/// as the manifest says. Weights are not touched.
///
/// Whatever it hands out of a file has the digest that the manifest gives it.
package struct PackageReader: Sendable {
  package let path: String
  package let manifest: Manifest
  package let functions: [FunctionInterface]
  private let folder: PackageFolder
  private let memory: DigestMemory?

  /// With a memory, long files that it knows are not read again for their digests.
  ///
  /// Throws `package.missing-file`, `package.not-a-file`, `package.size`, `package.digest`, `package.json`,
  /// `package.format`, `package.version` or `package.field`, located at the package.
  package init(path: String, memory: DigestMemory? = nil) throws(Diagnostic) {
    (self.path, self.memory) = (path, memory)
    (folder, manifest, functions) = try locating(.init(file: path)) { () throws(Diagnostic) in
      let folder = try PackageFolder(path)
      let manifest = try PackageReader.manifest(folder)
      for file in manifest.files { try PackageReader.check(try folder.size(file.path), of: file) }
      let functions = try PackageReader.functions(manifest, folder)
      return (folder, manifest, functions)
    }
  }

  /// The manifest alone.
  package static func manifest(at path: String) throws(Diagnostic) -> Manifest {
    try locating(.init(file: path)) { () throws(Diagnostic) in try manifest(try PackageFolder(path)) }
  }

  /// The file, known to be what the manifest vouches for. Throws `package.digest` when it has other bytes, and as
  /// `init` does for one that is gone, changed its length or became something else.
  package func open(_ file: Manifest.File) throws(Diagnostic) -> PackageFile {
    try locating(.init(file: path)) { () throws(Diagnostic) in
      try PackageReader.checked(try PackageReader.open(file, in: folder), file, memory)
    }
  }

  /// What is wrong with each file that the manifest names but those called `known`, all read whole whatever is
  /// remembered.
  package func damages(except known: Set<String> = []) -> [Diagnostic] {
    manifest.files.filter { !known.contains($0.path) }.compactMap { file in
      do throws(Diagnostic) {
        try locating(.init(file: path)) { () throws(Diagnostic) in
          _ = try PackageReader.checked(try PackageReader.open(file, in: folder), file, nil)
        }
        return nil
      } catch { return error }
    }
  }

  /// Throws the first of `damages`.
  package func verifyDigests(except known: Set<String> = []) throws(Diagnostic) {
    if let damage = damages(except: known).first { throw damage }
  }

  /// Throws `package.expected-digest` unless the package's digest is `digest`.
  package func require(digest: String) throws(Diagnostic) { try manifest.require(digest: digest, at: path) }

  /// Files in the package's folder that the manifest does not name; nothing reads them.
  package var unlisted: [String] {
    let listed = Set(manifest.files.map { $0.path } + ["manifest.json"])
    return folder.names(atMost: PackageLimits.entries).filter { !listed.contains($0) }
  }

  package func plan(_ segment: Manifest.Segment) throws(Diagnostic) -> KernelPlan {
    let file = try open(segment.plan)
    return try locating(.init(file: path)) { () throws(Diagnostic) in
      try KernelPlan(try JSONObject(try PackageReader.json(file), file.name))
    }
  }

  /// What the source model is made of; `unsupported` when the package does not say.
  package func structure() throws(Diagnostic) -> ModelStructure {
    guard let entry = manifest.structure else { return .unsupported }
    let file = try open(entry)
    return try locating(.init(file: path)) { () throws(Diagnostic) in
      try ModelStructure(file: try JSONObject(try PackageReader.json(file), file.name))
    }
  }

  /// The program's text form; `nil` when the package carries none.
  package func program() throws(Diagnostic) -> String? {
    guard let file = manifest.program else { return nil }
    let mapped = try open(file).mapped
    guard let text = withExtendedLifetime(mapped, { String(validating: mapped.bytes, as: UTF8.self) }) else {
      throw Diagnostic("package.field", "\(file.path) is not UTF-8", at: .init(file: path))
    }
    return text
  }

  /// How the model learns; `nil` when it does not.
  package func learning() throws(Diagnostic) -> Learning? {
    guard let entry = manifest.learning else { return nil }
    let file = try open(entry)
    return try locating(.init(file: path)) { () throws(Diagnostic) in
      try Learning(try JSONObject(try PackageReader.json(file), file.name))
    }
  }

  /// What the model has learnt so far, by name. Throws `package.field` for what is not inside of the file.
  package func parameters() throws(Diagnostic) -> [(name: String, tensor: Tensor)] {
    guard let parameters = manifest.parameters else { return [] }
    let storage = try open(parameters.file).mapped.storage
    return try locating(.init(file: path)) { () throws(Diagnostic) in
      try PlacedParameters.read(parameters, storage)
    }
  }

  /// The tensors that the program's text leaves out, views into the mapped file. Throws `package.field` for one that is
  /// not inside of it.
  package func constants() throws(Diagnostic) -> [Tensor] {
    guard let constants = manifest.constants else { return [] }
    let storage = try open(constants.file).mapped.storage
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
}

// MARK: Files

extension PackageReader {
  private static func manifest(_ folder: PackageFolder) throws(Diagnostic) -> Manifest {
    try Manifest(try json(try folder.open("manifest.json")))
  }

  private static func functions(
    _ manifest: Manifest,
    _ folder: PackageFolder
  ) throws(Diagnostic) -> [FunctionInterface] {
    let file = try checked(try open(manifest.interface, in: folder), manifest.interface, nil)
    let object = try JSONObject(try json(file), file.name)
    let functions = try object.objects("functions", atMost: PackageLimits.functions) { (item) throws(Diagnostic) in
      try FunctionInterface(item)
    }
    guard functions.map({ $0.name }) == manifest.functions else {
      throw JSONObject.malformed(file.name, "describes other functions than manifest.json names")
    }
    for target in manifest.targets {
      for (function, code) in zip(functions, target.code) {
        guard let problem = code.inconsistency(function, devices: target.devices.count) else { continue }
        throw JSONObject.malformed("manifest.json: targets", "are inconsistent: in '\(function.name)' \(problem)")
      }
    }
    return functions
  }

  private static func open(_ file: Manifest.File, in folder: PackageFolder) throws(Diagnostic) -> PackageFile {
    let opened = try folder.open(file.path)
    try check(opened.mapped.bytes.count, of: file)
    return opened
  }

  private static func check(_ size: Int, of file: Manifest.File) throws(Diagnostic) {
    guard size == file.size else {
      throw Diagnostic("package.size", "'\(file.path)' has \(size) bytes, the manifest says \(file.size)")
    }
  }

  /// `opened` when it has the digest that the manifest gives it, as `memory` knows or its bytes say.
  private static func checked(
    _ opened: PackageFile,
    _ file: Manifest.File,
    _ memory: DigestMemory?
  ) throws(Diagnostic) -> PackageFile {
    let expected = file.digest.digestBytes
    if let expected, memory?.digest(of: opened.identity) == expected { return opened }
    let digest = opened.digest
    guard digest == expected else {
      throw Diagnostic("package.digest", "'\(file.path)' is damaged: its SHA-256 is not the manifest's")
    }
    if opened.isUnchanged { memory?.remember(opened.identity, digest) }
    return opened
  }

  private static func json(_ file: PackageFile) throws(Diagnostic) -> JSON {
    defer { withExtendedLifetime(file) {} }
    let bytes = file.mapped.bytes
    guard bytes.count <= PackageLimits.jsonBytes else {
      throw Diagnostic("package.json", "\(file.name) has \(bytes.count) bytes, more than JSON of a package may have")
    }
    do { return try JSON(parsing: bytes) } catch {
      throw Diagnostic("package.json", "\(file.name) is not readable as JSON: \(error.message)")
    }
  }
}

extension Manifest {
  /// Throws `package.expected-digest` unless the digest is `wanted`, in letters of either case.
  package func require(digest wanted: String, at path: String) throws(Diagnostic) {
    guard wanted.lowercased() != digest else { return }
    throw Diagnostic(
      "package.expected-digest",
      "the package is another one than was asked for: its digest is \(digest)",
      at: .init(file: path),
      notes: ["expected \(wanted)"]
    )
  }
}
