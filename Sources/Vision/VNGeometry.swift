// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Vision's.
import Foundation

/// All of a picture.
public let VNNormalizedIdentityRect = CGRect(x: 0, y: 0, width: 1, height: 1)

/// Whether `normalizedRect` is all of a picture.
public func VNNormalizedRectIsIdentityRect(_ normalizedRect: CGRect) -> Bool {
  normalizedRect == VNNormalizedIdentityRect
}

/// A rectangle in fractions of a picture in its pixels. Rows keep the way they are counted.
public func VNImageRectForNormalizedRect(_ normalizedRect: CGRect, _ imageWidth: Int, _ imageHeight: Int) -> CGRect {
  let (width, height) = (CGFloat(imageWidth), CGFloat(imageHeight))
  let rect = normalizedRect
  return CGRect(x: rect.minX * width, y: rect.minY * height, width: rect.width * width, height: rect.height * height)
}

/// A rectangle in pixels of a picture in fractions of it. Rows keep the way they are counted.
public func VNNormalizedRectForImageRect(_ imageRect: CGRect, _ imageWidth: Int, _ imageHeight: Int) -> CGRect {
  let (width, height) = (CGFloat(imageWidth), CGFloat(imageHeight))
  let rect = imageRect
  return CGRect(x: rect.minX / width, y: rect.minY / height, width: rect.width / width, height: rect.height / height)
}

/// A point in fractions of a picture in its pixels. Rows keep the way they are counted.
public func VNImagePointForNormalizedPoint(_ point: CGPoint, _ imageWidth: Int, _ imageHeight: Int) -> CGPoint {
  CGPoint(x: point.x * CGFloat(imageWidth), y: point.y * CGFloat(imageHeight))
}

/// A point in pixels of a picture in fractions of it. Rows keep the way they are counted.
public func VNNormalizedPointForImagePoint(_ point: CGPoint, _ imageWidth: Int, _ imageHeight: Int) -> CGPoint {
  CGPoint(x: point.x / CGFloat(imageWidth), y: point.y / CGFloat(imageHeight))
}
