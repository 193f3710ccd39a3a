import CoreGraphics
import Foundation

/// A photo of any size, and how it is turned to be shown.
struct Photo: Sendable {
  enum Content: Sendable {
    case file(URL)
    case image(CGImage)
  }

  let content: Content
  /// `nil` for what the file says; an image that says nothing stands upright.
  let orientation: CGImagePropertyOrientation?

  init(_ url: URL, orientation: CGImagePropertyOrientation? = nil) {
    (content, self.orientation) = (.file(url), orientation)
  }

  init(_ image: CGImage, orientation: CGImagePropertyOrientation? = nil) {
    (content, self.orientation) = (.image(image), orientation)
  }
}

/// How a photo becomes the square that the model takes.
enum Fitting: String, CaseIterable, Sendable {
  /// The middle of it.
  case crop
  /// All of it, between bars of black.
  case fit
  /// All of it, squeezed.
  case fill
}

/// What a photo shows, and how sure the model is of it, 0 … 1.
struct Label: Equatable, Sendable {
  let name: String
  let confidence: Float
}
