import Foundation

/// Which corner of a picture rows and columns count from.
public enum CoordinateOrigin: Codable, Hashable, Sendable {
  case lowerLeft
  case upperLeft
}

/// A rectangle in fractions of a picture, rows counted upwards.
public struct NormalizedRect: Codable, Hashable, Sendable {
  public let cgRect: CGRect

  public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {
    cgRect = CGRect(x: x, y: y, width: width, height: height)
  }

  public init(normalizedRect: CGRect) { cgRect = normalizedRect }

  /// Of a rectangle in pixels, rows counted upwards.
  public init(imageRect: CGRect, in imageSize: CGSize) {
    self.init(
      x: imageRect.minX / imageSize.width,
      y: imageRect.minY / imageSize.height,
      width: imageRect.width / imageSize.width,
      height: imageRect.height / imageSize.height
    )
  }

  /// Of a rectangle in pixels, rows counted upwards, in fractions of a part of the picture.
  public init(imageRect: CGRect, in imageSize: CGSize, normalizedTo regionOfInterest: NormalizedRect) {
    let whole = NormalizedRect(imageRect: imageRect, in: imageSize).cgRect
    let part = regionOfInterest.cgRect
    self.init(
      x: (whole.minX - part.minX) / part.width,
      y: (whole.minY - part.minY) / part.height,
      width: whole.width / part.width,
      height: whole.height / part.height
    )
  }

  /// All of a picture.
  public static var fullImage: NormalizedRect { NormalizedRect(normalizedRect: VNNormalizedIdentityRect) }

  public var origin: CGPoint { cgRect.origin }
  public var width: CGFloat { cgRect.width }
  public var height: CGFloat { cgRect.height }

  /// In pixels of the picture, rows counted from `origin`.
  public func toImageCoordinates(_ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft) -> CGRect {
    let rect = origin == .lowerLeft ? cgRect : verticallyFlipped().cgRect
    return CGRect(
      x: rect.minX * imageSize.width,
      y: rect.minY * imageSize.height,
      width: rect.width * imageSize.width,
      height: rect.height * imageSize.height
    )
  }

  /// In pixels of the picture, of a rectangle in fractions of a part of it.
  public func toImageCoordinates(
    from regionOfInterest: NormalizedRect,
    imageSize: CGSize,
    origin: CoordinateOrigin = .lowerLeft
  ) -> CGRect {
    let part = regionOfInterest.cgRect
    return NormalizedRect(
      x: part.minX + cgRect.minX * part.width,
      y: part.minY + cgRect.minY * part.height,
      width: cgRect.width * part.width,
      height: cgRect.height * part.height
    ).toImageCoordinates(imageSize, origin: origin)
  }

  /// The same rectangle with rows counted the other way.
  public func verticallyFlipped() -> NormalizedRect {
    NormalizedRect(x: cgRect.minX, y: 1 - cgRect.maxY, width: cgRect.width, height: cgRect.height)
  }
}

/// A point in fractions of a picture, rows counted upwards.
public struct NormalizedPoint: Codable, Hashable, Sendable {
  public let x: CGFloat, y: CGFloat

  public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }

  public var cgPoint: CGPoint { CGPoint(x: x, y: y) }
}

/// What says where it is.
public protocol BoundingBoxProviding {
  /// In fractions of the region of interest, rows counted upwards.
  var boundingBox: NormalizedRect { get }
}
