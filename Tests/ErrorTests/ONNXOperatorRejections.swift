import MLCCore
import ONNXProto

extension Rejection {
  static let onnxOperators: [Rejection] =
    onnxWindows + onnxMovements + onnxArithmetic + onnxRecurrences + onnxCompositions + onnxSampling + onnxSignals
    + onnxEarly + onnxRandom + onnxClassical

  private typealias Attribute = Onnx_AttributeProto
  private static let pixel = [1, 1, 1, 1]

  /// A node whose inputs have these shapes; `constants` follow them as initialisers.
  static func node(
    _ id: String,
    _ type: String,
    _ shapes: [[Int]],
    _ attributes: [Onnx_AttributeProto] = [],
    constants: [[Int]] = [],
    opset: Int = 17,
    domain: String = ""
  ) -> Rejection {
    Rejection(id) {
      let inputs = shapes.enumerated().map { ("x\($0)", $1 as [Int]?) }
      let tensors = constants.enumerated().map { ONNXModels.integers("c\($0)", $1) }
      let names = inputs.map { $0.0 } + tensors.map { $0.name }
      var made = ONNXModels.node(type, names, attributes)
      made.domain = domain
      try ONNXModels.read(ONNXModels.model([made], inputs: inputs, constants: tensors, opset: opset))
    }
  }

  private static let onnxWindows: [Rejection] = [
    node("onnx.auto-pad", "Conv", [pixel, pixel], [ONNXModels.attribute("auto_pad", "NONE")]),
    node("onnx.batch-norm", "BatchNormalization", [[1], [1], [1], [1], [1]]),
    node("onnx.global-pool", "GlobalAveragePool", [[1, 1]]),
    node("onnx.kernel-shape", "Conv", [pixel, pixel], [ONNXModels.attribute("kernel_shape", [2, 2])]),
    node("onnx.kernel-shape", "MaxPool", [pixel]),
    node("onnx.lrn", "LRN", [pixel]),
    node("onnx.output-shape", "ConvTranspose", [pixel, pixel], [ONNXModels.attribute("output_shape", [1])]),
    node("onnx.pads", "Conv", [pixel, pixel], [ONNXModels.attribute("pads", [0])]),
    node("conv.rank", "Conv", [pixel, [1, 1, 1]]),
  ]

  private static let onnxMovements: [Rejection] = [
    node("onnx.concat", "Concat", [[1]]),
    node("onnx.constant", "Constant", []),
    node(
      "onnx.constant-of-shape",
      "ConstantOfShape",
      [[1]],
      [ONNXModels.attribute("value", tensor: ONNXModels.integers("", [1, 2]))]
    ),
    node("onnx.depth-to-space", "DepthToSpace", [pixel]),
    node("onnx.flatten", "Flatten", [[1]], [ONNXModels.attribute("axis", 2)]),
    node("onnx.if", "If", [[1]]),
    node("onnx.loop", "Loop", [[1]]),
    node("onnx.pad", "Pad", [[1], [2]], [ONNXModels.attribute("mode", "none")]),
    node("onnx.pad", "Pad", [[1]], constants: [[1]]),
    node("onnx.resize", "Resize", [[1], [0], [1]], [ONNXModels.attribute("antialias", 1)], opset: 18),
    node("onnx.scan", "Scan", [[1]]),
    node("onnx.scatter", "ScatterND", [[1], [1], []], [ONNXModels.attribute("reduction", "none of these")]),
    node("onnx.slice", "Slice", [[1, 1]], constants: [[0], [1], [0, 1]]),
    node("onnx.slice", "Slice", [[1]], opset: 9),
    node("onnx.slice", "Slice", [[1], [1 << 32], [1]]),
    node("onnx.space-to-depth", "SpaceToDepth", [pixel]),
    node("onnx.split", "Split", [[1]], [ONNXModels.attribute("split", [Int]())], opset: 11),
  ]

  private static let onnxArithmetic: [Rejection] = [
    node("onnx.attribute-type", "Concat", [[1]], [ONNXModels.attribute("axis", "0")]),
    node("onnx.bit-shift", "BitShift", [[1], [1]]),
    node("onnx.cast", "Cast", [[1]]),
    node("einsum.equation", "Einsum", [[1]], [ONNXModels.attribute("equation", "i->ii")]),
    node("einsum.shape", "Einsum", [[1]], [ONNXModels.attribute("equation", "ij->i")]),
    node("onnx.cumsum", "CumSum", [[1]], constants: [[0, 0]]),
    node("onnx.dtype", "Cast", [[1]], [ONNXModels.attribute("to", 14)]),
    node("onnx.gelu", "Gelu", [[1]], [ONNXModels.attribute("approximate", "all")], opset: 20),
    node("onnx.gemm", "Gemm", [[1], [1, 1]]),
    node("onnx.not-constant", "CumSum", [[1], []]),
    node("onnx.quantization", "QuantizeLinear", [[2], [3]]),
  ]

  private static let onnxSampling: [Rejection] = [
    node("onnx.affine-grid", "AffineGrid", [[1, 2, 3]], constants: [[1, 1, 1]], opset: 20),
    node("onnx.affine-grid", "AffineGrid", [[1, 2, 3]], constants: [[1, 1, 1, -1]], opset: 20),
    node("onnx.col2im", "Col2Im", [[1, 1, 2]], constants: [[1], [1]], opset: 18),
    node("onnx.col2im", "Col2Im", [[1, 1, 1]], [ONNXModels.attribute("pads", [1])], constants: [[1], [1]], opset: 18),
    node("onnx.deform-conv", "DeformConv", [pixel, pixel, pixel], opset: 19),
    node("onnx.grid-sample", "GridSample", [pixel, [1, 1, 1, 3]]),
    node("onnx.grid-sample", "GridSample", [pixel, [1, 1, 1, 2]], [ONNXModels.attribute("mode", "none")]),
    node("onnx.max-unpool", "MaxUnpool", [pixel, pixel]),
    node("onnx.non-max-suppression", "NonMaxSuppression", [[1, 1, 3], [1, 1, 1]]),
    node("onnx.roi-align", "RoiAlign", [pixel, [1, 3], [1]]),
    node("onnx.roi-align", "MaxRoiPool", [pixel, [1, 5]]),
  ]

  private static let onnxSignals: [Rejection] = [
    node("onnx.det", "Det", [[1, 2]]),
    node("onnx.det", "Det", [[33, 33]]),
    node("onnx.dft", "DFT", [[1, 1, 3]]),
    node("onnx.dft", "DFT", [[1, 2053, 1]]),
    node("onnx.mel-weight-matrix", "MelWeightMatrix", [], constants: [[1], [2], [1], [5], [9]]),
    node("onnx.stft", "STFT", [[1, 1, 3]], constants: [[1]]),
    node("onnx.stft", "STFT", [[1, 1 << 13]], constants: [[1]]),
  ]

  private static let onnxRecurrences: [Rejection] = [
    node("onnx.activations", "LSTM", recurrent, [ONNXModels.attribute("activations", ["Tanh"])]),
    node("onnx.activations", "LSTM", recurrent, [ONNXModels.attribute("activations", ["None", "Tanh", "Tanh"])]),
    node("onnx.hidden-size", "LSTM", [[1, 1, 1], [1, 4, 1], [4, 1]]),
    node("onnx.hidden-size", "GRU", [[1, 1, 1], [1, 3, 1], [1, 3, 1 << 40], [1, 6 << 40]], [linearBeforeReset]),
    node("onnx.input-forget", "LSTM", recurrent, [ONNXModels.attribute("input_forget", 1)]),
  ]
  private static let linearBeforeReset = ONNXModels.attribute("linear_before_reset", 1)
  private static let recurrent = [[1, 1, 1], [1, 4, 1], [1, 4, 1]]
}
