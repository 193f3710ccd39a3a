import Foundation
import MLCCore
import MLCKernels

/// The C compiler that turns generated code into a shared object.
package struct CCompiler: Sendable {
  package let path: String
  /// What each of its runs may take.
  package var limits = ChildLimits.compiler

  package init(path: String, limits: ChildLimits = .compiler) { (self.path, self.limits) = (path, limits) }

  /// `wanted`, else `MLC_CC` unless it is empty, else clang on PATH or beside `swift`, else cc. Throws
  /// `compiler.missing`.
  package static func find(
    _ wanted: String? = nil,
    limits: ChildLimits = .compiler
  ) throws(Diagnostic) -> CCompiler {
    CCompiler(path: try program(wanted), limits: limits)
  }

  private static func program(_ wanted: String?) throws(Diagnostic) -> String {
    let environment = ProcessInfo.processInfo.environment
    if let named = wanted ?? environment["MLC_CC"], !named.isEmpty {
      guard let found = locate(named, environment) else {
        let advice = "let MLC_CC name one, or leave it unset and install clang with: sudo apt-get install clang lld"
        throw Diagnostic("compiler.missing", "there is no C compiler '\(named)'; \(advice)", kind: .environment)
      }
      return found
    }
    if let clang = locate("clang", environment) { return clang }
    if let swift = locate("swift", environment) {
      let beside = URL(filePath: swift).resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "clang")
      if FileManager.default.isExecutableFile(atPath: beside.path()) { return beside.path() }
    }
    if let cc = locate("cc", environment) { return cc }
    throw Diagnostic(
      "compiler.missing",
      "no C compiler was found; install one with: sudo apt-get install clang lld",
      kind: .environment
    )
  }

  private static func locate(_ name: String, _ environment: [String: String]) -> String? {
    if name.contains("/") { return isProgram(name) ? name : nil }
    for folder in (environment["PATH"] ?? "").split(separator: ":") {
      let path = "\(folder)/\(name)"
      if isProgram(path) { return path }
    }
    return nil
  }

  /// Folders may be entered, which the system calls executable too.
  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let files = FileManager.default
    return files.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && files.isExecutableFile(atPath: path)
  }

  /// Compiles `files` in `folder` for `device` and links them to `folder/kernels.so`. Equal text gives equal bytes.
  /// Throws `compiler.failed` with the compiler's first messages, `compiler.unusable` when it builds nothing at all,
  /// `compiler.limit` when it is stopped at a limit or something runs out, `process.start`, `file.write`.
  package func build(_ files: [SourceFile], for device: DeviceDescription, in folder: String) throws(Diagnostic)
    -> String
  {
    for file in files { try OpenFile.write(file.text, to: "\(folder)/\(file.name)") }
    if let failure = try build(files.map { $0.name }, for: device, to: "kernels.so", in: folder) {
      throw try unusable(for: device, in: folder) ?? failure
    }
    return "\(folder)/kernels.so"
  }

  /// Compiles the sources called `names` and links them to `library`; the problem, if the compiler has one with them.
  private func build(
    _ names: [String],
    for device: DeviceDescription,
    to library: String,
    in folder: String
  ) throws(Diagnostic) -> Diagnostic? {
    let sources = names.map { program(path, flags(device) + ["-c", $0, "-o", "\($0).o"], in: folder) }
    let width = ProcessInfo.processInfo.activeProcessorCount
    for end in try ChildProgram.run(sources, atOnce: width) {
      if let failure = try failure(end) { return failure }
    }
    let link = link(names.map { "\($0).o" }, for: device, to: library, in: folder)
    if let failure = try failure(try link.run()) { return failure }
    if SharedObject.isThere("\(folder)/\(library)") { return nil }
    return failed("succeeded and left no shared object", [])
  }

  /// Throws `compiler.unusable` when it builds nothing for `device`, and what `build` throws of limits.
  package func check(_ device: DeviceDescription, beside path: String) throws(Diagnostic) {
    let folder = try Temporary(beside: path)
    defer { withExtendedLifetime(folder) {} }
    if let obstacle = try unusable(for: device, in: folder.path) { throw obstacle }
  }

  /// What keeps the compiler from building the smallest library for `device`, of what stands before all kernels: then
  /// its failure is not mlc's.
  private func unusable(for device: DeviceDescription, in folder: String) throws(Diagnostic) -> Diagnostic? {
    try OpenFile.write(Prelude.text(for: device) + CCompiler.probe, to: "\(folder)/probe.c")
    guard let failure = try build(["probe.c"], for: device, to: "probe.so", in: folder) else { return nil }
    return Diagnostic(
      "compiler.unusable",
      "'\(path)' builds not even an empty library for \(device.name); name another compiler with MLC_CC, clang 14 or "
        + "later or gcc 12 or later, or install one with: sudo apt-get install clang lld",
      kind: .environment,
      notes: failure.notes.isEmpty ? [failure.message] : failure.notes
    )
  }

  /// A library of one function, which takes both forms of float16.
  private static let probe = """
    const mlc_math *mlc_imports;
    void probe(uint16_t *h, float *f) { *h = mlc_f16_f32(mlc_f32_f16(*h)); ST(f, mlc_round_v(mlc_v_f16(*(VHU *)h))); }

    """

  package var isClang: Bool { path.hasSuffix("clang") || path.contains("clang-") }
  /// LLVM's linker beside clang. It links for every processor, in half the time when clang does not start it.
  private var lld: String? {
    guard isClang else { return nil }
    let linker = URL(filePath: path).resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "ld.lld")
    return FileManager.default.isExecutableFile(atPath: linker.path()) ? linker.path() : nil
  }

  private func link(
    _ objects: [String],
    for device: DeviceDescription,
    to library: String,
    in folder: String
  ) -> ChildProgram {
    let options = ["--build-id=none", "-s", "-z", "noexecstack"]
    if let lld { return program(lld, ["-shared", "-o", library] + objects + ["--eh-frame-hdr"] + options, in: folder) }
    let passed = options.flatMap { ["-Xlinker", $0] }
    return program(path, ["-shared", "-o", library] + target(device) + objects + ["-nostdlib"] + passed, in: folder)
  }

  private func target(_ device: DeviceDescription) -> [String] {
    device.compilerFlags.filter { isClang && $0.hasPrefix("--target=") }
  }

  /// What generated code relies on, whatever it is built for. It needs no header and no library of the system.
  package static let dialect = [
    "-std=gnu11", "-ffreestanding", "-fPIC", "-fvisibility=hidden", "-fwrapv", "-ffp-contract=fast", "-fno-math-errno",
    "-fno-trapping-math", "-fno-stack-protector", "-w",
  ]

  private func flags(_ device: DeviceDescription) -> [String] {
    CCompiler.dialect + ["-O2", "-fno-ident"] + device.compilerFlags.filter { isClang || !$0.hasPrefix("--target=") }
  }
}

// MARK: Runs

extension CCompiler {
  /// A run of `path` in `folder`, which is all it has of this process's surroundings but for the programs on `PATH`.
  private func program(_ path: String, _ arguments: [String], in folder: String) -> ChildProgram {
    let path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    let home = folder.hasPrefix("/") ? folder : FileManager.default.currentDirectoryPath + "/" + folder
    var environment = ChildProgram.environment(keeping: ["PATH"])
    (environment["HOME"], environment["TMPDIR"]) = (home, home)
    var program = ChildProgram(path, arguments, environment: environment, limits: limits)
    program.folder = folder
    return program
  }

  /// What is wrong with the code that was compiled, or with the compiler; `nil` when it succeeded. Throws
  /// `compiler.limit`.
  private func failure(_ end: ChildProgram.End) throws(Diagnostic) -> Diagnostic? {
    let notes = end.messages.split(separator: "\n").prefix(12).map(String.init)
    switch end.kind {
    case .exited(0): return nil
    case .tooLong: throw limit("ran longer than \(limits.wallSeconds ?? 0) s", notes)
    case .signalled(SIGXCPU): throw limit("took more than \(limits.cpuSeconds ?? 0) s of the processor", notes)
    case .lost, .signalled(SIGKILL): throw limit("was killed", notes)
    case .signalled(SIGXFSZ): throw limit("wrote a file of more than \(limits.fileBytes ?? 0) bytes", notes)
    default: break
    }
    if let shortage = CCompiler.shortages.first(where: { end.messages.contains($0) }) {
      throw limit("had too little of something (\(shortage))", notes)
    }
    return failed("failed on generated code with status \(end.status)", notes)
  }

  /// How the C library and LLVM say that something ran out.
  private static let shortages =
    [ENOMEM, ENOSPC, EFBIG, EMFILE, ENFILE, EAGAIN, EDQUOT].map { String(cString: strerror($0)) } + [
      "out of memory", "bad_alloc", "CPU time limit exceeded", "File size limit exceeded",
    ]

  private func limit(_ problem: String, _ notes: [String]) -> Diagnostic {
    Diagnostic("compiler.limit", "'\(path)' \(problem)", kind: .environment, notes: notes)
  }

  private func failed(_ problem: String, _ notes: [String]) -> Diagnostic {
    Diagnostic("compiler.failed", "'\(path)' \(problem)", kind: .bug, notes: notes)
  }
}
