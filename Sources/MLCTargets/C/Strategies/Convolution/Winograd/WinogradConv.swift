import MLCCore
import MLCKernels

/// Convolution of blocked inputs by 3×3 filters without strides, by Winograd's minimal filtering: tiles of inputs are
/// transformed, multiplied by transformed filters as (m+2)² products of matrices, tiles by channels by filters, and
/// transformed back. A dilated convolution is one of undilated pictures that lie between each other, and planes of taps
/// are further channels.
///
/// Its weights take 16/9 or four times the memory. Results differ from a direct sum's by a few times its rounding
/// error; an infinite input makes every output of its tile NaN.
package struct WinogradConv: ConvolutionStrategy {
  package static let name = "WinogradConv"
  let writer: ConvolutionWriter
  let input: BlockedView
  let plan: WinogradPlan

  var problem: ConvolutionProblem { writer.problem }
  var convolution: Convolution { problem.convolution }
  var transform: WinogradTransform { plan.transform }
  var panels: ConvolutionPanels { plan.panels }

  init(_ problem: ConvolutionProblem) throws(Diagnostic) {
    if problem.device.avoidsWinograd == true { throw problem.obstacle("it would take more memory") }
    let writer = try ConvolutionWriter(problem)
    if let obstacle = problem.blockedInputObstacle ?? problem.bytesObstacle { throw obstacle }
    guard problem.convolution.kernel == .init(3, 3), problem.convolution.strides == .init(1, 1) else {
      throw problem.obstacle("its filters are not of 3×3 with strides of 1")
    }
    guard problem.groups == 1 else { throw problem.obstacle("it is grouped") }
    // Where sums are compared or rounded, those that direct ones meet exactly would go to either side.
    guard problem.output.dtype.isFloat else { throw problem.obstacle("its epilogue decides by the last bit") }
    guard problem.compressed == nil, problem.packedType == .float32 else {
      throw problem.obstacle("its weights are stored in fewer bits")
    }
    guard problem.channels > 0, problem.filters > 0 else { throw problem.obstacle("it has no channels") }
    (self.writer, input) = (writer, BlockedView(problem.x)!)
    let plans = problem.device.wanted([.four, .two], WinogradConv.variant).map { WinogradPlan(problem, $0) }
    plan = plans.min { $0.cost < $1.cost }!
  }

  var cost: Double { plan.cost }

  /// Transformed filters, one of these for each product of a tile.
  var strips: WeightStrips {
    WeightStrips(
      columns: panels.blocksPerGroup * problem.block,
      steps: problem.depthTaps * problem.channels,
      width: problem.strip ?? panels.vectors * problem.block
    )
  }

  // MARK: Tiles

  /// Tiles of a picture along its rows and columns, those of a dilated one's pictures apart.
  private func tiles(along extent: Dim, dilation: Int) -> Dim {
    extent.ceilDiv(Dim(dilation)).ceilDiv(Dim(transform.outputs))
  }
  var tileRows: Dim { tiles(along: problem.rows, dilation: convolution.dilations.h) }
  var tileColumns: Dim { tiles(along: problem.columns, dilation: convolution.dilations.w) }
  var tilesOfPicture: Dim { tileRows * tileColumns }
  var tilesOfPlane: Dim { tilesOfPicture * Dim(convolution.dilations.h * convolution.dilations.w) }
  var tileCount: Dim { problem.batch * problem.planes * tilesOfPlane }
  private var groups: Dim { tileCount.ceilDiv(Dim(plan.groupTiles)) }

  func emit() -> EmittedKernel {
    var packed = writer.epilogue.padded
    packed[convolution.weight] = transformedWeights
    let main = plan.tiles[0]
    return EmittedKernel(
      problem.kernelName("winograd_f\(transform.outputs)_\(main.columns)x\(main.vectors * problem.block)"),
      source: source,
      tasks: writer.spell(groups * Dim(plan.chunks)),
      packed: packed,
      scratchBytes: (inputElements + productElements) * 4
    )
  }

  /// Elements of a group's transformed inputs, `[product][plane of taps][block of channels][tile][lane]`, of a chunk's
  /// products, `[product][block of filters][tile][lane]`, and of one product of either.
  var inputStep: Int { WinogradConv.apart(problem.depthTaps * input.blocks * plan.groupTiles * problem.block) }
  var productStep: Int { WinogradConv.apart(plan.chunkBlocks * plan.groupTiles * problem.block) }
  /// At least `elements`, an odd number of cache lines: what a tile has in all products falls into different sets.
  private static func apart(_ elements: Int) -> Int { ((elements + 15) / 16 | 1) * 16 }
  var inputElements: Int { transform.products * inputStep }
  private var productElements: Int { transform.products * productStep }

  private var transformedWeights: Tensor {
    let (strips, transform, channels, depth) = (strips, transform, problem.channels, problem.depthTaps)
    let values = problem.weightValues
    let step = strips.count * strips.stride
    return Tensor(.float32, [transform.products, strips.count, depth * channels, strips.width]) {
      (out: UnsafeMutableBufferPointer<Float>) in
      values.withUnsafeBufferPointer { from in
        for filter in 0..<problem.filters {
          for window in 0..<channels * depth {
            let (channel, plane) = window.quotientAndRemainder(dividingBy: depth)
            transform.transform(
              from.baseAddress! + (filter * channels * depth + window) * 9,
              to: out.baseAddress! + strips.place(column: filter, step: plane * channels + channel),
              step: step
            )
          }
        }
      }
    }
  }
}
