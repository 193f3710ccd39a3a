// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Core Video's.
import Foundation

/// One dictionary for buffers that meet all that those in `attributes` ask for.
///
/// Of pixel formats, a number or an array of them, those stay that all take, in the order of the first; alignments and
/// pixels around the picture become the largest; a compatibility that one asks for holds; dictionaries are united.
/// Everything else, widths and heights among it, must be equal where several say it. Answers
/// `kCVReturnInvalidPixelBufferAttributes` where that cannot be, and for what is no dictionary; `resolvedDictionaryOut`
/// is `nil` then.
@discardableResult
public func CVPixelBufferCreateResolvedAttributesDictionary(
  _ allocator: CFAllocator?,
  _ attributes: CFArray?,
  _ resolvedDictionaryOut: UnsafeMutablePointer<CFDictionary?>
) -> CVReturn {
  resolvedDictionaryOut.pointee = nil
  var resolved: CFDictionary = [:]
  for element in attributes ?? [] {
    guard let given = element as? CFDictionary else { return kCVReturnInvalidPixelBufferAttributes }
    for (key, value) in given {
      guard let other = resolved[key] else {
        resolved[key] = value
        continue
      }
      guard let both = resolve(key, other, value) else { return kCVReturnInvalidPixelBufferAttributes }
      resolved[key] = both
    }
  }
  resolvedDictionaryOut.pointee = resolved
  return kCVReturnSuccess
}

private let largestCounts: Set<CFString> = [
  kCVPixelBufferBytesPerRowAlignmentKey, kCVPixelBufferPlaneAlignmentKey, kCVPixelBufferExtendedPixelsLeftKey,
  kCVPixelBufferExtendedPixelsTopKey, kCVPixelBufferExtendedPixelsRightKey, kCVPixelBufferExtendedPixelsBottomKey,
]

private let compatibilities: Set<CFString> = [
  kCVPixelBufferCGImageCompatibilityKey, kCVPixelBufferCGBitmapContextCompatibilityKey,
  kCVPixelBufferMetalCompatibilityKey, kCVPixelBufferOpenGLCompatibilityKey, kCVPixelBufferOpenGLESCompatibilityKey,
  kCVPixelBufferOpenGLESTextureCacheCompatibilityKey,
]

/// What two values of a key come to; `nil` where they contradict each other.
private func resolve(_ key: AnyHashable, _ a: Any, _ b: Any) -> Any? {
  let name = key as? CFString ?? ""
  if name == kCVPixelBufferPixelFormatTypeKey {
    let (first, second) = (numbers(a), numbers(b))
    let common = first.filter { second.contains($0) }
    return common.count > 1 ? common : common.first
  }
  if largestCounts.contains(name) {
    guard let a = wholeNumber(a), let b = wholeNumber(b) else { return nil }
    return max(a, b)
  }
  if compatibilities.contains(name) {
    guard let a = wholeNumber(a), let b = wholeNumber(b) else { return nil }
    return a != 0 || b != 0
  }
  if let a = a as? CFDictionary, let b = b as? CFDictionary {
    return a.allSatisfy { key, value in b[key].map { areEqual(value, $0) } ?? true } ? a.merging(b) { $1 } : nil
  }
  return areEqual(a, b) ? a : nil
}

private func areEqual(_ a: Any, _ b: Any) -> Bool {
  if let a = wholeNumber(a), let b = wholeNumber(b) { return a == b }
  guard let a = a as? AnyHashable, let b = b as? AnyHashable else { return false }
  return a == b
}

/// Of an array of numbers, and of one.
private func numbers(_ value: Any) -> [Int] { (value as? [Any] ?? [value]).compactMap { wholeNumber($0) } }
