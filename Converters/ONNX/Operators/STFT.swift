import MLCCore
import MLCGraph
import MLCOps

/// ONNX `STFT` → a strided `conv` by windowed cosines and sines: `signal: T[N, L, p]`, p 1 for real numbers or 2, or
/// `T[N, L]` → `T[N, frames, frequencies, 2]`, frames = ⌊(L − length) / step⌋ + 1. Length and step must be known.
package enum ONNXSTFT: ONNXOperator {
  package static let types = ["STFT"]
  package static let sinceOpset = 17
  package static var note: String { "frames of known length" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let given = try context.required(0)
    let data = context.fact(given)
    let parts = data.rank == 2 ? 1 : data.rank == 3 ? data.shape[2].constant ?? 0 : 0
    guard 1...2 ~= parts, data.dtype.isFloat else {
      throw Diagnostic("onnx.stft", "\(data.type) is no batch of signals")
    }
    guard let step = try context.integer(1, "frame_step", in: 1...1 << 24) else {
      throw Diagnostic("onnx.missing-input", "input 1 is required")
    }
    let window = context.input(2)
    let known = window.flatMap { context.fact($0).shape.first?.constant } ?? data.shape[1].constant
    guard let length = try context.integer(3, "frame_length", in: 1...1 << 24) ?? known, 1...1 << 24 ~= length,
      window.map({ context.fact($0).rank == 1 && ONNXContext.fits(context.fact($0).shape[0], Dim(length)) }) ?? true
    else { throw Diagnostic("onnx.stft", "the length of a frame is unknown, or not that of the window") }
    let frequencies = try node.flag("onesided", default: true) ? length / 2 + 1 : length
    guard frequencies * length * parts <= ONNXFourier.primeLimit * ONNXFourier.primeLimit * 2 else {
      throw Diagnostic("onnx.stft", "frames of \(length) elements are too long", kind: .unsupported)
    }
    let work: DType = data.dtype == .float64 ? .float64 : .float32
    let numbers = ONNXFourier(length: length).matrix(length, parts: parts, frequencies: frequencies)
    let matrix = Tensor(work, [length, parts, 2 * frequencies], numbers)
    var waves = try context.emit(Transpose([2, 1, 0]), context.constant(matrix, "waves"))
    if let window { waves = try context.emit(Mul(), waves, try context.cast(window, to: work)) }
    var x = try context.cast(given, to: work)
    x = data.rank == 2 ? try context.emit(ExpandDims([1]), x) : try context.emit(Transpose([0, 2, 1]), x)
    var conv = Conv()
    conv.strides = [step]
    let y = try context.emit(Transpose([0, 2, 1]), try context.emit(conv, x, waves))
    let shape = context.fact(y).shape
    let pairs = try context.reshape(y, [shape[0], shape[1], Dim(frequencies), 2], sources: [y])
    return [try context.cast(pairs, to: data.dtype)]
  }
}
