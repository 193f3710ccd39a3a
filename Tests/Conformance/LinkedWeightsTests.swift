import CoreMLProto
import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCFormatCoreML
import MLCGraph
import MLCKernels
import MLCOps
import MLCRuntime
import MLCTargetC
import SwiftProtobuf
import TestSupport
import Testing

/// A pipeline that links to one model twice.
@Suite struct LinkedWeightsTests {
  private let extent = 96

  /// `y = x · W`, in a file of its own.
  private func writeProduct(to path: String) throws -> Tensor {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [1, Dim(extent)]))
    let numbers = (0..<extent * extent).map { sin(Float($0)) / 8 }
    let weights = Tensor([extent, extent], floats: numbers)
    let y = try builder(MatMul(), x, builder.constant(weights, name: "weights"), name: "y")
    _ = try CoreMLPackage.write(Program([builder.finish([("y", y)])]), to: path)
    return weights
  }

  /// `y = x · W · W` of links: the compiled package has W once.
  @Test func areStoredOnce() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-linked-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let weights = try writeProduct(to: folder.appending(path: "product.mlpackage").path())
    let target = try CoreML_Specification_Model(
      serializedBytes: try Data(
        contentsOf: folder.appending(path: "product.mlpackage/Data/com.apple.CoreML/model.mlmodel")
      )
    )
    var (link, back, chain) = (
      CoreML_Specification_Model(), CoreML_Specification_Model(), CoreML_Specification_Model()
    )
    link.linkedModel.linkedModelFile.linkedModelFileName.defaultValue = "product.mlmodelc"
    (link.description_p.input, link.description_p.output) = (target.description_p.input, target.description_p.output)
    back.identity = .init()
    (back.description_p.input, back.description_p.output) = (target.description_p.output, target.description_p.input)
    (chain.specificationVersion, chain.description_p) = (target.specificationVersion, link.description_p)
    chain.pipeline.models = [link, back, link]
    let path = folder.appending(path: "chain.mlmodel")
    try chain.serializedData().write(to: path)

    let function = try CoreMLPackage.read(path.path()).main
    let compiled = folder.appending(path: "chain.mlmodelc")
    var options = CompileOptions()
    options.targets = DeviceSet.here.suffix(1).map { $0.name }
    _ = try Compiler(options, targets: [CTarget.self]).compile(Program([function]), to: compiled.path())
    let files = try FileManager.default.subpathsOfDirectory(atPath: compiled.path())
    let stored = try files.filter { $0.hasPrefix("blobs/") }.map { file in
      try FileManager.default.attributesOfItem(atPath: compiled.appending(path: file).path())[.size] as? Int ?? 0
    }
    let bytes = weights.count * 4
    #expect((bytes..<2 * bytes).contains(stored.reduce(0, +)), "\(stored) bytes of weights")

    let x = Tensor([1, extent], floats: (0..<extent).map { cos(Float($0)) })
    let result = try Model.load(path: compiled.path(), drivers: [try CPUDriver(threads: 1)]).predict([x])[0]
    let reference = try Interpreter(function).run([x])[0]
    #expect(disagreement(result, reference, rtol: 1e-4, atol: 1e-5) == nil)
  }
}
