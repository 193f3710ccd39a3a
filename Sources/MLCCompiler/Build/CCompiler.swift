import Foundation
import MLCCore
import MLCKernels
import MLCTargetC

/// The C compiler that turns generated code into a shared object.
package struct CCompiler: Sendable {
  package let path: String

  /// `wanted`, else `MLC_CC` unless it is empty, else clang on PATH or beside `swift`, else cc. Throws `compiler.missing`.
  package static func find(_ wanted: String? = nil) throws(Diagnostic) -> CCompiler {
    let environment = ProcessInfo.processInfo.environment
    if let named = wanted ?? environment["MLC_CC"], !named.isEmpty {
      guard let found = locate(named, environment) else {
        let advice = "let MLC_CC name one, or leave it unset and install clang with: sudo apt-get install clang lld"
        throw Diagnostic("compiler.missing", "there is no C compiler '\(named)'; \(advice)", kind: .environment)
      }
      return CCompiler(path: found)
    }
    if let clang = locate("clang", environment) { return CCompiler(path: clang) }
    if let swift = locate("swift", environment) {
      let beside = URL(filePath: swift).resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "clang")
      if FileManager.default.isExecutableFile(atPath: beside.path()) { return CCompiler(path: beside.path()) }
    }
    if let cc = locate("cc", environment) { return CCompiler(path: cc) }
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
  /// Throws `compiler.failed` with the compiler's first messages, `compiler.unusable` when it builds nothing at all.
  package func build(_ files: [CModule.File], for device: DeviceDescription, in folder: String) throws(Diagnostic)
    -> String
  {
    for file in files {
      do { try file.text.write(toFile: "\(folder)/\(file.name)", atomically: false, encoding: .utf8) } catch {
        throw Diagnostic("file.write", "cannot write '\(folder)/\(file.name)': \(error)", kind: .environment)
      }
    }
    if let failure = build(files.map { $0.name }, for: device, to: "kernels.so", in: folder) {
      throw unusable(for: device, in: folder) ?? failure
    }
    return "\(folder)/kernels.so"
  }

  /// Compiles the sources called `names` and links them to `library`; the problem, if there is one.
  private func build(_ names: [String], for device: DeviceDescription, to library: String, in folder: String)
    -> Diagnostic?
  {
    let failures = ConcurrentResults(names.count)
    DispatchQueue.concurrentPerform(iterations: names.count) { index in
      let arguments = flags(device) + ["-c", names[index], "-o", "\(names[index]).o"]
      failures.set(index, run(arguments, in: folder))
    }
    for case let failure? in failures.values { return failure }
    let link = ["-shared", "-o", library] + target(device) + names.map { "\($0).o" } + linker + ["-lm"]
    return run(link, in: folder)
  }

  /// What keeps the compiler from building the smallest library for `device`: then its failure is not mlc's.
  private func unusable(for device: DeviceDescription, in folder: String) -> Diagnostic? {
    let text = "#include <math.h>\n#include <stdint.h>\nint32_t probe(double x) { return (int32_t)sin(x); }\n"
    guard (try? text.write(toFile: "\(folder)/probe.c", atomically: false, encoding: .utf8)) != nil,
      let failure = build(["probe.c"], for: device, to: "probe.so", in: folder)
    else { return nil }
    return Diagnostic(
      "compiler.unusable",
      "'\(path)' builds not even an empty library for \(device.name); name another compiler with MLC_CC, or install one with: "
        + "sudo apt-get install clang lld libc6-dev",
      kind: .environment,
      notes: failure.notes
    )
  }

  private var isClang: Bool { path.hasSuffix("clang") || path.contains("clang-") }
  private var linker: [String] {
    ["-Wl,--build-id=none", "-Wl,-s", "-Wl,-z,noexecstack"] + (isClang && hasLLD ? ["-fuse-ld=lld"] : [])
  }
  private var hasLLD: Bool {
    let folder = URL(filePath: path).resolvingSymlinksInPath().deletingLastPathComponent()
    return FileManager.default.isExecutableFile(atPath: folder.appending(path: "ld.lld").path())
  }

  private func target(_ device: DeviceDescription) -> [String] {
    device.compilerFlags.filter { isClang && $0.hasPrefix("--target=") }
  }

  private func flags(_ device: DeviceDescription) -> [String] {
    let common = [
      "-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-fwrapv", "-ffp-contract=fast", "-fno-math-errno",
      "-fno-trapping-math", "-fno-ident", "-w",
    ]
    return common + device.compilerFlags.filter { isClang || !$0.hasPrefix("--target=") }
  }

  /// Runs the compiler in `folder`; the problem, if there is one.
  private func run(_ arguments: [String], in folder: String) -> Diagnostic? {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let messages = Pipe()
    process.standardError = messages
    do { try process.run() } catch {
      return Diagnostic("compiler.failed", "cannot run '\(path)': \(error.localizedDescription)", kind: .environment)
    }
    let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationStatus == 0 { return nil }
    return Diagnostic(
      "compiler.failed",
      "'\(path)' failed on generated code with status \(process.terminationStatus)",
      kind: .bug,
      notes: text.split(separator: "\n").prefix(12).map(String.init)
    )
  }
}

/// One result an index, set from many threads.
///
/// `@unchecked Sendable`: every access holds the lock.
private final class ConcurrentResults: @unchecked Sendable {  // every access holds the lock
  private let lock = NSLock()
  private var results: [Diagnostic?]
  init(_ count: Int) { results = Array(repeating: nil, count: count) }
  func set(_ index: Int, _ value: Diagnostic?) { lock.withLock { results[index] = value } }
  var values: [Diagnostic?] { lock.withLock { results } }
}
