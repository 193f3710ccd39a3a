// swift-format-ignore-file: AlwaysUseLowerCamelCase, DontRepeatTypeInStaticProperties
// The names are Core Video's.

/// What Core Video's functions answer when something is wrong, as an error.
public struct CVError: Error, RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: CVReturn

  /// `nil` for `kCVReturnSuccess`.
  public init?(rawValue: CVReturn) {
    if rawValue == kCVReturnSuccess { return nil }
    self.rawValue = rawValue
  }

  private init(_ rawValue: CVReturn) { self.rawValue = rawValue }

  public static let internalError = CVError(kCVReturnError)
  public static let invalidArgument = CVError(kCVReturnInvalidArgument)
  public static let allocationFailed = CVError(kCVReturnAllocationFailed)
  public static let unsupported = CVError(kCVReturnUnsupported)
  public static let invalidPixelFormat = CVError(kCVReturnInvalidPixelFormat)
  public static let invalidSize = CVError(kCVReturnInvalidSize)
  public static let invalidPixelBufferAttributes = CVError(kCVReturnInvalidPixelBufferAttributes)
  public static let pixelBufferNotMetalCompatible = CVError(kCVReturnPixelBufferNotMetalCompatible)
  public static let wouldExceedAllocationThreshold = CVError(kCVReturnWouldExceedAllocationThreshold)
  public static let poolAllocationFailed = CVError(kCVReturnPoolAllocationFailed)
  public static let invalidPoolAttributes = CVError(kCVReturnInvalidPoolAttributes)
  public static let retry = CVError(kCVReturnRetry)

  /// Throws what `status` says is wrong, if anything.
  public static func check(_ status: CVReturn) throws(CVError) {
    if let error = CVError(rawValue: status) { throw error }
  }

  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .invalidArgument: "an argument is out of its range"
    case .allocationFailed: "there is no memory for the buffer, or it is too large"
    case .unsupported: "buffers of this kind do not do that"
    case .invalidPixelFormat: "the pixel format is not known"
    case .invalidSize: "the buffer has no pixels"
    case .invalidPixelBufferAttributes: "no buffer can have these attributes"
    case .pixelBufferNotMetalCompatible: "the buffer cannot be used with Metal"
    case .wouldExceedAllocationThreshold: "the pool has as many buffers as it may have"
    case .poolAllocationFailed: "there is no memory for the pool"
    case .invalidPoolAttributes: "no pool can have these attributes"
    case .retry: "the pool is in use; another try may do"
    default: "Core Video answered \(rawValue)"
    }
  }
}
