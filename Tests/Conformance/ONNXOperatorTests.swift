import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportONNX
import TestSupport
import Testing

/// Operators of ONNX that are composed of many operations, beyond ONNX' backend tests: what the formula says, by the
/// interpreter and by generated code, with sizes left open.
@Suite struct ONNXOperatorTests {
  typealias Input = (type: TensorType, value: Tensor)

  /// The result of one node; `constants` follow `inputs` among its operands. Open extents have names.
  func play(
    _ type: String,
    _ inputs: [Input],
    constants: [Tensor] = [],
    _ attributes: [String: ONNXAttribute] = [:],
    opset: Int = 20
  ) throws -> Tensor {
    try results(type, inputs, constants: constants, attributes, opset: opset, count: 1)[0]
  }

  /// The first `count` results of one node.
  func results(
    _ type: String,
    _ inputs: [Input],
    constants: [Tensor] = [],
    _ attributes: [String: ONNXAttribute] = [:],
    opset: Int = 20,
    domain: String = "",
    count: Int
  ) throws -> [Tensor] {
    let given = inputs.indices.map { "x\($0)" } + constants.indices.map { "c\($0)" }
    let outputs = (0..<count).map { "y\($0)" }
    let node = ONNXNode(opType: type, domain: domain, inputs: given, outputs: outputs, attributes: attributes)
    let graph = ONNXGraph(
      nodes: [node],
      initializers: Dictionary(uniqueKeysWithValues: constants.enumerated().map { ("c\($0)", $1) }),
      inputs: inputs.enumerated().map { ONNXValueInfo(name: "x\($0)", type: $1.type) },
      outputs: outputs.map { ONNXValueInfo(name: $0) }
    )
    let model = ONNXModel(irVersion: 8, opsets: ["": opset], graph: graph)
    let function = try ONNXImporter(file: "model.onnx").program(model).main
    try function.verify()
    let values = inputs.map(\.value)
    let expected = try Interpreter(function).run(values)
    let results = try CompiledRunner(DeviceSet(["host"]).devices[0]).run(function, [values])[0]
    for (result, reference) in zip(results, expected) {
      let problem = disagreement(result, reference, rtol: 1e-4, atol: 1e-4)
      #expect(problem == nil, "\(type): \(problem ?? "")")
    }
    return expected
  }

  func expect(_ result: Tensor, _ shape: [Int], _ values: [Double], atol: Double = 1e-5) {
    let problem = disagreement(result, Tensor(result.dtype, shape, values), rtol: 1e-5, atol: atol)
    #expect(problem == nil, "\(problem ?? "")")
  }

  func given(_ shape: [Dim], _ value: Tensor) -> Input { (TensorType(value.dtype, shape), value) }
  func floats(_ shape: [Int], _ values: [Double]) -> Tensor { Tensor(.float32, shape, values) }

  /// A wave of 600 elements, 24·25, has one frequency; so has its mirror image.
  @Test(arguments: [(600, 7), (518, 3)]) func longTransforms(_ length: Int, _ frequency: Int) throws {
    let wave = (0..<length).map { cos(2 * Double.pi * Double(frequency * $0) / Double(length)) }
    let x = given(["batch", Dim(length), 1], floats([1, length, 1], wave))
    let y = try play("DFT", [x], ["axis": .int(1)], opset: 17)
    let half = Double(length) / 2
    let all: [Double] = (0..<length).flatMap { place -> [Double] in
      [place == frequency || place == length - frequency ? half : 0, 0]
    }
    expect(y, [1, length, 2], all, atol: 2e-3)
    let rows = length / 2 + 1
    let one = given(["batch", Dim(rows), 2], floats([1, rows, 2], Array(all.prefix(2 * rows))))
    let attributes: [String: ONNXAttribute] = ["axis": .int(1), "inverse": .int(1), "onesided": .int(1)]
    expect(try play("DFT", [one], attributes, opset: 17), [1, length, 1], wave, atol: 1e-4)
  }

  /// Frames of 4 elements, 2 apart, of 1, 2, …: a sum and differences.
  @Test func framesOfAnOpenSignal() throws {
    let x = given([1, "length", 1], floats([1, 7, 1], [1, 2, 3, 4, 5, 6, 7]))
    let (step, window) = (Tensor(.int64, [], [2]), floats([4], [1, 1, 1, 1]))
    let y = try play("STFT", [x], constants: [step, window], opset: 17)
    expect(y, [1, 2, 3, 2], [10, 0, -2, 2, -2, 0, 18, 0, -2, 2, -2, 0])
  }

  @Test func coordinatesInAnOpenImage() throws {
    let x = given([1, 1, "h", "w"], floats([1, 1, 2, 3], [0, 1, 2, 10, 11, 12]))
    let grid = given([1, "n", 1, 2], floats([1, 4, 1, 2], [-1, -1, 0, 0, 1, 1, 2, 0.5]))
    let aligned: [String: ONNXAttribute] = ["align_corners": .int(1)]
    let inside: [Double] = [0, 6, 12]
    expect(try play("GridSample", [x, grid], aligned), [1, 1, 4, 1], inside + [0])
    let border = aligned.merging(["padding_mode": .string("border")]) { $1 }
    expect(try play("GridSample", [x, grid], border), [1, 1, 4, 1], inside + [9.5])
    let mirror = aligned.merging(["padding_mode": .string("reflection")]) { $1 }
    expect(try play("GridSample", [x, grid], mirror), [1, 1, 4, 1], inside + [8.5])
    let nearest: [String: ONNXAttribute] = ["mode": .string("nearest")]
    // Halves go to even numbers: the third place is row 2, which there is not.
    expect(try play("GridSample", [x, grid], nearest), [1, 1, 4, 1], [0, 1, 0, 0])
  }

  @Test func gridsOfComputedSizes() throws {
    let theta = given([1, 2, 3], floats([1, 2, 3], [1, 0, 0.5, 0, 2, 0]))
    let size = given([4], Tensor(.int64, [4], [1, 1, 2, 3]))
    let (left, right) = (0.5 - 2.0 / 3, 0.5 + 2.0 / 3)
    let bins = [left, -1, 0.5, -1, right, -1, left, 1, 0.5, 1, right, 1]
    expect(try play("AffineGrid", [theta, size]), [1, 2, 3, 2], bins)
    let corners = try play("AffineGrid", [theta, size], ["align_corners": .int(1)])
    expect(corners, [1, 2, 3, 2], [-0.5, -2, 0.5, -2, 1.5, -2, -0.5, 2, 0.5, 2, 1.5, 2])
  }

  /// Boxes 0 and 1 overlap by 0.6 of their union; of equal scores the first box comes first.
  @Test func suppressionWithOpenSizes() throws {
    let corners: [Double] = [0, 0, 4, 4, 0, 1, 4, 5, 4, 4, 0, 1, 10, 10, 11, 11]
    let boxes = given([1, "boxes", 4], floats([1, 4, 4], corners))
    let scores = given([1, 2, "boxes"], floats([1, 2, 4], [0.5, 0.9, 0.1, 0.5, 0.2, 0.2, 0.2, 0.2]))
    let limits = [Tensor(.int64, [], [3]), floats([], [0.5]), floats([], [0.15])]
    let y = try play("NonMaxSuppression", [boxes, scores], constants: limits, opset: 11)
    #expect(y == Tensor(.int64, [4, 3], [0, 0, 1, 0, 0, 3, 0, 1, 0, 0, 1, 3]))
    let none = try play("NonMaxSuppression", [boxes, scores], opset: 11)
    #expect(none == Tensor(.int64, [0, 3], [Int]()))
  }

  /// Of an image that rises by 1 along x and by 10 along y, means are the values at the centres of bins.
  @Test func regionsOfOpenSizes() throws {
    let image = (0..<64).map { Double(10 * ($0 / 8) + $0 % 8) }
    let x = given([1, 1, "h", "w"], floats([1, 1, 8, 8], image))
    let rois = given(["r", 4], floats([2, 4], [1, 1, 5, 3, 2, 0, 3, 7]))
    let batch = given(["r"], Tensor(.int64, [2], [0, 0]))
    let bins: [String: ONNXAttribute] = ["output_height": .int(1), "output_width": .int(2)]
    expect(try play("RoiAlign", [x, rois, batch], bins, opset: 10), [2, 1, 1, 2], [22, 24, 37.25, 37.75])
    let pooled = given(["r", 5], floats([3, 5], [0, 1, 1, 4, 2, 0, 7, 7, 7, 7, 0, 9, 9, 9, 9]))
    let y = try play("MaxRoiPool", [x, pooled], ["pooled_shape": .ints([1, 2])], opset: 6)
    expect(y, [3, 1, 1, 2], [22, 24, 77, 77, 0, 0])
  }

  /// Without moves it is a convolution, with them one of the moved image.
  @Test func movedWindows() throws {
    let x = given([1, 1, "h", "w"], floats([1, 1, 3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]))
    let weight = floats([1, 1, 1, 2], [1, 10])
    let moves = given([1, 4, "h", "v"], floats([1, 4, 3, 2], (0..<24).map { $0 >= 6 && $0 < 12 ? 0.5 : 0 }))
    let y = try play("DeformConv", [x, given([1, 1, 1, 2], weight), moves])
    expect(y, [1, 1, 3, 2], [21.5, 32.5, 54.5, 65.5, 87.5, 98.5])
  }

  @Test func overlappingBlocks() throws {
    let x = given(["n", 2, 4], floats([1, 2, 4], [1, 2, 3, 4, 10, 20, 30, 40]))
    let shapes = [Tensor(.int64, [1], [5]), Tensor(.int64, [1], [2])]
    expect(try play("Col2Im", [x], constants: shapes), [1, 1, 5], [1, 12, 23, 34, 40])
  }

  /// Blocks of drawn sizes, strides, distances and paddings, element by element.
  @Test func overlappingBlocksOfAnyShape() throws {
    var random = SeededNumbers(seed: 9)
    for _ in 0..<24 {
      func draw(_ most: Int) -> Int { Int.random(in: 1...most, using: &random) }
      let (channels, kernel, stride, dilation) = (draw(2), draw(5), draw(4), draw(3))
      let (before, after) = (draw(3) - 1, draw(3) - 1)
      let extent = max(1, dilation * (kernel - 1) + 1 - before - after) + draw(9)
      let blocks = (extent + before + after - dilation * (kernel - 1) - 1) / stride + 1
      let values = (0..<channels * kernel * blocks).map { Double($0 % 11) }
      var sums = [Double](repeating: 0, count: channels * extent)
      for (place, value) in values.enumerated() {
        let (channel, element, block) = (place / blocks / kernel, place / blocks % kernel, place % blocks)
        let target = block * stride + element * dilation - before
        if 0..<extent ~= target { sums[channel * extent + target] += value }
      }
      let x = given([1, Dim(channels * kernel), Dim(blocks)], floats([1, channels * kernel, blocks], values))
      let y = try play(
        "Col2Im",
        [x],
        constants: [Tensor(.int64, [1], [Double(extent)]), Tensor(.int64, [1], [Double(kernel)])],
        ["strides": .ints([stride]), "dilations": .ints([dilation]), "pads": .ints([before, after])]
      )
      expect(y, [1, channels, extent], sums)
    }
  }

  @Test func determinants() throws {
    let matrices: [Double] = [0, 2, 0, 0, 0, 3, 4, 0, 0, 1, 2, 3, 2, 4, 6, 0, 1, 5, 2, 0, 0, 0, 3, 0, 1, 1, 4]
    expect(try play("Det", [given(["n", 3, 3], floats([3, 3, 3], matrices))]), [3], [24, 0, 24])
  }

  @Test func placesOfGreatestElements() throws {
    let x = given([1, "c", 1, 2], floats([1, 2, 1, 2], [5, 6, 7, 8]))
    let places = given([1, "c", 1, 2], Tensor(.int64, [1, 2, 1, 2], [1, 6, 8, 15]))
    let attributes: [String: ONNXAttribute] = ["kernel_shape": .ints([2, 2]), "strides": .ints([2, 2])]
    expect(
      try play("MaxUnpool", [x, places], attributes),
      [1, 2, 2, 4],
      [0, 5, 0, 0, 0, 0, 6, 0, 7, 0, 0, 0, 0, 0, 0, 8]
    )
  }

  /// Bins 0, 2, 4 and 8: columns rise and fall between them.
  @Test func melWeights() throws {
    let mel = { (bin: Double) in 2595 * log10(1 + bin / 700) }
    // 700 Hz are three steps of four above 0 Hz.
    let high = 700 * (pow(10, mel(700) * 4 / 3 / 2595) - 1)
    let constants = [Tensor(.int64, [], [2]), Tensor(.int64, [], [16]), Tensor(.int64, [], [1400])]
    let y = try play("MelWeightMatrix", [], constants: constants + [floats([], [0]), floats([], [high])])
    let edges = (0..<4).map { Int((17 * 700 * (pow(10, mel(700) * Double($0) / 3 / 2595) - 1) / 1400).rounded(.down)) }
    #expect(edges == [0, 2, 4, 8])
    expect(y, [9, 2], [0, 0, 0.5, 0, 1, 0, 0.5, 0.5, 0, 1, 0, 0.75, 0, 0.5, 0, 0.25, 0, 0])
  }

  /// Up, down and to the nearest of powers of two, beyond them with and without saturation.
  @Test func powersOfTwoRoundAsAsked() throws {
    let values = [0, 0.124, 0.25, 1.1, 1.5, 1.9, 3e38, 0x1p-127, 0x1p-128, .infinity, .nan]
    let x = Tensor(.float32, [values.count], values)
    func codes(_ mode: String, _ saturate: Int) throws -> [UInt8] {
      let attributes: [String: ONNXAttribute] = [
        "to": .int(24), "saturate": .int(saturate), "round_mode": .string(mode),
      ]
      return try play("Cast", [(TensorType(.float32, [.symbol("n")]), x)], attributes, opset: 24).codes
    }
    #expect(try codes("up", 1) == [0, 124, 125, 128, 128, 128, 254, 0, 0, 254, 255])
    #expect(try codes("down", 1) == [0, 123, 125, 127, 127, 127, 254, 0, 0, 254, 255])
    #expect(try codes("nearest", 1) == [0, 124, 125, 127, 128, 128, 254, 0, 0, 254, 255])
    #expect(try codes("nearest", 0) == [255, 124, 125, 127, 128, 128, 255, 0, 255, 255, 255])
    #expect(try codes("up", 0) == [255, 124, 125, 128, 128, 128, 255, 0, 255, 255, 255])
  }

  @Test func smallFloatsAreQuantised() throws {
    let x = Tensor([5], floats: [0, 1, -2, 1e5, .nan])
    let input = (TensorType(.float32, [.symbol("n")]), x)
    let scale = Tensor.scalar(.float32, 0.5)
    for (dtype, zero, codes) in [
      (DType.float8e4m3fn, 0.0, [0, 0x40, 0xc8, 0x7e, 0x7f]), (.float8e4m3fn, 1, [0x38, 0x44, 0xc4, 0x7e, 0x7f]),
      (.float8e5m2, 0, [0, 0x40, 0xc4, 0x7b, 0x7e]), (.float4e2m1, 0.5, [1, 4, 0xe, 7, 8]),
    ] {
      let result = try play("QuantizeLinear", [input], constants: [scale, .scalar(dtype, zero)], opset: 25)
      #expect(result == Tensor(dtype, [5], codes: codes.map { UInt8($0) }), "\(dtype) \(zero): \(result.codes)")
    }
    let open = try play(
      "QuantizeLinear",
      [input],
      constants: [scale],
      ["output_dtype": .int(19), "saturate": .int(0)],
      opset: 25
    )
    #expect(open.codes == [0, 0x40, 0xc4, 0x7c, 0x7e])
  }

  /// A slice that goes back from before the first element has that one, of extents known and open, by starts that are
  /// constants or not.
  @Test(arguments: [Dim(3), "n"], [DType.int64, .int32])
  func slicesGoBackFromTheFirstElement(_ extent: Dim, _ dtype: DType) throws {
    let x = given([extent, 2], floats([3, 2], [1, 2, 3, 4, 5, 6]))
    func slice(_ start: Int, _ end: Int, _ step: Int) throws -> Tensor {
      let end = dtype == .int32 ? max(end, Int(Int32.min)) : end
      let bounds = [[start, 1], [end, 2], [0, 1], [step, 1]].map { Tensor(dtype, [2], $0) }
      let known = try play("Slice", [x], constants: bounds)
      let computed = try play("Slice", [x, given([2], bounds[0])], constants: Array(bounds.dropFirst()))
      #expect(known == computed)
      return known
    }
    expect(try slice(-5, -9, -1), [1, 1], [2])
    expect(try slice(-1, -9, -2), [2, 1], [6, 2])
    expect(try slice(-2, Int.min, -1), [2, 1], [4, 2])
  }

  /// Positions in fp32 are whole numbers where those of fp32's third in fp64 lie just below.
  @Test(arguments: [true, false]) func nearestElementsInSingles(_ isOpen: Bool) throws {
    let x = given([isOpen ? "n" : 6], floats([6], [0, 1, 2, 3, 4, 5]))
    let wide = given([isOpen ? "n" : 7], floats([7], [0, 1, 2, 3, 4, 5, 6]))
    func resize(_ x: Input, _ size: Int, _ mode: String) throws -> Tensor {
      let attributes: [String: ONNXAttribute] = [
        "mode": .string("nearest"), "nearest_mode": .string("floor"), "coordinate_transformation_mode": .string(mode),
      ]
      let constants = [floats([0], []), floats([0], []), Tensor(.int64, [1], [size])]
      return try play("Resize", [x], constants: constants, attributes, opset: 19)
    }
    expect(try resize(x, 2, "half_pixel"), [2], [1, 4])
    expect(try resize(wide, 8, "align_corners"), [8], [0, 0, 1, 2, 3, 4, 5, 6])
  }

  /// One output of `pytorch_half_pixel` is the first element, whatever the scale.
  @Test(arguments: [Dim(3), "n"]) func oneOutputIsTheFirstElement(_ extent: Dim) throws {
    let x = given([extent], floats([3], [7, 1, 2]))
    for mode in ["linear", "cubic", "nearest"] {
      let attributes: [String: ONNXAttribute] = [
        "mode": .string(mode), "coordinate_transformation_mode": .string("pytorch_half_pixel"),
      ]
      let scales = [floats([0], []), floats([1], [0.5])]
      expect(try play("Resize", [x], constants: scales, attributes, opset: 13), [1], [7])
    }
  }
}
