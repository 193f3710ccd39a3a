import MLCCore
import MLCTensorIO

/// What would make a tensor of one shape an input of another.
enum InputRemedy {
  /// What to do with a tensor of the extents `given` where `wanted` are needed, none or one; `layout` is that of a
  /// picture, a batch of one.
  static func of(_ given: [Int], _ wanted: [Dim], picture layout: ImageInput.Layout?) -> [String] {
    if let layout { return picture(given, wanted, layout).map { [$0] } ?? [] }
    if fits([1] + given, wanted) { return ["--add-batch puts an axis of 1 before its axes"] }
    let lacksBatch = given.count == 3 && wanted.count == 4
    let whole = lacksBatch ? [1] + given : given
    guard whole.count == 4 else { return [] }
    let orders = [("last", [0, 2, 3, 1]), ("first", [0, 3, 1, 2])]
    guard let (place, order) = orders.first(where: { fits($0.1.map { whole[$0] }, wanted) }) else { return [] }
    let axes = (lacksBatch ? order.dropFirst().map { $0 - 1 } : order).map(String.init).joined(separator: ", ")
    let batch = lacksBatch ? ", and give --add-batch" : ""
    return ["the model takes channels \(place): transpose it by (\(axes))\(batch)"]
  }

  private static func fits(_ extents: [Int], _ wanted: [Dim]) -> Bool {
    extents.count == wanted.count && zip(wanted, extents).allSatisfy { $0.constant == nil || $0.constant == $1 }
  }

  /// As `of`, for a picture in `layout`: another layout, another size, other channels.
  private static func picture(_ given: [Int], _ wanted: [Dim], _ layout: ImageInput.Layout) -> String? {
    // One without a batch is like one of a batch.
    if given.count == 3, wanted.count == 3 { return picture([1] + given, [1] + wanted, layout) }
    guard given.count == 4, wanted.count == 4 else { return nil }
    let axis = layout == .nchw ? 1 : 3
    let (channels, rows) = (given[axis], layout == .nchw ? 2 : 1)
    for other in [layout, layout == .nchw ? .nhwc : .nchw] {
      let (channel, row) = other == .nchw ? (1, 2) : (3, 1)
      // Pictures turn grey or get colours where the model has one channel or three.
      let made = [1, 3].contains(wanted[channel].constant) ? wanted[channel].constant! : channels
      func extents(_ height: Int, _ width: Int) -> [Int] {
        other == .nchw ? [given[0], made, height, width] : [given[0], height, width, made]
      }
      let option = other == layout ? "" : "--image-layout \(other.rawValue)"
      if fits(extents(given[rows], given[rows + 1]), wanted), !option.isEmpty {
        return "the model has its channels elsewhere: \(option)"
      }
      guard let height = wanted[row].constant, let width = wanted[row + 1].constant else { continue }
      guard fits(extents(height, width), wanted) else { continue }
      return (option.isEmpty ? "" : option + " ") + "--image-size \(height)x\(width) makes it fit"
    }
    let needed = wanted[axis].constant
    if needed == 4, channels != 4 { return "the input has four channels: save the picture with its alpha channel" }
    if needed == 2, channels != 2 { return "the input has two channels: save the picture as grey with alpha" }
    return nil
  }
}
