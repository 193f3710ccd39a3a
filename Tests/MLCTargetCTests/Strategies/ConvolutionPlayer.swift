import Foundation
import MLCCore
import MLCKernels

/// Plays a convolution case on a device and compares every stored element with the reference.
struct ConvolutionPlayer {
  let device: DeviceDescription
  /// What an element of float32 may be off, of the sum of its products' magnitudes. Tiles that are transformed lose up
  /// to three bits more than direct sums.
  var unit = 0x1p-20

  /// What went wrong, one line a size; empty when all is well.
  func failures(_ c: ConvolutionCase) -> [String] {
    c.sizes.compactMap { size in
      do { return try mismatch(c, size).map { "\(device.label) \(size) \(c): \($0)" } } catch {
        return "\(device.label) \(size) \(c): \(error)"
      }
    }
  }

  private func mismatch(_ c: ConvolutionCase, _ size: [Int]) throws -> String? {
    var numbers = Numbers(seed: 7)
    let output = c.outputSize(size)
    let weight = numbers.tensor(c.type, c.weightShape)
    let x = numbers.tensor(c.inputType, [size[0], c.c] + size[1...])
    let extra: [ConvolutionCase.Piece: Tensor] = [
      .bias: numbers.tensor(.float32, [c.m]),
      .scale: numbers.tensor(c.type, [size[0], c.m] + output.map { _ in 1 }),
      .mask: numbers.tensor(.float32, output),
      .residual: numbers.tensor(c.type, [size[0], c.m] + output),
      .row: numbers.tensor(.float32, [output.last!]),
    ]
    let made = c.make(size, block: device.lanes, weight: weight, bias: extra[.bias]!)
    var inputs = [made.x: stored(x, made.program[made.x].layout)]
    if let id = made.weight { inputs[id] = stored(weight, .plain) }
    if let id = made.row { inputs[id] = stored(extra[.row]!, .plain) }
    if let id = made.scale { inputs[id] = stored(extra[.scale]!, made.program[id].layout) }
    if let id = made.mask { inputs[id] = stored(extra[.mask]!, .plain) }
    if let id = made.residual { inputs[id] = stored(extra[.residual]!, made.program[id].layout) }
    let factors = c.factors.map { weight.converted(to: $0) } ?? weight
    let expected = c.reference(size, x: x, weight: factors, extra: extra)
    let magnitudes = Tensor(.float64, [size[0], c.m] + output, expected.map(\.magnitude))
    let values = Tensor(.float64, magnitudes.shape, expected.map(\.value))
    let symbols = c.isSymbolic ? size.map { Int64($0) } : []
    for split in [true, false] {
      let bytes = try CompileAndRun(device).run(
        made.kernel,
        in: made.program,
        inputs: inputs,
        symbols: symbols,
        splitTasks: split
      ).outputs[made.output]!
      let layout = made.program[made.output].layout
      if let difference = compare(bytes, c.type, stored(values, layout), stored(magnitudes, layout)) {
        return difference
      }
    }
    return nil
  }

  /// Where halo and unused lanes must be exactly zero, the magnitude is zero and so is the tolerance.
  private func compare(_ bytes: [UInt8], _ type: DType, _ values: [UInt8], _ magnitudes: [UInt8]) -> String? {
    func doubles(_ bytes: [UInt8], _ type: DType) -> [Double] {
      let storage = Storage(byteCount: bytes.count) { $0.copyBytes(from: bytes) }
      return Tensor(type, [bytes.count * 8 / type.bitWidth], storage: storage)!.doubles
    }
    let (got, want) = (doubles(bytes, type), doubles(values, .float64))
    let scale = doubles(magnitudes, .float64)
    let unit = max(device.factors?.unitOfSums ?? 0, [.float16: 0x1p-10, .bfloat16: 0x1p-7][type] ?? unit)
    for i in want.indices where !(abs(got[i] - want[i]) <= unit * scale[i]) {
      return "element \(i) is \(got[i]), not \(want[i])"
    }
    return got.count == want.count ? nil : "\(got.count) elements, not \(want.count)"
  }
}
