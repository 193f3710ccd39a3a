import MLCCore
import MLCGraph
import MLCOps

/// Spatial axes `size` times as long, elements repeated or interpolated.
package struct KerasUpSampling: KerasLayer {
  package static let classNames = ["UpSampling1D", "UpSampling2D", "UpSampling3D"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let rank = spatialRank(call.layer.className)
    let isChannelsFirst = try KerasWindow.isChannelsFirst(call.config)
    let x = try context.spatial(try call.input(), rank: rank, isChannelsFirst: isChannelsFirst)
    let size = try call.config.ints("size", count: rank) ?? [Int](repeating: 2, count: rank)
    guard size.allSatisfy({ $0 > 0 && $0 <= 1 << 16 }) else { throw KerasConfig.wrong("size", "is not positive") }
    var op = Resize()
    op.axes = Array(2..<rank + 2)
    switch try call.config.string("interpolation", default: "nearest") {
    case "nearest": (op.mode, op.coordinateMode, op.nearestMode) = ("nearest", "asymmetric", "floor")
    case "bilinear": op.mode = "linear"
    case let other:
      throw Diagnostic("keras.option", "the interpolation '\(other)' is not supported", kind: .unsupported)
    }
    let scales = context.constant(Tensor([rank], floats: size.map { Float($0) }), "scales")
    return [context.spatialResult(try context.emit(op, x, nil, scales), isChannelsFirst: isChannelsFirst)]
  }
}
