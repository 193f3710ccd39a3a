import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCOps
import Testing

/// Compressed weights in packages: every form there is, for every system that has it.
@Suite struct CompressedConstantTests {
  typealias Form = @Sendable (inout Builder) throws -> ValueID

  private static func constant(_ builder: inout Builder, _ tensor: Tensor) -> ValueID { builder.constant(tensor) }

  static let shape = [8, 12]
  private static func codes(_ dtype: DType, _ shape: [Int]) -> Tensor {
    Tensor(dtype, shape, (0..<shape.reduce(1, *)).map { $0 * 7 + 3 })
  }
  private static let mask = Tensor(.uint1, shape, (0..<96).map { $0 % 3 == 0 ? 1 : 0 })

  /// Those that iOS 16 has.
  static let early: [(name: String, form: Form)] = [
    (
      "int8 for the tensor",
      {
        try $0(
          ConstexprBlockwiseShiftScale(),
          constant(&$0, codes(.int8, shape)),
          constant(&$0, numbers(.float32, [1, 1]))
        )
      }
    ),
    (
      "uint8 by channel",
      {
        try $0(
          ConstexprBlockwiseShiftScale(),
          constant(&$0, codes(.uint8, shape)),
          constant(&$0, numbers(.float32, [8, 1])),
          constant(&$0, codes(.uint8, [8, 1]))
        )
      }
    ),
    (
      "int8 by input channel",
      {
        try $0(
          ConstexprBlockwiseShiftScale(),
          constant(&$0, codes(.int8, shape)),
          constant(&$0, numbers(.float32, [1, 12]))
        )
      }
    ),
    ("palette of 1 bit", { try palette(&$0, .uint1) }), ("palette of 2 bits", { try palette(&$0, .uint2) }),
    ("palette of 4 bits", { try palette(&$0, .uint4) }), ("palette of 6 bits", { try palette(&$0, .uint6) }),
    ("palette of 8 bits", { try palette(&$0, .uint8) }),
    ("sparse", { try $0(ConstexprSparseToDense(), constant(&$0, numbers(.float32, [32])), constant(&$0, mask)) }),
    ("half", { try $0(ConstexprCast(.float32), constant(&$0, numbers(.float16, shape))) }),
  ]

  /// Those that came with iOS 18.
  static let late: [(name: String, form: Form)] = [
    (
      "int4 in blocks",
      {
        try $0(
          ConstexprBlockwiseShiftScale(),
          constant(&$0, codes(.int4, shape)),
          constant(&$0, numbers(.float32, [8, 3]))
        )
      }
    ),
    (
      "int8 in blocks",
      {
        try $0(
          ConstexprBlockwiseShiftScale(),
          constant(&$0, codes(.int8, shape)),
          constant(&$0, numbers(.float32, [4, 3]))
        )
      }
    ),
    ("palette of 3 bits", { try palette(&$0, .uint3) }),
    ("palettes for groups", { try palette(&$0, .uint2, groups: 4) }),
    (
      "vectors",
      {
        let lut = constant(&$0, numbers(.float32, [1, 1, 4, 2]))
        return try $0(ConstexprLutToDense(vectorAxis: 0), constant(&$0, codes(.uint2, [4, 12])), lut)
      }
    ),
    (
      "scaled palette",
      {
        let dense = try palette(&$0, .uint4)
        return try $0(ConstexprBlockwiseShiftScale(), dense, constant(&$0, numbers(.float32, [8, 1])))
      }
    ),
    (
      "sparse palette",
      {
        let parts = try $0.append(
          ConstexprLutToSparse(),
          [
            [constant(&$0, mask)], [constant(&$0, codes(.uint4, [32]))],
            [constant(&$0, numbers(.float32, [2, 1, 16, 1]))],
          ]
        )
        return try $0(ConstexprSparseToDense(), parts[1], parts[0])
      }
    ),
    (
      "sparse int8",
      {
        let parts = try $0.append(
          ConstexprSparseBlockwiseShiftScale(),
          [[constant(&$0, mask)], [constant(&$0, codes(.int8, [32]))], [constant(&$0, numbers(.float32, [8, 1]))], []]
        )
        return try $0(ConstexprSparseToDense(), parts[1], parts[0])
      }
    ),
  ]

  private static func palette(_ builder: inout Builder, _ dtype: DType, groups: Int = 1) throws -> ValueID {
    let lut = builder.constant(numbers(.float32, [groups, 1, 1 << dtype.bitWidth, 1]))
    return try builder(ConstexprLutToDense(), builder.constant(codes(dtype, shape)), lut)
  }

  /// A linear layer for each form.
  static func net(_ forms: [(name: String, form: Form)]) throws -> Program {
    try program { builder in
      let x = builder.input("x", TensorType(.float32, [2, 12]))
      return try forms.enumerated().map { index, item in
        ("y\(index)", try builder(Linear(), x, try item.form(&builder), nil, name: item.name))
      }
    }
  }

  @Test func everyFormRoundTrips() throws {
    let inputs = [numbers(.float32, [2, 12])]
    for target in [CoreMLWriteOptions.DeploymentTarget.iOS16, .iOS17, .iOS18] {
      let report = try roundTrip(try Self.net(Self.early), target: target, inputs: inputs)
      #expect(report.refusals.isEmpty && report.deploymentTarget == target)
    }
    #expect(try roundTrip(try Self.net(Self.early + Self.late), target: .iOS18, inputs: inputs).refusals.isEmpty)
  }

  /// The system is as old as the forms allow, unless it is given.
  @Test func choosesTheTarget() throws {
    let scratch = try Scratch()
    for (forms, target) in [([], CoreMLWriteOptions.DeploymentTarget.iOS15), (Self.early, .iOS16), (Self.late, .iOS18)]
    {
      let program = forms.isEmpty ? try convolutionalNet() : try Self.net(forms)
      let report = try CoreMLPackage.write(program, to: scratch.file("m.mlpackage"))
      #expect(report.deploymentTarget == target)
    }
    for item in Self.late {
      let problem = expectDiagnostic("coreml.target") {
        let options = CoreMLWriteOptions(minimumDeploymentTarget: .iOS17)
        _ = try CoreMLPackage.write(try Self.net([item]), to: scratch.file("n.mlpackage"), options: options)
      }
      #expect(problem?.kind == .usage && problem?.message.contains("needs iOS18") == true, "\(item.name)")
    }
    expectDiagnostic("coreml.target") {
      let options = CoreMLWriteOptions(minimumDeploymentTarget: .iOS15)
      _ = try CoreMLPackage.write(try Self.net(Self.early), to: scratch.file("n.mlpackage"), options: options)
    }
  }

  /// A constant of constants of constants is read to a depth of 8.
  @Test func nestingIsBounded() throws {
    let scratch = try Scratch()
    for depth in [8, 9] {
      let nested = try program { builder in
        var weight = builder.constant(numbers(.float32, Self.shape))
        for level in 0..<depth {
          weight = try builder(ConstexprCast(level.isMultiple(of: 2) ? .float16 : .float32), weight)
        }
        let x = builder.input("x", TensorType(builder.fact(weight).dtype, [2, 12]))
        return [("y", try builder(Linear(), x, weight, nil, name: "y"))]
      }
      let path = scratch.file("\(depth).mlpackage")
      _ = try CoreMLPackage.write(nested, to: path)
      try forgetNote(path)
      if depth == 8 {
        #expect(try CoreMLPackage.read(path).functions.count == 1)
      } else {
        expectDiagnostic("coreml.compressed") { _ = try CoreMLPackage.read(path) }
      }
    }
  }

  /// Bits and tables, and little else.
  @Test func storesNoMoreThanTheParts() throws {
    let scratch = try Scratch()
    let program = try program { builder in
      let x = builder.input("x", TensorType(.float32, [1, 512]))
      let lut = builder.constant(numbers(.float32, [1, 1, 16, 1]))
      let indices = builder.constant(Self.codes(.uint4, [512, 512]))
      let weight = try builder(ConstexprLutToDense(), indices, lut)
      return [("y", try builder(Linear(), x, weight, nil, name: "y"))]
    }
    let report = try CoreMLPackage.write(program, to: scratch.file("m.mlpackage"))
    #expect(Double(report.weightBytes) <= 1.05 * Double(512 * 512 / 2 + 64))
  }

  /// coremltools loads each form, and expands it to the numbers that the reference computes.
  @Test func coremltoolsExpandsTheSame() throws {
    let python = try CoreMLToolsTests.requirePython()
    let scratch = try Scratch()
    for (forms, target) in [(Self.early, CoreMLWriteOptions.DeploymentTarget.iOS16), (Self.early + Self.late, .iOS18)] {
      let program = try Self.net(forms)
      let path = scratch.file("\(target).mlpackage")
      _ = try CoreMLPackage.write(program, to: path, options: .init(minimumDeploymentTarget: target))
      let folder = scratch.file("\(target)")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: python)
      process.arguments = ["\(CoreMLToolsTests.root)/Tests/MLCFormatCoreMLTests/expand_package.py", path, folder]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      let layers = program.main.body.operations.filter { $0.name == "linear" }
      for (index, item) in zip(layers, forms).enumerated() {
        let weight = try expanded(try #require(item.0.argument("weight")), in: program.main)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(index).bin"))
        let theirs = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(theirs.count == weight.count, "\(item.1.name)")
        let far = zip(theirs, weight.floats).filter { abs($0 - $1) > 1e-6 * max(1, abs($1)) }
        #expect(far.isEmpty, "\(item.1.name), \(target): \(far.prefix(3))")
      }
    }
  }
}
