import MLCCore
import MLCKernels

/// A convolution to play: shapes, layouts and what its epilogue holds.
struct ConvolutionCase {
  typealias Pair = Convolution.Pair
  enum Piece { case bias, scale, mask, residual, relu, silu }

  /// Channels and filters.
  var c: Int, m: Int
  var kernel = Pair(1, 1), strides = Pair(1, 1), dilations = Pair(1, 1), groups = 1
  var top = 0, bottom = 0, left = 0, right = 0
  var epilogue: [Piece] = [.bias]
  /// Halo of the input beyond its padding, `nil` for a plain input, and of the output and the residual.
  var inputHalo: Int? = 0, outputHalo = 0, residualHalo = 0
  var isHalf = false
  /// Whether the code is made before the sizes are known.
  var isSymbolic = false
  /// `[N, H, W]`, each played with the same code when that is symbolic.
  var sizes: [[Int]]

  var reach: Pair { Pair((kernel.h - 1) * dilations.h + 1, (kernel.w - 1) * dilations.w + 1) }
  var type: DType { isHalf ? .float16 : .float32 }

  func outputSize(_ size: [Int]) -> Pair {
    Pair(
      (size[1] + top + bottom - reach.h) / strides.h + 1,
      (size[2] + left + right - reach.w) / strides.w + 1
    )
  }

  /// Positions of the tensors in the kernel; the ones that the epilogue does not use are absent from `params`.
  struct Program {
    var program = KernelProgram()
    var kernel: Kernel
    var x: TensorID, output: TensorID
    var scale: TensorID?, mask: TensorID?, residual: TensorID?
  }

  /// The kernel for one size, or for all of them, with constants `weight` and `bias`.
  func make(_ size: [Int], block: Int, weight: Tensor, bias: Tensor) -> Program {
    var program = KernelProgram()
    if isSymbolic { program.symbols = ["n", "h", "w"] }
    let (n, h, w): (Dim, Dim, Dim) = isSymbolic ? ("n", "h", "w") : (Dim(size[0]), Dim(size[1]), Dim(size[2]))
    let oh = (h + Dim(top + bottom - reach.h)).floorDiv(Dim(strides.h)) + 1
    let ow = (w + Dim(left + right - reach.w)).floorDiv(Dim(strides.w)) + 1
    var params: [Kernel.Param] = []
    func add(_ name: String, _ type: DType, _ shape: [Dim], _ kind: KernelTensor.Kind, _ layout: Layout) -> TensorID {
      var tensor = KernelTensor(name, type, shape, kind)
      tensor.layout = layout
      let id = program.add(tensor)
      params.append(.init(id, name == "out" ? .write : .read))
      return id
    }
    func blocked(_ halo: Int) -> Layout {
      .blocked(.init(block: block, top: halo, bottom: halo, left: halo, right: halo))
    }
    let inputLayout = inputHalo.map { extra in
      Layout.blocked(
        .init(block: block, top: top + extra, bottom: bottom + extra, left: left + extra, right: right + extra)
      )
    }
    let x = add("x", type, [n, Dim(c), h, w], .temporary, inputLayout ?? .plain)
    _ = add("weight", type, weight.shape.map { Dim($0) }, .constant(weight), .plain)
    let output = add("out", type, [n, Dim(m), oh, ow], .temporary, blocked(outputHalo))
    var (value, made) = (
      Scalar.accumulator,
      Program(kernel: Kernel("", [], .routine(Routine("", sizes: [])), origins: []), x: x, output: output)
    )
    for piece in epilogue {
      switch piece {
      case .bias:
        _ = add("bias", .float32, [Dim(m)], .constant(bias), .plain)
        value = value + .load(param: params.count - 1, [.axis(1)])
      case .scale:
        made.scale = add("scale", type, [n, Dim(m), 1, 1], .temporary, blocked(0))
        value = value * .load(param: params.count - 1, [.axis(0), .axis(1), .constant(0), .constant(0)])
      case .mask:
        made.mask = add("mask", .float32, [oh, ow], .temporary, .plain)
        value = value * .load(param: params.count - 1, [.axis(2), .axis(3)])
      case .residual:
        made.residual = add("residual", type, [n, Dim(m), oh, ow], .temporary, blocked(residualHalo))
        value = value + .load(param: params.count - 1, [.axis(0), .axis(1), .axis(2), .axis(3)])
      case .relu: value = .binary(.max, value, .constant(0, .float32))
      case .silu: value = value * .unary(.sigmoid, value)
      }
    }
    let convolution = Convolution(
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
      epilogue: value
    )
    made.kernel = Kernel("conv", params, .convolution(convolution), origins: [])
    made.program = program
    return made
  }
}
