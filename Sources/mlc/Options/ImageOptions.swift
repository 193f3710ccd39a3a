import ArgumentParser
import MLCCore
import MLCTensorIO

extension ImageInput.Layout: ExpressibleByArgument {}
extension ImageInput.Order: ExpressibleByArgument {}

/// How pictures become inputs.
struct ImageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("What is subtracted from pixels 0 … 255: one number, or one a channel.", valueName: "M[,G,B]")
  )
  var imageMean = "0"

  @Option(help: ArgumentHelp("What then divides them: one number, or one a channel.", valueName: "S[,G,B]"))
  var imageStd = "1"

  @Option(help: "Where the input has its channels.")
  var imageLayout = ImageInput.Layout.nchw

  @Option(help: "Which channel comes first.")
  var imageOrder = ImageInput.Order.rgb

  @Option(help: ArgumentHelp("Resize first; 48x or x320 keeps the proportions.", valueName: "HxW"))
  var imageSize: String?

  /// The picture in the file at `path` as the input `type`. Throws `image.syntax` and what the reader throws.
  func tensor(_ path: String, as type: TensorType) throws(Diagnostic) -> Tensor {
    let input = ImageInput(
      mean: try numbers(imageMean, "--image-mean"),
      deviation: try numbers(imageStd, "--image-std"),
      layout: imageLayout,
      order: imageOrder
    )
    let axis = imageLayout == .nchw ? 1 : 3
    let channels = type.rank == 4 ? type.shape[axis].constant : nil
    var picture = try ImageFile.read(path, channels: channels == 1 || channels == 3 ? channels : nil)
    if let (height, width) = try extents() {
      picture = try ImageFile.resize(picture, height: height, width: width)
    }
    return try input.tensor(picture, as: type.dtype)
  }

  private func numbers(_ text: String, _ option: String) throws(Diagnostic) -> [Float] {
    var values: [Float] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let value = Float(part.split(separator: " ").joined()) else {
        throw Diagnostic("image.syntax", "\(option) \(text): '\(part)' is no number", kind: .usage)
      }
      values.append(value)
    }
    return values
  }

  private func extents() throws(Diagnostic) -> (Int?, Int?)? {
    guard let imageSize else { return nil }
    let parts = imageSize.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    let numbers = parts.map { Int($0) }
    let isSound = parts.count == 2 && zip(parts, numbers).allSatisfy { $0.isEmpty || ($1 ?? 0) > 0 }
    guard isSound, numbers.contains(where: { $0 != nil }) else {
      throw Diagnostic("image.syntax", "--image-size \(imageSize): write HxW, Hx or xW", kind: .usage)
    }
    return (numbers[0], numbers[1])
  }
}
