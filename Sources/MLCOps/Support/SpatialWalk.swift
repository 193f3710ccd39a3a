import MLCCore

/// A window over sizes that are known, as three spatial axes; missing ones lead with extent 1.
struct SpatialWalk {
  var input: [Int], output: [Int], kernel: [Int]
  var strides: [Int], dilations: [Int], low: [Int], high: [Int]
  /// Output o and kernel element k meet input `(o + low − k·dilation) / stride` where that is whole: a transposed
  /// convolution. Otherwise they meet input `o·stride + k·dilation − low`.
  var transposed = false

  init(_ window: SpatialWindow, input: [Int], output: [Int]) {
    func three(_ values: [Int], _ fill: Int) -> [Int] { Array(repeating: fill, count: 3 - values.count) + values }
    let pads = input.indices.map { window.padding($0, input: Dim(input[$0])) }
    self.input = three(input, 1)
    self.output = three(output, 1)
    kernel = three(window.kernel.map { $0.constant ?? 1 }, 1)
    strides = three(window.strides, 1)
    dilations = three(window.dilations, 1)
    low = three(pads.map { $0.low.constant ?? 0 }, 0)
    high = three(pads.map { $0.high.constant ?? 0 }, 0)
  }

  var inputCount: Int { input[0] * input[1] * input[2] }
  var outputCount: Int { output[0] * output[1] * output[2] }
  var kernelCount: Int { kernel[0] * kernel[1] * kernel[2] }

  /// The coordinate that output `o` and kernel element `k` meet on `axis`, negative when none; it may lie past the
  /// data.
  @inline(__always)
  func coordinate(_ axis: Int, _ o: Int, _ k: Int) -> Int {
    guard transposed else { return o &* strides[axis] &+ k &* dilations[axis] &- low[axis] }
    let position = o &+ low[axis] &- k &* dilations[axis]
    return position < 0 || position % strides[axis] != 0 ? -1 : position / strides[axis]
  }

  /// For output number `index` (row-major), the input number that each kernel element meets, −1 for padding.
  func sources(_ index: Int, into out: UnsafeMutablePointer<Int>) {
    let (o0, o1, o2) = (index / (output[1] * output[2]), index / output[2] % output[1], index % output[2])
    var next = 0
    for k0 in 0..<kernel[0] {
      let i0 = coordinate(0, o0, k0)
      for k1 in 0..<kernel[1] {
        let i1 = coordinate(1, o1, k1)
        let inside = i0 >= 0 && i0 < input[0] && i1 >= 0 && i1 < input[1]
        for k2 in 0..<kernel[2] {
          let i2 = coordinate(2, o2, k2)
          out[next] = inside && i2 >= 0 && i2 < input[2] ? (i0 &* input[1] &+ i1) &* input[2] &+ i2 : -1
          next &+= 1
        }
      }
    }
  }
}
