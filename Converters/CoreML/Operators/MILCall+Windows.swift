import MLCCore
import MLCGraph
import MLCOps

extension MILCall {
  /// Strides and dilations of 1 and no padding where none are said.
  mutating func fillWindow(axes: Int, dilations: Bool) {
    fill("strides", .ints([Int](repeating: 1, count: axes)))
    if dilations { fill("dilations", .ints([Int](repeating: 1, count: axes))) }
    fill("pad", .ints([Int](repeating: 0, count: 2 * axes)))
  }
}
