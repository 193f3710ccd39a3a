import Foundation
import GraphFuzzing
import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import Testing

/// What stands behind contractions in networks that are in use, each on every device: nothing that has types is
/// refused.
@Suite(.serialized) struct CompositionTests {
  private typealias Draft = CompositionDraft

  @Test func products() throws {
    try expectAgreement([
      ("greater", { try $0.append(Greater(), try $0.product(), $0.number(1)) }),
      ("less", { try $0.append(Less(), try $0.product(), $0.input([6, 5])) }),
      ("is_nan", { try $0.append(IsNan(), try $0.product()) }),
      ("cast to bool", { try $0.append(Cast(.bool), try $0.product()) }),
      ("cast to int32", { try $0.append(Cast(.int32), try $0.product()) }),
      ("attention, greater", { try $0.append(Greater(), try $0.attention(), $0.number(0)) }),
      ("mask of bytes", { try $0.append(Select(), $0.input([6, 5], .bool), try $0.product(), $0.number(0)) }),
      (
        "branch",
        {
          let product = try $0.product()
          let yes = try $0.block { try $0.append(Greater(), product, $0.number(1)) }
          let no = try $0.block { try $0.append(Less(), try $0.product(), $0.number(1)) }
          return try $0.cond(yes, no)
        }
      ),
      ("symbolic depth", { try $0.append(Linear(), $0.open(["n", "c"], [3, 8]), $0.constant([5, 8])) }),
      ("symbolic depth, matmul", { try $0.append(MatMul(), $0.open(["n", "c"], [3, 8]), $0.constant([8, 5])) }),
    ])
  }

  @Test func convolutions() throws {
    let image = [2, 16, 6, 7]
    try expectAgreement([
      ("greater", { try $0.append(Greater(), try $0.conv($0.input(image)), $0.number(1)) }),
      ("less", { try $0.append(Less(), try $0.conv($0.input(image)), $0.input([2, 1, 6, 7])) }),
      ("cast to bool", { try $0.append(Cast(.bool), try $0.conv($0.input(image))) }),
      ("transposed, greater", { try $0.append(Greater(), try $0.convTranspose($0.input(image)), $0.number(1)) }),
      (
        "gate of one filter",
        {
          let x = try $0.conv($0.input(image))
          return try $0.append(Mul(), x, try $0.append(Sigmoid(), try $0.conv(x, filters: 1)))
        }
      ),
      ("mask [N, 1, H, W]", { try $0.append(Mul(), try $0.conv($0.input(image)), $0.input([2, 1, 6, 7])) }),
      ("mask [1, 1, H, W]", { try $0.append(Mul(), try $0.conv($0.input(image)), $0.input([1, 1, 6, 7])) }),
      (
        "spatial attention",
        {
          let x = try $0.conv($0.input(image))
          let mean = try $0.append(ReduceMean(axes: [1], keepDims: true), x)
          return try $0.append(Mul(), x, try $0.append(Sigmoid(), mean))
        }
      ),
      ("constant [1, C, H, W]", { try $0.append(Mul(), try $0.conv($0.input(image)), $0.constant([1, 16, 6, 7])) }),
      ("constant [1, C, 1, W]", { try $0.append(Mul(), try $0.conv($0.input(image)), $0.constant([1, 16, 1, 7])) }),
      ("constant [N, C, 1, 1]", { try $0.append(Mul(), try $0.conv($0.input(image)), $0.constant([2, 16, 1, 1])) }),
      ("[N, 1, 1, 1] added", { try $0.append(Add(), try $0.conv($0.input(image)), $0.input([2, 1, 1, 1])) }),
      (
        "residual of the model's input",
        {
          let x = $0.input(image)
          return try $0.append(Add(), try $0.conv(x), x)
        }
      ),
      (
        "residual of a model's input of few channels",
        {
          let x = $0.input([1, 3, 6, 7])
          return try $0.append(Add(), try $0.conv(x, filters: 3), x)
        }
      ),
      ("bias at run time", { try $0.conv($0.input(image), filters: 5, bias: $0.input([5])) }),
      ("bias at run time, whole blocks", { try $0.conv($0.input(image), bias: $0.input([16])) }),
      (
        "statistics at run time",
        {
          let x = try $0.conv($0.input(image), filters: 5)
          let variance = try $0.append(Add(), try $0.append(Square(), $0.input([5])), $0.number(1))
          return try $0.append(BatchNorm(), x, $0.input([5]), variance, $0.input([5]), $0.input([5]))
        }
      ),
      ("bfloat16", { try $0.conv($0.input(image, .bfloat16)) }),
      ("window 64 x 64", { try $0.conv($0.input([1, 3, 64, 66]), window: [64, 64], padType: "valid") }),
      ("window 100 x 100", { try $0.conv($0.input([1, 3, 100, 101]), window: [100, 100], padType: "valid") }),
      ("window 16384", { try $0.conv($0.input([1, 1, 16390]), filters: 2, window: [16384], padType: "valid") }),
      ("symbolic channels", { try $0.conv($0.open(["n", "c", "h", "w"], [2, 16, 6, 7]), channels: 16) }),
      (
        "symbolic channels twice",
        {
          let x = try $0.conv($0.open([nil, "c", nil, nil], [2, 8, 6, 7]), filters: 8, channels: 8)
          return try $0.append(Relu(), try $0.conv(x, channels: 8))
        }
      ),
    ])
  }

  private func expectAgreement(_ cases: [(String, (inout Draft) throws -> ValueID)]) throws {
    let campaign = Campaign(GraphJudge(try HostRunner()))
    let items = try cases.map { label, body in
      var draft = CompositionDraft()
      return draft.finished(label, try body(&draft))
    }
    let entries = SharedReport()
    DispatchQueue.concurrentPerform(iterations: campaign.devices.count) { number in
      for entry in campaign.play(items, on: campaign.devices[number]) { entries.add(entry) }
    }
    let report = entries.report
    #expect(report.wrong.isEmpty, "\(report.wrong.map { $0.report }.joined(separator: "\n"))")
    #expect(report.count(.agrees) == report.played, "\(report.summary)")
  }
}

/// A graph with the tensors of its inputs: multiples of an eighth, so that sums of their products are exact.
private struct CompositionDraft {
  private var builder = Builder()
  private var inputs: [Tensor] = []
  private var random = SeededGenerator(seed: 11, name: "compositions")

  private mutating func numbers(_ shape: [Int], _ type: DType) -> Tensor {
    let count = shape.reduce(1, *)
    if type == .bool { return Tensor(type, shape, (0..<count).map { _ in Int(random.next() % 2) }) }
    let step = type.bitWidth == 16 ? 0.5 : 0.125
    return Tensor(type, shape, (0..<count).map { _ in (Double(random.next() % 17) - 8) * step })
  }

  mutating func input(_ shape: [Int], _ type: DType = .float32) -> ValueID { open(shape.map { _ in nil }, shape, type) }

  /// An input whose extents have names, but for those that are `nil`.
  mutating func open(_ names: [String?], _ shape: [Int], _ type: DType = .float32) -> ValueID {
    let dims = zip(names, shape).map { name, extent in name.map { Dim.symbol($0) } ?? Dim(extent) }
    inputs.append(numbers(shape, type))
    return builder.input("x\(inputs.count)", TensorType(type, dims))
  }

  mutating func constant(_ shape: [Int], _ type: DType = .float32) -> ValueID { builder.constant(numbers(shape, type)) }
  mutating func number(_ value: Double) -> ValueID { builder.constant(.scalar(.float32, value)) }

  mutating func append(_ op: any Operator, _ operands: ValueID...) throws -> ValueID {
    try builder.append(op, operands.map { [$0] })[0]
  }

  mutating func product() throws -> ValueID { try append(MatMul(), input([6, 9]), constant([9, 5])) }

  mutating func attention() throws -> ValueID {
    try append(ScaledDotProductAttention(), input([2, 6, 8]), input([2, 5, 8]), input([2, 5, 8]))
  }

  mutating func conv(
    _ x: ValueID,
    filters: Int = 16,
    channels: Int? = nil,
    bias: ValueID? = nil,
    window: [Int]? = nil,
    padType: String = "same"
  ) throws -> ValueID {
    let fact = builder.fact(x)
    let window = window ?? fact.shape.dropFirst(2).map { _ in 3 }
    let weight = constant([filters, channels ?? fact.shape[1].constant!] + window, fact.dtype)
    var op = Conv()
    op.padType = padType
    return try builder.append(op, [[x], [weight], bias.map { [$0] } ?? []])[0]
  }

  mutating func convTranspose(_ x: ValueID) throws -> ValueID {
    try builder.append(ConvTranspose(), [[x], [constant([builder.fact(x).shape[1].constant!, 8, 2, 2])], []])[0]
  }

  mutating func block(_ body: (inout CompositionDraft) throws -> ValueID) throws -> Block {
    _ = builder.beginBlock()
    let value = try body(&self)
    return builder.endBlock(yielding: [value])
  }

  mutating func cond(_ yes: Block, _ no: Block) throws -> ValueID {
    try builder.append(Cond(), [[input([], .bool)]], names: ["y"], blocks: [yes, no])[0]
  }

  mutating func finished(_ label: String, _ output: ValueID) -> GraphCase {
    GraphCase(label, builder.finish([("y", output)]), [inputs])
  }
}
