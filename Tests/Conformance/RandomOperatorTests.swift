import Foundation
import MLCCore
import MLCImportONNX
import Testing

/// Operators that draw numbers.
extension ONNXOperatorTests {
  /// The words of one block, by the paper's recipe.
  private static func philox(_ counter: [UInt32], _ key: [UInt32]) -> [UInt32] {
    var (c, k) = (counter, key)
    for _ in 0..<10 {
      let (first, second) = (UInt64(c[0]) * 0xD251_1F53, UInt64(c[2]) * 0xCD9E_8D57)
      c = [
        UInt32(second >> 32) ^ c[1] ^ k[0], UInt32(truncatingIfNeeded: second),
        UInt32(first >> 32) ^ c[3] ^ k[1], UInt32(truncatingIfNeeded: first),
      ]
      k = [k[0] &+ 0x9E37_79B9, k[1] &+ 0xBB67_AE85]
    }
    return c
  }

  /// The words of counter 0 and key 0 are those that the authors publish.
  @Test func uniformNumbersArePhilox() throws {
    #expect(Self.philox([0, 0, 0, 0], [0, 0]) == [0x6627_E8D5, 0xE169_C58D, 0xBC57_AC4C, 0x9B00_DBD8])
    for seed in [Float(0), 7.5] {
      let attributes: [String: ONNXAttribute] = ["shape": .ints([3, 50]), "seed": .float(seed)]
      let y = try play("RandomUniform", [], attributes, opset: 1)
      let words = (0..<150).map { Self.philox([UInt32($0), 0, 0, 0], [seed.bitPattern, 0])[0] }
      #expect(y == Tensor([3, 50], floats: words.map { Float($0 >> 8) * 0x1p-24 }))
      let wide = attributes.merging(["dtype": .int(11), "low": .float(-1)]) { $1 }
      let z = try play("RandomUniform", [], wide, opset: 22)
      let numbers = (0..<150).map { place -> Double in
        let words = Self.philox([UInt32(place), 0, 0, 0], [seed.bitPattern, 0])
        return Double(UInt64(words[0]) << 21 + UInt64(words[1] >> 11)) * 0x1p-53 * 2 - 1
      }
      #expect(z == Tensor(.float64, [3, 50], numbers))
    }
  }

  @Test func numbersOfAnOpenShape() throws {
    let x = given(["n", 40], floats([50, 40], [Double](repeating: 0.25, count: 2000)))
    let normal = try play(
      "RandomNormalLike",
      [x],
      ["mean": .float(3), "scale": .float(2), "seed": .float(1)],
      opset: 1
    )
    let values = normal.doubles
    let mean = values.reduce(0, +) / 2000
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 2000
    #expect(abs(mean - 3) < 0.15 && abs(variance - 4) < 0.4, "\(mean) \(variance)")
    let bits = try play("Bernoulli", [x], ["seed": .float(2), "dtype": .int(6)]).integers
    #expect(bits.allSatisfy { $0 == 0 || $0 == 1 } && abs(Double(bits.reduce(0, +)) / 2000 - 0.25) < 0.04)
    let other = try play("Bernoulli", [x], ["seed": .float(3), "dtype": .int(6)]).integers
    #expect(bits != other)
    #expect(try play("Bernoulli", [x], ["seed": .float(2), "dtype": .int(6)]).integers == bits)
  }

  @Test func classesByTheirShares() throws {
    let shares: [Double] = [0.1, 0.6, 0.3]
    let x = given(["n", 3], floats([1, 3], shares.map { log($0) }))
    let y = try play("Multinomial", [x], ["sample_size": .int(3000), "seed": .float(5), "dtype": .int(7)])
    #expect(y.dtype == .int64 && y.shape == [1, 3000])
    for (number, share) in shares.enumerated() {
      let found = Double(y.integers.count { $0 == number }) / 3000
      #expect(abs(found - share) < 0.03, "\(number): \(found)")
    }
  }

  @Test func trainingDropsElements() throws {
    let x = given(["n"], floats([4000], [Double](repeating: 3, count: 4000)))
    let constants = [floats([], [0.25]), Tensor(.bool, [], [1])]
    let y = try results("Dropout", [x], constants: constants, ["seed": .int(9)], count: 2)
    let kept = y[1].integers
    #expect(y[0].doubles == kept.map { $0 == 1 ? 4 : 0 })
    #expect(abs(Double(kept.reduce(0, +)) / 4000 - 0.75) < 0.03)
    let inferred = try play("Dropout", [x], constants: [floats([], [0.25]), Tensor(.bool, [], [0])])
    #expect(inferred == x.value)
    #expect(try play("Dropout", [x], ["is_test": .int(1)], opset: 6) == x.value)
    let early = try play("Dropout", [x], ["ratio": .float(0.5)], opset: 6).doubles
    #expect(early.allSatisfy { $0 == 0 || $0 == 6 } && early.contains(0) && early.contains(6))
  }

  /// Numbers are those of onnxruntime.
  @Test func operatorsOfOnnxruntime() throws {
    func run(_ type: String, _ inputs: [Input], _ attributes: [String: ONNXAttribute] = [:], count: Int = 1) throws
      -> [Tensor]
    {
      try results(type, inputs, attributes, opset: 17, domain: "com.microsoft", count: count)
    }
    func plain(_ shape: [Int], _ values: [Double]) -> Input { given(shape.map { Dim($0) }, floats(shape, values)) }
    let ramp = { (shape: [Int]) in plain(shape, (0..<shape.reduce(1, *)).map { Double($0 % 7) }) }
    expect(try run("Inverse", [plain([2, 2], [2, 1, 1, 3])])[0], [2, 2], [0.6, -0.2, -0.2, 0.4])
    expect(try run("Inverse", [plain([1, 2, 2], [0, 2, 4, 0])])[0], [1, 2, 2], [0, 0.25, 0.5, 0])
    let unique = try run("Unique", [plain([6], [2, 1, 1, 3, 4, 3])], count: 3)
    expect(unique[0], [4], [2, 1, 3, 4])
    expect(unique[1], [6], [0, 1, 1, 2, 3, 2])
    expect(unique[2], [4], [1, 2, 2, 1])
    let squares = try run("CDist", [ramp([2, 3]), ramp([4, 3])], ["metric": .string("sqeuclidean")])[0]
    expect(squares, [2, 4], [0, 27, 38, 12, 27, 0, 41, 3])
    let pool: [String: ONNXAttribute] = ["kernel_shape": .ints([2, 2]), "strides": .ints([2, 2])]
    expect(try run("NhwcMaxPool", [ramp([1, 4, 4, 2])], pool)[0], [1, 2, 2, 2], [3, 4, 6, 6, 5, 6, 6, 3])
    // Of two pixels of two channels beside each other.
    let convolved = try run("NhwcConv", [ramp([1, 2, 2, 2]), plain([1, 1, 2, 2], [1, 2, 3, 4])])[0]
    expect(convolved, [1, 2, 1, 1], [20, 32])
    let split = try run("BiasSplitGelu", [plain([1, 1, 4], [1, 2, 0, 1]), plain([4], [0, 0, 0, 1])])[0]
    expect(split, [1, 1, 2], [0, 3.908999])
    let norm: [String: ONNXAttribute] = ["groups": .int(2), "epsilon": .float(0)]
    let x = plain([1, 1, 2, 2], [1, 10, 3, 20])
    let y = try run("GroupNorm", [x, plain([2], [1, 2]), plain([2], [0, 1])], norm)[0]
    expect(y, [1, 1, 2, 2], [-1, -1, 1, 3])
  }

  /// Rows of the pixels that a place of the smaller image covers count by their distance.
  @Test func smallerImagesAreMeans() throws {
    let x = (TensorType(.float32, [1, 1, 1, 4]), floats([1, 1, 1, 4], [1, 2, 3, 4]))
    let sizes = [floats([0], []), floats([0], []), Tensor(.int64, [4], [1, 1, 1, 2])]
    let attributes: [String: ONNXAttribute] = ["antialias": .int(1), "mode": .string("linear")]
    let y = try play("Resize", [x], constants: sizes, attributes, opset: 18)
    // Of 1, 1, 2, 3 (the edge twice) and 2, 3, 4, 4, weighed 1, 3, 3, 1.
    expect(y, [1, 1, 1, 2], [13.0 / 8, 27.0 / 8])
  }
}
