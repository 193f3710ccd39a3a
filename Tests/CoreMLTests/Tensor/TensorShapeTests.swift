import CoreML
import Foundation
import Testing

/// Shapes, parts and pictures beside numpy, on drawn shapes, types, axes and values.
@Suite struct TensorShapeTests {
  private let exact = (relative: 0.0, absolute: 0.0)

  @Test func shapes() async throws {
    var (draw, cases) = (Draw(14), [TensorCase]())
    func add(_ op: String, _ parameters: [String: Any], _ inputs: [Sample], _ result: MLTensor) {
      cases.append(TensorCase(op: op, parameters: parameters, inputs: inputs, result: result))
    }
    for turn in 0..<100 {
      let (type, shape) = (draw.pick(Sample.all), turn < 2 ? [[100, 130], [40, 3, 50]][turn] : draw.shape(1...4))
      let x = Sample.drawn(&draw, shape, type)
      var order = Array(shape.indices)
      order.shuffle(using: &draw)
      add("transpose", ["axes": order], [x], x.tensor.transposed(permutation: order))
      add("transpose", ["axes": Array(shape.indices.reversed())], [x], x.tensor.transposed())
      let some = Array(order.prefix(draw.int(0...shape.count)))
      if !shape.contains(0) { add("reverse", ["axes": some], [x], x.tensor.reversed(alongAxes: some)) }
      let count = shape.reduce(1, *)
      add("reshape", ["shape": [count]], [x], x.tensor.flattened())
      if count > 0 { add("reshape", ["shape": [-1, shape[0]]], [x], x.tensor.reshaped(to: [-1, shape[0]])) }
      let axis = draw.int(-shape.count...shape.count - 1)
      let place = axis < 0 ? axis + shape.count : axis
      var other = shape
      other[place] = draw.int(0...5)
      let y = Sample.drawn(&draw, other, type)
      let three = MLTensor(concatenating: [x.tensor, y.tensor, x.tensor], alongAxis: axis)
      add("concatenate", ["axis": axis], [x, y, x], three)
      add("concatenate", ["axis": axis], [x, y], x.tensor.concatenated(with: y.tensor, alongAxis: axis))
      let newAxis = draw.int(-shape.count - 1...shape.count)
      add("stack", ["axis": newAxis], [x, x], MLTensor(stacking: [x.tensor, x.tensor], alongAxis: newAxis))
      let cut = draw.int(0...shape[place])
      let sizes = [cut, 0, shape[place] - cut]
      let part = draw.int(0...2)
      let parts = x.tensor.split(sizes: sizes, alongAxis: axis)
      add("split", ["sizes": sizes, "part": part, "axis": axis], [x], parts[part])
      let times = (0..<draw.int(1...4)).map { _ in draw.int(1...3) }
      add("tile", ["times": times], [x], x.tensor.tiled(multiples: times))
      if shape.count >= 2 {
        let (below, above) = (draw.int(-1...6), draw.int(-1...6))
        let band = x.tensor.bandPart(lowerBandCount: below, upperBandCount: above)
        add("band", ["below": below, "above": above], [x], band)
      }
      for name in ["constant", "reflection", "symmetric"] {
        if shape.contains(0) && name != "constant" { continue }
        let limit = { (size: Int) -> Int in name == "constant" ? 4 : name == "symmetric" ? size : size - 1 }
        let pads = shape.map { (before: draw.int(0...limit($0)), after: draw.int(0...limit($0))) }
        let mode: MLTensor.PaddingMode =
          name == "constant" ? .constant(1) : name == "symmetric" ? .symmetric : .reflection
        let numbers: [String: Any] = ["name": name, "pads": pads.map { [$0.before, $0.after] }, "value": 1]
        add("pad", numbers, [x], x.tensor.padded(forSizes: pads, mode: mode))
      }
    }
    try await compareWithNumpy(cases)
  }

  @Test func subscripts() async throws {
    var (draw, cases) = (Draw(15), [TensorCase]())
    for _ in 0..<200 {
      let shape = draw.shape(1...4, isNeverEmpty: true)
      let x = Sample.drawn(&draw, shape, draw.pick(Sample.all))
      var (key, ranges) = ([[Any]](), [(any MLTensorRangeExpression)?]())
      let (fill, count) = (draw.int(0...6), draw.int(0...shape.count))
      for axis in 0..<count {
        if fill == axis {
          key.append(["fill"])
          ranges.append(.fillAll)
        }
        // Behind what stands for the axes that nothing is said of, the others are counted from the last.
        let length = shape[fill <= axis ? shape.count - count + axis : axis]
        let (a, b) = (draw.int(0...length), draw.int(0...length))
        let (first, end, step, index) = (min(a, b), max(a, b), draw.int(1...3), draw.int(-length...length - 1))
        switch draw.int(0...7) {
        case 0:
          key.append(["index", index])
          ranges.append(index)
        case 1:
          key.append(["range", first, end, 1])
          ranges.append(first..<end)
        case 2:
          key.append(["range", first, end, step])
          ranges.append(.range(first..<end, stride: step))
        case 3:
          key.append(["from", first, step])
          ranges.append(.partialRangeFrom(first..., stride: step))
        case 4:
          key.append(["upto", end, step])
          ranges.append(.partialRangeUpTo(..<end, stride: step))
        case 5:
          key.append(["range", 0, length, 1])
          ranges.append(0...length - 1)
        case 6:
          key += [["new"], ["index", index]]
          ranges += [.newAxis, .index(index)]
        default:
          key.append(["from", first, 1])
          ranges.append(first...)
        }
      }
      let part =
        switch ranges.count {
        case 0: x.tensor[]
        case 1: x.tensor[ranges[0]]
        case 2: x.tensor[ranges[0], ranges[1]]
        case 3: x.tensor[ranges[0], ranges[1], ranges[2]]
        case 4: x.tensor[ranges[0], ranges[1], ranges[2], ranges[3]]
        case 5: x.tensor[ranges[0], ranges[1], ranges[2], ranges[3], ranges[4]]
        default: MLTensor(0 as Int32)
        }
      if ranges.count > 5 { continue }
      cases.append(TensorCase(op: "subscript", parameters: ["key": key], inputs: [x], result: part))
    }
    try await compareWithNumpy(cases)
  }

  @Test func gatheringAndReplacing() async throws {
    var (draw, cases) = (Draw(16), [TensorCase]())
    for _ in 0..<100 {
      let (type, shape) = (draw.pick(Sample.all), draw.shape(1...4, isNeverEmpty: true))
      let x = Sample.drawn(&draw, shape, type)
      func indices(_ shape: [Int], _ size: (Int) -> Int) -> Sample {
        Sample(shape, "int32", (0..<shape.reduce(1, *)).map { Double(draw.int(-size($0)...size($0) - 1)) })
      }
      let axis = draw.int(-shape.count...shape.count - 1)
      let place = axis < 0 ? axis + shape.count : axis
      let i = indices(draw.shape(0...3, 1...4)) { _ in shape[place] }
      cases.append(
        TensorCase(
          op: "gather",
          parameters: ["axis": axis],
          inputs: [x, i],
          result: x.tensor.gathering(atIndices: i.tensor, alongAxis: axis)
        )
      )
      let depth = draw.int(0...shape.count)
      let vectors = indices(draw.shape(0...2, 1...4) + [depth]) { shape[$0 % max(depth, 1)] }
      cases.append(
        TensorCase(op: "gatherND", inputs: [x, vectors], result: x.tensor.gathering(atIndices: vectors.tensor))
      )
      // Different indices in each line: which of equal ones counts is another matter.
      var lines = shape
      lines[place] = draw.int(0...shape[place])
      let order = (0..<shape[place]).shuffled(using: &draw)
      let inner = lines[(place + 1)...].reduce(1, *)
      let numbers = (0..<lines.reduce(1, *)).map { Double(order[$0 / inner % max(lines[place], 1)]) }
      let (where_, values) = (Sample(lines, "int32", numbers), Sample.drawn(&draw, lines, type))
      cases.append(
        TensorCase(
          op: "replace",
          parameters: ["axis": axis],
          inputs: [x, values, where_],
          result: x.tensor.replacing(with: values.tensor, atIndices: where_.tensor, alongAxis: axis)
        )
      )
      let mask = Sample.drawn(&draw, draw.partner(shape), "bool")
      let other = Sample.drawn(&draw, draw.partner(shape), type)
      cases.append(
        TensorCase(
          op: "where",
          inputs: [x, other, mask],
          result: x.tensor.replacing(with: other.tensor, where: mask.tensor)
        )
      )
    }
    try await compareWithNumpy(cases)
  }

  @Test func pictures() async throws {
    var (draw, cases) = (Draw(17), [TensorCase]())
    let methods: [(String, MLTensor.ResizeMethod)] = [
      ("nearest", .nearestNeighbor), ("centers", .bilinear()), ("corners", .bilinear(alignCorners: true)),
    ]
    for _ in 0..<40 {
      let (type, shape) = (draw.pick(["float32", "float16"]), draw.shape(3...4, 1...9, isNeverEmpty: true))
      let (x, height, width) = (Sample.drawn(&draw, shape, type), draw.int(1...17), draw.int(1...17))
      for (name, method) in methods {
        cases.append(
          TensorCase(
            op: "resize",
            parameters: ["name": name, "size": [height, width]],
            inputs: [x],
            tolerance: name == "nearest" ? exact : (relative: type == "float16" ? 2e-3 : 1e-5, absolute: 2e-6),
            result: x.tensor.resized(to: (height, width), method: method)
          )
        )
      }
    }
    try await compareWithNumpy(cases)
  }
}
