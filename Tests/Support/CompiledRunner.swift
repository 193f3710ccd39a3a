import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGraph
import MLCKernels
import MLCRuntime
import MLCTargetC

/// Functions as packages for one device, run by the runtime.
package struct CompiledRunner {
  package let device: DeviceDescription
  package let target: CTarget
  private let driver: CPUDriver
  /// Many functions run side by side, each with memory for tensors of open extents.
  package static let sizeLimit = 1 << 20

  package init(_ device: DeviceDescription) throws(Diagnostic) {
    self.device = device
    target = try CTarget(device)
    driver = try CPUDriver(threads: 2)
  }

  /// What generated code makes of `function`, for each list of arguments. Throws when the module cannot be made or a
  /// run fails.
  package func run(_ function: Function, _ runs: [[Tensor]]) throws(Diagnostic) -> [[Tensor]] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-suite-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
      throw Diagnostic("test.folder", "cannot create '\(folder.path())'", kind: .environment)
    }
    let path = folder.appending(path: "suite.mlmodelc").path()
    var options = CompileOptions()
    options.targets = [device.name]
    options.sizeLimit = CompiledRunner.sizeLimit
    options.keepSources = ProcessInfo.processInfo.environment["MLC_KEEP"]
    _ = try Compiler(options, targets: [CTarget.self]).compile(Program([function]), to: path)
    let model = try Model.load(path: path, drivers: [driver])
    var results: [[Tensor]] = []
    for arguments in runs { results.append(try model.predict(arguments)) }
    return results
  }

  /// Throws when an operator has no lowering or a kernel cannot be emitted.
  package func check(_ function: Function) throws(Diagnostic) {
    var program = try KernelProgram.optimized(function, for: target, verifyingEach: true)
    try program.resolveCompressed(for: target)
    var problem: Diagnostic?
    KernelProgram.forEachKernel(program.steps) { kernel in
      if problem == nil { problem = target.acceptance(of: kernel, in: program).obstacle }
    }
    if let problem { throw problem }
  }

  /// What `play` answers for `items`, `size` at a time. Where it throws, halves are played on their own, until the item
  /// at fault stands alone: `name: reason`.
  package func inParts<Item>(
    _ items: [Item],
    of size: Int,
    name: (Item) -> String,
    _ play: ([Item]) throws(Diagnostic) -> [String]
  ) -> [String] {
    func answers(_ items: ArraySlice<Item>) -> [String] {
      do throws(Diagnostic) { return try play(Array(items)) } catch {
        if items.count == 1 { return ["\(name(items[items.startIndex])): \(error)"] }
        let middle = items.startIndex + items.count / 2
        return answers(items[..<middle]) + answers(items[middle...])
      }
    }
    return stride(from: 0, to: items.count, by: size).flatMap { answers(items[$0..<min($0 + size, items.count)]) }
  }
}
