import CoreML

/// Colours for pictures that have none.
///
/// The model sees how light a picture is, in a small square, and answers what colours are there. They are made as large
/// as the picture, whose own lightness stays: the eye sees details in what is lighter and darker, hardly in colours.
struct Colorizer: Sendable {
  /// The side of the square that the model sees.
  private static let side = 64

  let model: ColourNet

  static func load() async throws -> Colorizer { Colorizer(model: try await ColourNet.load()) }

  /// The picture in colours. Throws `CancellationError` where the task is cancelled.
  func colorized(_ picture: Picture) async throws -> Picture {
    let (lab, side) = (picture.lab, Self.side)
    let lightness = Plane(width: picture.width, height: picture.height, values: lab.map(\.l))
    let seen = lightness.resized(width: side, height: side)
    let input = ColourNetInput(lightness: MLShapedArray(scalars: seen.values, shape: [1, 1, side, side]))
    let colours = try await model.prediction(input: input).colourShapedArray.scalars
    let planes = (0..<2).map { channel in
      Plane(width: side, height: side, values: Array(colours[channel * side * side..<(channel + 1) * side * side]))
        .resized(width: picture.width, height: picture.height)
    }
    try Task.checkCancellation()
    var result = picture
    for (pixel, colour) in lab.enumerated() {
      result.set(pixel, Lab(l: colour.l, a: planes[0].values[pixel], b: planes[1].values[pixel]))
    }
    return result
  }
}
