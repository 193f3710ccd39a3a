import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGraph
import MLCKernels
import MLCRuntime
import MLCTargetC
import TestSupport

/// Plays cases as generated code of one device and compares with what the interpreter says.
///
/// Many cases become one function, so that the C compiler starts seldom; when such a module fails, its halves are played
/// on their own until the case at fault stands alone.
struct CompiledExecutor {
  let device: DeviceDescription
  private let target: CTarget
  private let driver: CPUDriver

  init(_ device: DeviceDescription) throws(Diagnostic) {
    self.device = device
    target = try CTarget(device)
    driver = try CPUDriver(threads: 2)
  }

  /// Why the cases among `items` fail that do: `label: reason`.
  func failures(_ items: [PlayedCase], modules size: Int = 100) -> [String] {
    var failures: [String] = []
    var sound: [PlayedCase] = []
    for item in items {
      do throws(Diagnostic) {
        try checkEmission(item)
        sound.append(item)
      } catch {
        failures.append("\(item.label): \(error)")
      }
    }
    for start in stride(from: 0, to: sound.count, by: size) {
      failures += play(Array(sound[start..<min(start + size, sound.count)]))
    }
    return failures
  }

  /// Throws when an operator has no lowering or a kernel cannot be emitted.
  private func checkEmission(_ item: PlayedCase) throws(Diagnostic) {
    var program = try KernelProgram.optimized(try item.function(), for: target, verifyingEach: true)
    try program.resolveCompressed(for: target)
    var problem: Diagnostic?
    KernelProgram.forEachKernel(program.steps) { kernel in
      if problem == nil { problem = target.acceptance(of: kernel, in: program).obstacle }
    }
    if let problem { throw problem }
  }

  private func play(_ items: [PlayedCase]) -> [String] {
    do throws(Diagnostic) {
      return try playTogether(items)
    } catch {
      if items.count == 1 { return ["\(items[0].label): \(error)"] }
      let middle = items.count / 2
      return play(Array(items[..<middle])) + play(Array(items[middle...]))
    }
  }

  /// What generated code makes of `function`, for each list of arguments. Throws when the module cannot be made or a
  /// run fails.
  func run(_ function: Function, _ runs: [[Tensor]]) throws(Diagnostic) -> [[Tensor]] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-suite-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
      throw Diagnostic("test.folder", "cannot create '\(folder.path())'", kind: .environment)
    }
    let path = folder.appending(path: "suite.mlmodelc").path()
    var options = CompileOptions()
    options.targets = [device.name]
    options.keepSources = ProcessInfo.processInfo.environment["MLC_KEEP"]
    _ = try Compiler(options).compile(Program([function]), to: path)
    let model = try Model.load(path: path, drivers: [driver])
    var results: [[Tensor]] = []
    for arguments in runs { results.append(try model.predict(arguments)) }
    return results
  }

  /// Throws when the module fails as a whole: then nothing is known of the single case.
  private func playTogether(_ items: [PlayedCase]) throws(Diagnostic) -> [String] {
    let batch = try CaseBatch(items)
    let results = try run(batch.function, batch.runs)
    return results.enumerated().flatMap { batch.problems(items, run: $0.offset, $0.element) }
  }
}
