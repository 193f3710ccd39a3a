import MLCCore
import MLCKernels

extension LoopNestTests {
  /// Tensors of rank 5 into channel blocks, out of them, between them and reduced, with planes that have a halo.
  static var volumes: [NestCase] {
    [(32, 16), (19, 16), (10, 4)].flatMap { c, block -> [NestCase] in
      let shape: [Dim] = [2, Dim(c), 3, 4, 7]
      let axes = shape.enumerated().map { Axis($0, $1) }
      let index = axes.map { Index.axis($0.id) }
      let blocked = Layout.blocked(.init(block: block))
      let halo = Layout.blocked(.init(block: block, top: 1, bottom: 2, left: 3, right: 1))
      let moved = [("to_blocked", Layout.plain, halo), ("to_plain", halo, .plain), ("blocked", blocked, halo)].map {
        (name, from, to) in
        NestCase(
          name: "volume_\(name)_\(c)_\(block)",
          tensors: [NestCase.tensor(.float32, shape, from), NestCase.tensor(.float32, shape, to)],
          nest: LoopNest(axes, [.store(param: 1, index: index, axes: [], value: .unary(.abs, .load(param: 0, index)))])
        )
      }
      let mean = NestCase(
        name: "volume_mean_\(c)_\(block)",
        tensors: [NestCase.tensor(.float32, shape, halo), NestCase.tensor(.float32, [2, Dim(c)])],
        nest: LoopNest(
          Array(axes[..<2]),
          [
            .reduce(.sum, axes: Array(axes[2...]), value: .load(param: 0, index)),
            .store(param: 1, index: Array(index[..<2]), axes: [], value: .stage(0) * .constant(1 / 84, .float32)),
          ]
        )
      )
      return moved + [mean]
    }
  }
}
