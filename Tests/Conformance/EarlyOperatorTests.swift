import MLCCore
import MLCImportONNX
import Testing

/// What operators meant in operator sets 1 to 8.
extension ONNXOperatorTests {
  private func given(_ shape: [Int], _ values: [Double]) -> Input {
    let value = floats(shape, values)
    return (value.type, value)
  }

  private func counted(_ shape: [Int]) -> Input {
    given(shape, (0..<shape.reduce(1, *)).map { Double($0 + 1) })
  }

  @Test func secondOperandsLieFromAnAxisOn() throws {
    let x = counted([2, 3])
    let first = try play("Add", [x, given([2], [10, 20])], ["broadcast": .int(1), "axis": .int(0)], opset: 6)
    expect(first, [2, 3], [11, 12, 13, 24, 25, 26])
    expect(
      try play("Sub", [x, given([3], [1, 2, 3])], ["broadcast": .int(1)], opset: 1),
      [2, 3],
      [0, 0, 0, 3, 3, 3]
    )
    let middle = given([1, 3, 2], [-1, 1, -1, 1, -1, 1])
    expect(try play("PRelu", [middle, given([3], [1, 2, 3])], opset: 6), [1, 3, 2], [-1, 1, -2, 1, -3, 1])
  }

  @Test func attributesBecameInputs() throws {
    let x = counted([2, 2])
    expect(try play("Reshape", [x], ["shape": .ints([4])], opset: 1), [4], [1, 2, 3, 4])
    expect(try play("Pad", [x], ["paddings": .ints([0, 1, 0, 0])], opset: 1), [2, 3], [0, 1, 2, 0, 3, 4])
    let repeats = [Tensor(.int64, [], [2]), Tensor(.int64, [], [1])]
    expect(try play("Tile", [x], constants: repeats, opset: 1), [2, 4], [1, 2, 1, 2, 3, 4, 3, 4])
    expect(try play("Concat", [x, x], opset: 1), [2, 4], [1, 2, 1, 2, 3, 4, 3, 4])
    expect(try play("TopK", [x], ["k": .int(1)], opset: 1), [2, 1], [2, 4])
    let scales: [String: ONNXAttribute] = ["height_scale": .float(1), "width_scale": .float(2)]
    expect(try play("Upsample", [counted([1, 1, 1, 2])], scales, opset: 1), [1, 1, 1, 4], [1, 1, 2, 2])
    expect(try play("Cast", [given([2], [1.5, -2.5])], ["to": .string("INT32")], opset: 1), [2], [1, -2])
    let window: [String: ONNXAttribute] = ["kernel_shape": .ints([2]), "p": .float(1)]
    expect(try play("LpPool", [counted([1, 1, 3])], window, opset: 1), [1, 1, 2], [3, 5])
  }

  /// Numbers are those of onnxruntime.
  @Test func operatorsOfEarlyModels() throws {
    let x = counted([1, 2, 3, 4])
    let both: [String: ONNXAttribute] = ["alpha": .float(2), "beta": .float(3)]
    expect(try play("Affine", [counted([2])], both, opset: 6), [2], [5, 7])
    expect(try play("Scale", [counted([2])], ["scale": .float(3)], opset: 6), [2], [3, 6])
    let image: [String: ONNXAttribute] = ["scale": .float(2), "bias": .floats([1, 2])]
    expect(try play("ImageScaler", [counted([1, 2, 1, 2])], image, opset: 6), [1, 2, 1, 2], [3, 5, 8, 10])
    let crop: [String: ONNXAttribute] = ["border": .ints([1, 0, 0, 1]), "scale": .ints([2, 2])]
    expect(try play("Crop", [x], crop, opset: 6), [1, 2, 2, 2], [2, 3, 6, 7, 14, 15, 18, 19])
    let border: [String: ONNXAttribute] = ["border": .ints([1, 0, 0, 1])]
    expect(try play("Crop", [x], border, opset: 6), [1, 2, 2, 3], [2, 3, 4, 6, 7, 8, 14, 15, 16, 18, 19, 20])
    let small = given([2], [1.0 / 24, 2.0 / 24])
    expect(try play("ParametricSoftplus", [small], both, opset: 6), [2], [1.515198, 1.6518788])
    expect(try play("ScaledTanh", [small], both, opset: 6), [2], [0.24870603, 0.48983732])
    let bounds = [Tensor(.int64, [1], [1]), Tensor(.int64, [1], [2]), Tensor(.int64, [1], [2])]
    let slice = try play("DynamicSlice", [x], constants: bounds, opset: 6)
    expect(slice, [1, 2, 1, 4], [5, 6, 7, 8, 17, 18, 19, 20])
    let centred = try play("MeanVarianceNormalization", [x], ["normalize_variance": .int(0)], opset: 6)
    expect(centred, [1, 2, 3, 4], (0..<24).map { Double($0 % 12) - 5.5 })
    let across = try play("MeanVarianceNormalization", [x], ["across_channels": .int(1)], opset: 6)
    expect(across, [1, 2, 3, 4], (0..<24).map { (Double($0) - 11.5) / 6.9221865525 })
  }

  @Test func batchesOfTheirOwnStatistics() throws {
    let x = given([2, 2, 1], [1, 2, 3, 6])
    let parameters = [given([2], [1, 2]), given([2], [0, 1]), given([2], [10, 20]), given([2], [1, 4])]
    let training: [String: ONNXAttribute] = ["epsilon": .float(0), "momentum": .float(0.5)]
    let early = try results("BatchNormalization", [x] + parameters, training, opset: 6, count: 5)
    for (result, numbers) in zip(early, [[-1, -1, 1, 3], [6, 12], [1, 4], [2, 4], [1, 4]] as [[Double]]) {
      expect(result, result.shape, numbers)
    }
    let new = training.merging(["training_mode": .int(1)]) { $1 }
    expect(try results("BatchNormalization", [x] + parameters, new, opset: 15, count: 3)[1], [2], [6, 12])
    let places = [given([2, 1], [1, 2]), given([2, 1], [0, 1]), given([2, 1], [1, 2]), given([2, 1], [4, 16])]
    let flat: [String: ONNXAttribute] = ["epsilon": .float(0), "spatial": .int(0), "is_test": .int(1)]
    for opset in [6, 7] {
      expect(try play("BatchNormalization", [x] + places, flat, opset: opset), [2, 2, 1], [0, 1, 1, 3])
    }
  }
}
