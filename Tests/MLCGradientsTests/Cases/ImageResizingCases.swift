import MLCCore
import MLCOps

extension GradientCase {
  static let imageResizing: [GradientCase] = [
    GradientCase("resize.modes") { draw in
      let shape = draw.shape(rank: 1...3)
      var op = Resize()
      (op.mode, op.axes) = (draw.one(of: ["nearest", "linear", "cubic"]), draw.axes(rank: shape.count))
      op.coordinateMode = draw.one(of: ["half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel"])
      op.excludeOutside = draw.flag()
      if draw.flag() {
        let sizes = draw.integers([op.axes.count], 1...6)
        return DrawnOperation(op, [[draw.reals(shape)], [sizes]])
      }
      let scales = op.axes.map { _ in draw.one(of: [1.0, 1.5, 2, 3]) }
      return DrawnOperation(
        op,
        [[draw.reals(shape)], [], [Tensor(.float32, [op.axes.count], scales)]],
        fixed: ["scales"]
      )
    },
    GradientCase("resize.region") { draw in
      let shape = draw.shape(rank: 1...3, 2...4)
      var op = Resize()
      (op.mode, op.coordinateMode, op.extrapolationValue) = ("linear", "tf_crop_and_resize", 0.5)
      op.axes = draw.axes(rank: shape.count)
      let sizes = draw.integers([op.axes.count], 1...5)
      let starts = op.axes.map { _ in draw.real(-0.2...0.4) }
      let ends = op.axes.map { _ in draw.real(0.5...1.2) }
      let region = Tensor(.float32, [2 * op.axes.count], starts + ends)
      return DrawnOperation(op, [[draw.reals(shape)], [sizes], [], [region]], fixed: ["roi"])
    },
  ]
}
