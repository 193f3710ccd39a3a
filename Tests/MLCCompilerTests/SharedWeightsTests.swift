import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGraph
import MLCKernels
import MLCOps
import MLCRuntime
import MLCTargetC
import TestSupport
import Testing

/// Targets of one package share their weights.
@Suite struct SharedWeightsTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-shared-\(UUID().uuidString)")
  private let devices = DeviceSet.here

  private func seeded(_ shape: [Int], _ seed: Int) -> Tensor {
    Tensor(shape, floats: (0..<shape.reduce(1, *)).map { Float(($0 * 7919 + seed * 104_729) % 2003) / 8012 - 0.125 })
  }

  /// A first layer, a strided one, a depthwise one, groups, one tap: channels that fill no block of vectors.
  private func network() throws -> Function {
    var builder = Builder()
    var value = builder.input("x", TensorType(.float32, [1, 3, 24, 24]))
    func conv(_ filters: Int, _ channels: Int, _ window: Int, stride: Int = 1, groups: Int = 1) throws {
      var op = Conv()
      (op.padType, op.strides, op.groups) = ("same", [stride, stride], groups)
      let weight = builder.constant(seeded([filters, channels / groups, window, window], filters + window))
      let bias = builder.constant(seeded([filters], filters))
      value = try builder.append(op, [[value], [weight], [bias]])[0]
      value = try builder.append(Relu(), [[value]])[0]
    }
    try conv(40, 3, 3, stride: 2)
    try conv(52, 40, 3)
    try conv(52, 52, 3, groups: 52)
    try conv(128, 52, 1)
    try conv(128, 128, 3, groups: 2)
    return builder.finish([("y", value)])
  }

  private func perceptron() throws -> Function {
    var builder = Builder()
    var value = builder.input("x", TensorType(.float32, [9, 75]))
    for (inputs, outputs) in [(75, 210), (210, 203), (203, 21)] {
      let weight = builder.constant(seeded([outputs, inputs], outputs))
      value = try builder.append(Linear(), [[value], [weight]])[0]
    }
    return builder.finish([("y", value)])
  }

  /// The package of `function` for `names`, and the bytes of its files of weights.
  private func compile(_ function: Function, _ names: [String]) throws -> (path: String, weights: [Int]) {
    let path = folder.appending(path: "\(names.joined(separator: "+"))-\(UUID().uuidString).mlmodelc").path()
    var options = CompileOptions()
    options.targets = names
    let report = try Compiler(options, targets: [CTarget.self]).compile(Program([function]), to: path)
    let blobs = try FileManager.default.contentsOfDirectory(atPath: "\(path)/blobs")
    let sizes = try blobs.map { name in
      try FileManager.default.attributesOfItem(atPath: "\(path)/blobs/\(name)")[.size] as? Int ?? 0
    }
    let code = report.targets.map(\.codeBytes).reduce(0, +)
    #expect(report.targets.map(\.addedBytes).reduce(0, +) == code + sizes.reduce(0, +))
    return (path, sizes)
  }

  /// A file of about the size that the widest device alone needs; every target gives the reference's numbers.
  @Test func oneFileServesAllTargets() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = devices.map(\.name)
    for function in try [network(), perceptron()] {
      let (fat, alone) = (try compile(function, names), try compile(function, [try #require(names.last)]))
      #expect(fat.weights.count == 1 && alone.weights.count == 1)
      #expect(Double(fat.weights[0]) < 1.05 * Double(alone.weights[0]), "\(fat.weights) \(alone.weights)")
      let input = seeded(function.type(function.inputs[0]).staticShape!, 1)
      let expected = try Interpreter(function).run([input])[0]
      for name in names {
        var options = Model.Options()
        options.device = name
        let model = try Model.load(path: fat.path, drivers: [try CPUDriver(threads: 2)], options: options)
        let problem = disagreement(try model.predict([input])[0], expected, rtol: 1e-4, atol: 1e-5)
        #expect(problem == nil, "\(name): \(problem ?? "")")
      }
    }
  }

  /// A target alone has its weights as suits it, and so have targets of equal vectors.
  @Test func equalVectorsNeedNoStrips() {
    let all = DeviceSet.catalog
    let (narrow, other) = (all.filter { $0.lanes == 4 }, all.filter { $0.lanes == 8 })
    #expect(narrow.count > 1 && narrow.sharingWeights == narrow && narrow.allSatisfy { $0.packedLanes == nil })
    #expect((narrow + other).sharingWeights.allSatisfy { $0.packedLanes == 8 })
    #expect(all.sharingWeights.allSatisfy { $0.packedLanes == 16 })
  }
}
