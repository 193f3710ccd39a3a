import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCOps
import Testing

/// Operators that MIL lacks, written by those it has.
@Suite struct LegalizationTests {
  private func unary(_ op: any Operator, _ x: Tensor, _ more: Tensor...) throws -> Program {
    try program { builder in
      let id = builder.input("x", x.type)
      let others = more.enumerated().map { builder.constant($1, name: "c\($0)") }
      return [("y", try builder.append(op, ([id] + others).map { [$0] }, names: ["result"])[0])]
    }
  }

  /// coremltools infers a choice between two numbers to be a number, whatever the condition's shape is.
  @Test func choicesTakeTheShapeOfTheirCondition() throws {
    let cond = Tensor(.bool, [2, 3], [1, 0, 0, 1, 1, 0])
    let sample = try program { builder in
      let choices = [Tensor([], floats: [1.5]), Tensor([1], floats: [-2])].map {
        builder.constant($0, name: "c\($0.rank)")
      }
      let wide = try builder(Cast(.bool), builder.input("cond", TensorType(.int32, [2, 3])), name: "wide")
      return [("y", try builder(Select(), wide, choices[0], choices[1], name: "choice"))]
    }
    let report = try roundTrip(sample, inputs: [cond.converted(to: .int32)])
    #expect(report.refusals.isEmpty)
  }

  @Test func extensionsBecomeMIL() throws {
    let x = Tensor(.float32, [2, 3], [-3.0, -0.5, 0, 0.25, 2, 40])
    let integers = Tensor(.int32, [2, 3], [-7, -1, 0, 3, 9, 100])
    var celu = Celu()
    celu.alpha = 1.7
    let cases: [(any Operator, Tensor, [Tensor])] = [
      (Neg(), x, []), (Neg(), integers, []), (Selu(), x, []), (celu, x, []), (HardSwish(), x, []), (Mish(), x, []),
      (LogSoftmax(axis: -1), x, []), (IsNan(), x, []), (IsInf(), x, []),
      (BroadcastTo(), x, [.shape([4, 2, 3])]), (Trilu(upper: true), x, []), (NonZero(transposed: true), x, []),
      (Reshape(), x, [.shape([3, -1])]), (Reshape(), x, [.shape([0, 3])]), (Shape(start: 1, dtype: .int64), x, []),
      (ReduceSum(axes: []), x, []), (Squeeze(), Tensor(.float32, [1, 3], [1.0, 2, 3]), []),
    ]
    for (op, input, more) in cases {
      let sample = try program { builder in
        let id = builder.input("x", input.type)
        let others = more.enumerated().map { builder.constant($1, name: "c\($0)") }
        return [("y", try builder.append(op, ([id] + others).map { [$0] }, names: ["result"])[0])]
      }
      let report = try roundTrip(sample, inputs: [input])
      let refused = report.refusals.filter { $0.op != "output" }
      #expect(refused.isEmpty, "\(type(of: op).name): \(refused)")
    }
  }

  /// A score that is a number where a key is hidden: every other query sees one key, the rest none.
  @Test func hiddenKeysThatHaveAScore() throws {
    let (q, k) = (numbers(.float32, [2, 4, 3]), numbers(.float32, [2, 5, 3]))
    let mask = Tensor(.int32, [4, 5], (0..<20).map { $0 % 10 == 3 ? 1 : 0 })
    let sample = try program { builder in
      let values = [q, k].enumerated().map { builder.input("x\($0)", $1.type) }
      let flags = try builder(Cast(.bool), builder.input("mask", mask.type), name: "flags")
      let op = ScaledDotProductAttention(maskedScore: -1e9)
      return [("y", try builder(op, values[0], values[1], values[1], flags, name: "result"))]
    }
    let report = try roundTrip(sample, target: .iOS18, inputs: [q, k, mask])
    #expect(report.refusals.isEmpty, "\(report.refusals)")
  }

  @Test func resampling() throws {
    let x = numbers(.float32, [1, 2, 3, 4])
    for (mode, coordinates) in [
      ("nearest", "asymmetric"), ("nearest", "half_pixel"), ("linear", "half_pixel"), ("linear", "align_corners"),
      ("linear", "asymmetric"),
    ] {
      var resize = Resize()
      (resize.mode, resize.coordinateMode) = (mode, coordinates)
      resize.nearestMode = coordinates == "asymmetric" ? "floor" : "round_prefer_floor"
      let sample = try program { builder in
        let id = builder.input("x", x.type)
        let sizes = builder.constant(.shape([1, 2, 6, 12]), name: "sizes")
        return [("y", try builder(resize, id, sizes, name: "resized"))]
      }
      #expect(try roundTrip(sample, inputs: [x]).refusals.isEmpty, "\(mode) \(coordinates)")
    }
  }

  @Test func slicesPastTheEnd() throws {
    let x = numbers(.float32, [4, 5])
    for (begin, end, stride) in [
      ([1, -3], [Int.max, Int.max], [1, 1]), ([-1, 4], [Int.min, -100], [-1, -2]), ([-100, 0], [2, -1], [1, 3]),
    ] {
      let sample = try program { builder in
        let id = builder.input("x", x.type)
        let lists = [begin, end, stride].map { [builder.constant(.shape($0), name: "list")] }
        return [("y", try builder.append(SliceByIndex(), [[id]] + lists, names: ["part"])[0])]
      }
      #expect(try roundTrip(sample, inputs: [x]).refusals.isEmpty)
    }
  }

  @Test func parametersThatMILWantsOtherwise() throws {
    let x = numbers(.float32, [2, 3, 4])
    let alpha = Tensor(.float32, [3, 1], [0.1, 0.2, 0.3])
    #expect(try roundTrip(try unary(Prelu(), x, alpha), inputs: [x]).refusals.isEmpty)
    let pads = Tensor.shape([1, 2])
    #expect(try roundTrip(try unary(Pad(mode: "constant"), x, pads), inputs: [x]).refusals.isEmpty)
    #expect(try roundTrip(try unary(TopK(), x, .shape([2])), inputs: [x]).refusals.isEmpty)
    let wrapped = try roundTrip(try unary(Pad(mode: "wrap"), x, pads), inputs: [x])
    #expect(wrapped.refusals.map(\.op) == ["pad"])
    #expect(try roundTrip(try unary(Acosh(), x)).refusals.map(\.nodes) == [["result"]])
  }
}
