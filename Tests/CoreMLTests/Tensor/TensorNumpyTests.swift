import CoreML
import Foundation
import Testing

/// Reductions, order and products beside numpy, on drawn shapes, types, axes and values.
@Suite struct TensorNumpyTests {
  private let exact = (relative: 0.0, absolute: 0.0)

  private func rounding(_ type: String, _ absolute: Double = 0) -> (relative: Double, absolute: Double) {
    type == "float16" ? (1.0 / 1024, 1e-7) : type == "float32" ? (3e-7, absolute) : exact
  }

  @Test func reductions() async throws {
    var (draw, cases) = (Draw(11), [TensorCase]())
    typealias Fold = (MLTensor, [Int]?, Bool) -> MLTensor
    let folds: [(String, Fold)] = [
      ("sum", { x, axes, keep in axes.map { x.sum(alongAxes: $0, keepRank: keep) } ?? x.sum(keepRank: keep) }),
      ("mean", { x, axes, keep in axes.map { x.mean(alongAxes: $0, keepRank: keep) } ?? x.mean(keepRank: keep) }),
      (
        "product",
        { x, axes, keep in axes.map { x.product(alongAxes: $0, keepRank: keep) } ?? x.product(keepRank: keep) }
      ),
      ("min", { x, axes, keep in axes.map { x.min(alongAxes: $0, keepRank: keep) } ?? x.min(keepRank: keep) }),
      ("max", { x, axes, keep in axes.map { x.max(alongAxes: $0, keepRank: keep) } ?? x.max(keepRank: keep) }),
      ("all", { x, axes, keep in axes.map { x.all(alongAxes: $0, keepRank: keep) } ?? x.all(keepRank: keep) }),
      ("any", { x, axes, keep in axes.map { x.any(alongAxes: $0, keepRank: keep) } ?? x.any(keepRank: keep) }),
    ]
    for (name, fold) in folds {
      for turn in 0..<24 {
        let type = ["all", "any"].contains(name) ? "bool" : turn < 8 ? "float32" : draw.pick(Sample.numbers)
        let isExtreme = name == "min" || name == "max"
        let shape =
          switch turn {
          case 0: [70_001]
          case 1: [3, 40_000]
          case 2: [40_000, 3]
          case 3: [300, 700]
          default: draw.shape(0...4, isNeverEmpty: isExtreme)
          }
        let x = Sample.drawn(&draw, shape, type, isWild: isExtreme && turn % 2 == 0)
        var axes = Array(shape.indices)
        axes.shuffle(using: &draw)
        axes = Array(axes.prefix(draw.int(0...shape.count))).map { draw.flip() ? $0 : $0 - shape.count }
        let (isAll, keep) = (draw.int(0...2) == 0, draw.flip())
        // Products of many are 0 or infinite in float and not in double.
        if name == "product", shape.reduce(1, *) > 500 { continue }
        cases.append(
          TensorCase(
            op: "fold",
            parameters: ["name": name, "axes": isAll ? NSNull() : axes as Any, "keep": keep],
            inputs: [x],
            tolerance: isExtreme ? exact : rounding(type, 1e-9),
            result: fold(x.tensor, isAll ? nil : axes, keep)
          )
        )
      }
    }
    try await compareWithNumpy(cases)
  }

  @Test func orderAndRunningSums() async throws {
    var (draw, cases) = (Draw(12), [TensorCase]())
    for turn in 0..<80 {
      let type = draw.pick(Sample.all)
      let shape = turn < 4 ? [[3000], [2, 700], [700, 2], [60, 50]][turn] : draw.shape(1...4, isNeverEmpty: true)
      let x = Sample.drawn(&draw, shape, type, isWild: true)
      let (axis, keep, descends) = (draw.int(-shape.count...shape.count - 1), draw.flip(), draw.flip())
      for name in ["argmax", "argmin"] {
        let isAll = draw.int(0...3) == 0
        let result =
          name == "argmax"
          ? (isAll ? x.tensor.argmax() : x.tensor.argmax(alongAxis: axis, keepRank: keep))
          : (isAll ? x.tensor.argmin() : x.tensor.argmin(alongAxis: axis, keepRank: keep))
        cases.append(
          TensorCase(
            op: "arg",
            parameters: ["name": name, "axis": isAll ? NSNull() : axis as Any, "keep": keep && !isAll],
            inputs: [x],
            result: result
          )
        )
      }
      cases.append(
        TensorCase(
          op: "sort",
          parameters: ["axis": axis, "descends": descends],
          inputs: [x],
          result: x.tensor.argsort(alongAxis: axis, descendingOrder: descends)
        )
      )
      let k = draw.int(0...shape[shape.count - 1])
      let top = x.tensor.topK(k)
      cases.append(TensorCase(op: "topIndices", parameters: ["k": k], inputs: [x], result: top.indices))
      cases.append(TensorCase(op: "topValues", parameters: ["k": k], inputs: [x], result: top.values))
      if type == "bool" { continue }
      let calm = Sample.drawn(&draw, shape, type)
      for name in ["sum", "product"] where name == "sum" || shape.reduce(1, *) < 200 {
        cases.append(
          TensorCase(
            op: "running",
            parameters: ["name": name, "axis": axis],
            inputs: [calm],
            tolerance: rounding(type, 1e-9),
            result: name == "sum"
              ? calm.tensor.cumulativeSum(alongAxis: axis) : calm.tensor.cumulativeProduct(alongAxis: axis)
          )
        )
      }
      if type.hasPrefix("float") {
        cases.append(
          TensorCase(
            op: "softmax",
            parameters: ["axis": axis],
            inputs: [calm],
            tolerance: rounding(type),
            result: calm.tensor.softmax(alongAxis: axis)
          )
        )
      }
    }
    try await compareWithNumpy(cases)
  }

  @Test func products() async throws {
    var (draw, cases) = (Draw(13), [TensorCase]())
    for turn in 0..<120 {
      let type = turn % 3 == 0 ? draw.pick(Sample.numbers) : "float32"
      let batch = draw.shape(0...2, 1...3)
      let sizes = turn % 4 == 0 ? 1...300 : 1...20
      let (m, k, n) = (draw.int(sizes), turn == 5 ? 0 : draw.int(sizes), draw.int(sizes))
      var (a, b) = (batch + [m, k], draw.partner(batch) + [k, n])
      if draw.flip() { (a, b) = (draw.partner(batch) + [m, k], batch + [k, n]) }
      if draw.int(0...5) == 0 { a = [k] }
      if draw.int(0...5) == 0 { b = [k] }
      let (x, y) = (Sample.drawn(&draw, a, type), Sample.drawn(&draw, b, type))
      cases.append(
        TensorCase(
          op: "matmul",
          inputs: [x, y],
          tolerance: type == "float16" ? (2e-3, 1e-2) : type == "float32" ? (1e-5, 2e-4) : exact,
          result: x.tensor.matmul(y.tensor)
        )
      )
    }
    try await compareWithNumpy(cases)
  }
}
