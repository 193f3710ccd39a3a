import CoreMLProto
import MLCCore

/// The numbers of one weight as the file holds them: floats, or few bits each and what they mean.
struct NNWeight: Sendable {
  enum Decoding: Sendable {
    /// `scale · q + bias`, with one of both for all or one for each output channel.
    case linear(scale: [Float], bias: [Float])
    case palette([Float])
  }

  /// float32, float16, or unsigned integers of the next width that tensors have; `int8` without a bias.
  let elements: Tensor
  let decoding: Decoding?

  init(_ elements: Tensor, _ decoding: Decoding? = nil) { (self.elements, self.decoding) = (elements, decoding) }

  /// `count` quantised numbers. Throws `coreml.constant`, `coreml.compressed`.
  init(
    _ parts: [UInt32: Tensor],
    _ quantization: CoreML_Specification_QuantizationParams,
    _ count: Int,
    _ name: String
  ) throws(Diagnostic) {
    guard let bits = Int(exactly: quantization.numberOfBits), (1...8).contains(bits) else {
      throw MILConstexpr.wrong("\(name) have \(quantization.numberOfBits) bits each; 1 to 8 can be")
    }
    let signed = parts[NNWire.int8RawValue]
    guard let bytes = signed ?? parts[NNWire.rawValue], bits == 8 || signed == nil else {
      throw NNWeights.wrong(name, "are missing; there should be \(count) of \(bits) bits")
    }
    let (size, overflow) = count.multipliedReportingOverflow(by: bits)
    guard !overflow, bytes.count == (size + 7) / 8 else {
      throw NNWeights.wrong(name, "have \(bytes.count) bytes; \(count) numbers of \(bits) bits should be there")
    }
    let isPalette: Bool
    switch quantization.quantizationType {
    case .linearQuantization(let linear)?:
      decoding = .linear(scale: linear.scale, bias: linear.bias)
      isPalette = false
    case .lookupTableQuantization(let table)?:
      guard table.floatValue.count == 1 << bits, signed == nil else {
        throw MILConstexpr.wrong("\(name) have a table of \(table.floatValue.count) entries for \(bits) bits")
      }
      decoding = .palette(table.floatValue)
      isPalette = true
    case nil: throw MILConstexpr.wrong("\(name) have neither scales nor a table")
    }
    let dtype = signed != nil ? .int8 : NNWeight.container(bits, isPalette: isPalette)
    elements =
      bits == 8 ? bytes.viewed(as: dtype, [count])! : Tensor(dtype, [count], codes: bytes.unpacked(bits, count))
  }

  /// What holds elements of `bits` bits: palettes are of 1, 2, 3, 4, 6 or 8, other integers of 4 or 8.
  private static func container(_ bits: Int, isPalette: Bool) -> DType {
    switch bits {
    case 1 where isPalette: .uint1
    case 2 where isPalette: .uint2
    case 3 where isPalette: .uint3
    case 5...6 where isPalette: .uint6
    case ...4: .uint4
    default: .uint8
    }
  }

  /// The elements of a matrix `[rows, columns]` with both exchanged.
  func transposed(_ rows: Int, _ columns: Int) -> NNWeight {
    func turned<T: BitwiseCopyable>(_: T.Type) -> Tensor {
      elements.withElements(of: T.self) { source in
        Tensor(elements.dtype, [rows * columns]) { (out: UnsafeMutableBufferPointer<T>) in
          for row in 0..<rows {
            for column in 0..<columns { out[column * rows + row] = source[row * columns + column] }
          }
        }
      }
    }
    switch elements.dtype {
    case .float32: return NNWeight(turned(UInt32.self), decoding)
    case .float16: return NNWeight(turned(UInt16.self), decoding)
    case .int8, .uint8: return NNWeight(turned(UInt8.self), decoding)
    default:
      let wide = NNWeight(Tensor(.uint8, [rows * columns], codes: elements.codes)).transposed(rows, columns)
      return NNWeight(Tensor(elements.dtype, [rows * columns], codes: wide.elements.codes), decoding)
    }
  }

  /// The numbers as float32, output channels lying along `axis`. Throws `coreml.compressed`.
  func dense(_ shape: [Int], axis: Int, _ name: String) throws(Diagnostic) -> Tensor {
    switch decoding {
    case nil: return elements.dtype == .float32 ? elements.reshaped(shape) : Tensor(shape, floats: elements.floats)
    case .palette(let table)?: return Tensor(shape, floats: elements.codes.map { table[Int($0)] })
    case .linear(let scale, let bias)?:
      try checkChannels(shape, axis, name)
      let (channels, inner) = (NNWeight.channels(shape, axis), shape.dropFirst(axis + 1).reduce(1, *))
      let codes = elements.doubles
      let floats = codes.indices.map { index -> Float in
        let channel = index / inner % channels
        let offset = bias.isEmpty ? 0 : Double(bias[bias.count == 1 ? 0 : channel])
        return Float(codes[index] * Double(scale[scale.count == 1 ? 0 : channel]) + offset)
      }
      return Tensor(shape, floats: floats)
    }
  }

  /// One number is one channel.
  private static func channels(_ shape: [Int], _ axis: Int) -> Int { shape.indices.contains(axis) ? shape[axis] : 1 }

  /// Throws `coreml.compressed` unless scales and biases are one, or one for each channel.
  func checkChannels(_ shape: [Int], _ axis: Int, _ name: String) throws(Diagnostic) {
    guard case .linear(let scale, let bias)? = decoding else { return }
    let channels = NNWeight.channels(shape, axis)
    guard !scale.isEmpty, [1, channels].contains(scale.count), bias.isEmpty || [1, channels].contains(bias.count) else {
      throw MILConstexpr.wrong("\(name) have \(scale.count) scales and \(bias.count) biases for \(channels) channels")
    }
  }
}

extension Tensor {
  /// Numbers of `bits` bits in a row, each from its highest bit on, from the highest bit of each byte on.
  fileprivate func unpacked(_ bits: Int, _ count: Int) -> [UInt8] {
    withBytes { bytes in
      (0..<count).map { index in
        var code: UInt8 = 0
        for bit in index * bits..<(index + 1) * bits { code = code << 1 | (bytes[bit / 8] >> UInt8(7 - bit % 8)) & 1 }
        return code
      }
    }
  }
}
