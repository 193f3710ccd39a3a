import MLCCore
import MLCKernels

/// A convolution to play: shapes, layouts and what its epilogue holds.
struct ConvolutionCase {
  typealias Pair = Convolution.Pair
  enum Piece { case bias, scale, mask, residual, row, relu, silu }

  /// Channels and filters.
  var c: Int, m: Int
  var kernel = Pair(1, 1), strides = Pair(1, 1), dilations = Pair(1, 1), groups = 1
  var top = 0, bottom = 0, left = 0, right = 0
  var epilogue: [Piece] = [.bias]
  /// Halo of the input beyond its padding, `nil` for a plain input, and of the output and the residual.
  var inputHalo: Int? = 0, outputHalo = 0, residualHalo = 0
  var isHalf = false
  /// Whether halves are bfloat16.
  var isBrain = false
  /// What the input is stored as and the weight is rounded to, where they are.
  var factors: DType?
  /// Whether every tensor is plain.
  var isPlain = false
  /// Whether the weight comes at run time.
  var isRunTime = false
  /// Whether the code is made before the sizes are known.
  var isSymbolic = false
  var depth: Convolution.Depth?
  /// `[N, H, W]`, or with depth `[N, D, H, W]`, each played with the same code when that is symbolic.
  var sizes: [[Int]]

  var type: DType { isHalf ? isBrain ? .bfloat16 : .float16 : .float32 }
  var inputType: DType { factors ?? type }
  /// The convolution without an epilogue.
  var bare: Convolution {
    Convolution(
      x: 0,
      weight: 1,
      output: 2,
      groups: groups,
      kernel: kernel,
      strides: strides,
      dilations: dilations,
      top: top,
      bottom: bottom,
      left: left,
      right: right,
      depth: depth
    )
  }
  var weightShape: [Int] { [m, c / groups] + bare.spans.map(\.kernel) }

  /// Spatial extents of the output.
  func outputSize(_ size: [Int]) -> [Int] {
    zip(size.dropFirst(), bare.spans).map { ($0 + $1.low + $1.high - $1.reach) / $1.stride + 1 }
  }

  /// Positions of the tensors in the kernel; the ones that the epilogue does not use are absent from `params`.
  struct Program {
    var program = KernelProgram()
    var kernel: Kernel
    var x: TensorID, output: TensorID
    /// Set when it comes at run time.
    var weight: TensorID?
    var scale: TensorID?, mask: TensorID?, residual: TensorID?, row: TensorID?
  }

  /// The kernel for one size, or for all of them, with constants `weight` and `bias`.
  func make(_ size: [Int], block: Int, weight: Tensor, bias: Tensor) -> Program {
    var program = KernelProgram()
    let names = depth == nil ? ["n", "h", "w"] : ["n", "d", "h", "w"]
    if isSymbolic { program.symbols = names }
    let extents = isSymbolic ? names.map { Dim.symbol($0) } : size.map { Dim($0) }
    let (n, input) = (extents[0], Array(extents[1...]))
    let result = zip(input, bare.spans).map {
      ($0 + Dim($1.low + $1.high - $1.reach)).floorDiv(Dim($1.stride)) + 1
    }
    let ones = result.map { _ in Dim(1) }
    var params: [Kernel.Param] = []
    func add(_ name: String, _ type: DType, _ shape: [Dim], _ kind: KernelTensor.Kind, _ layout: Layout) -> TensorID {
      var tensor = KernelTensor(name, type, shape, kind)
      tensor.layout = layout
      let id = program.add(tensor)
      params.append(.init(id, name == "out" ? .write : .read))
      return id
    }
    func blocked(_ halo: Int) -> Layout {
      isPlain ? .plain : .blocked(.init(block: block, top: halo, bottom: halo, left: halo, right: halo))
    }
    let inputLayout = (isPlain ? nil : inputHalo).map { extra in
      Layout.blocked(
        .init(block: block, top: top + extra, bottom: bottom + extra, left: left + extra, right: right + extra)
      )
    }
    let x = add("x", inputType, [n, Dim(c)] + input, .temporary, inputLayout ?? .plain)
    let kind = isRunTime ? KernelTensor.Kind.temporary : .constant(weight)
    let factors = add("weight", type, weight.shape.map { Dim($0) }, kind, .plain)
    let output = add("out", type, [n, Dim(m)] + result, .temporary, blocked(outputHalo))
    let own = (0..<2 + result.count).map { Index.axis($0) }
    var (value, made) = (
      Scalar.accumulator,
      Program(kernel: Kernel("", [], .routine(.nonZero(count: 0)), origins: []), x: x, output: output)
    )
    if isRunTime { made.weight = factors }
    for piece in epilogue {
      switch piece {
      case .bias:
        _ = add("bias", .float32, [Dim(m)], .constant(bias), .plain)
        value = value + .load(param: params.count - 1, [.axis(1)])
      case .scale:
        made.scale = add("scale", type, [n, Dim(m)] + ones, .temporary, blocked(0))
        let zeros = ones.map { _ in Index.constant(0) }
        value = value * .load(param: params.count - 1, [.axis(0), .axis(1)] + zeros)
      case .mask:
        made.mask = add("mask", .float32, result, .temporary, .plain)
        value = value * .load(param: params.count - 1, Array(own[2...]))
      case .residual:
        made.residual = add("residual", type, [n, Dim(m)] + result, .temporary, blocked(residualHalo))
        value = value + .load(param: params.count - 1, own)
      case .row:
        made.row = add("row", .float32, [result.last!], .temporary, .plain)
        value = value + .load(param: params.count - 1, [own.last!])
      case .relu: value = .binary(.max, value, .constant(0, .float32))
      case .silu: value = value * .unary(.sigmoid, value)
      }
    }
    var convolution = bare
    convolution.epilogue = value
    made.kernel = Kernel("conv", params, .convolution(convolution), origins: [])
    made.program = program
    return made
  }
}
