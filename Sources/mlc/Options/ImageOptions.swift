import ArgumentParser
import MLCCore
import MLCImage
import MLCTensorIO

extension ImageInput.Layout: ExpressibleByArgument {}
extension ImageInput.Order: ExpressibleByArgument {}

/// How pictures become inputs.
struct ImageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("What is subtracted from pixels 0 to 255: one number, or one a channel.", valueName: "M[,G,B]")
  )
  var imageMean = "0"

  @Option(help: ArgumentHelp("What then divides them: one number, or one a channel.", valueName: "S[,G,B]"))
  var imageStd = "1"

  @Option(help: "Where the input has its channels.")
  var imageLayout = ImageInput.Layout.nchw

  @Option(help: "Which channel comes first; rgb unless the model says otherwise.")
  var imageOrder: ImageInput.Order?

  @Option(help: ArgumentHelp("Resize first; 48x or x320 keeps the proportions.", valueName: "HxW"))
  var imageSize: String?

  /// The picture in the file at `path` as the input `type`: a batch of one, and of inputs of three axes or two, which
  /// have no batch or neither batch nor channels, the one picture. Where `feature` is an image, its size and order of
  /// channels are what is not said otherwise. Throws `image.syntax` and what the reader throws.
  func tensor(_ path: String, as type: TensorType, _ feature: Feature? = nil) throws(Diagnostic) -> Tensor {
    var space: Feature.ColorSpace?
    if case .image(let own)? = feature?.form { space = own }
    let input = ImageInput(
      mean: try numbers(imageMean, "--image-mean"),
      deviation: try numbers(imageStd, "--image-std"),
      layout: imageLayout,
      order: imageOrder ?? (space == .bgr ? .bgr : .rgb)
    )
    var picture = try ImageFile.read(path)
    if let channels = channels(type), channels != picture.shape[2] {
      if ImageFile.isTransparent(picture) { Console.note("\(path): its alpha channel is laid over white") }
      picture = try ImageFile.read(path, channels: channels)
    }
    let own = space.map { _ in (type.shape[type.rank - 2].constant, type.shape[type.rank - 1].constant) }
    if let (height, width) = try extents() ?? own, height != nil || width != nil {
      picture = try ImageFile.resize(picture, height: height, width: width)
    }
    let tensor = try input.tensor(picture, as: type.dtype)
    switch type.rank {
    case 3: return tensor.reshaped(Array(tensor.shape.dropFirst()))
    case 2: return tensor.reshaped(Array(picture.shape.prefix(2)))
    default: return tensor
    }
  }

  /// The 1 or 3 channels that inputs of `type` want of a picture; `nil` where it may have its own.
  private func channels(_ type: TensorType) -> Int? {
    if type.rank == 2 { return 1 }
    guard type.rank == 3 || type.rank == 4 else { return nil }
    let channels = type.shape[imageLayout == .nchw ? type.rank - 3 : type.rank - 1].constant
    return channels == 1 || channels == 3 ? channels : nil
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
