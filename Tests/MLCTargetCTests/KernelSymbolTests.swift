import Foundation
import MLCCore
import MLCKernels
import MLCTargetC
import Testing

/// What kernels are called in a module, and who sees them.
@Suite struct KernelSymbolTests {
  /// For programs without constants.
  private struct NoWeights: WeightSink {
    let byteCount = 0
    mutating func append(_ tensor: Tensor) -> Int { byteCount }
  }

  /// One kernel a factor, which multiplies five elements by it.
  private func module(_ factors: [Double]) throws -> CModule {
    var program = KernelProgram()
    let x = program.add(KernelTensor("x", .float32, [5], .input(0)))
    let y = program.add(KernelTensor("y", .float32, [5], .output(0)))
    program.steps = factors.map { factor in
      let product = LoopNestTests.load(0, 0) * LoopNestTests.f(factor)
      let nest = LoopNest([Axis(0, 5)], [.store(param: 1, index: [.axis(0)], axes: [], value: product)])
      return .kernel(Kernel("scale", [.init(x, .read), .init(y, .write)], .loopNest(nest), origins: []))
    }
    let device = try #require(CompileAndRun.devices.first)
    var builder = CModuleBuilder(program, target: try CTarget(device))
    var weights = NoWeights()
    return try builder.build(weights: &weights, files: 1)
  }

  @Test func equalCodeIsShared() throws {
    let names = try module([2, 3, 2]).steps.map { $0.kernel }
    #expect(names == [names[0], "\(names[0])__2", names[0]])
  }

  @Test func kernelsAreHidden() throws {
    let module = try module([2, 3])
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-test-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = try module.build(identity: [UInt8](repeating: 0, count: 32), in: folder, limits: .compiler)
    let library = try #require(dlopen(file, RTLD_NOW | RTLD_LOCAL))
    defer { dlclose(library) }
    #expect(dlsym(library, "mlc_module_v5") != nil)
    for step in module.steps { #expect(dlsym(library, step.kernel) == nil) }
  }
}
