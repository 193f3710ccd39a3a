import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of Vision's errors, under Apple's name.
public let VNErrorDomain = "com.apple.vis"

/// What goes wrong with requests. Raw values are Vision's.
public enum VNErrorCode: Int, Sendable {
  case turiCore = -1
  case ok = 0
  case requestCancelled, invalidFormat, operationFailed, outOfBoundsError, invalidOption, ioError, missingOption
  case notImplemented, internalError, outOfMemory, unknownError, invalidOperation, invalidImage, invalidArgument
  case invalidModel, unsupportedRevision, dataUnavailable, timeStampNotFound, unsupportedRequest, timeout

  /// `catch VNErrorCode.invalidModel`.
  public static func ~= (code: VNErrorCode, error: any Error) -> Bool { (error as? VNError)?.code == code }
}

/// A request that went wrong. `localizedDescription` says how in full.
public struct VNError: CustomNSError, LocalizedError, Hashable, Sendable {
  public let code: VNErrorCode
  private let message: String

  init(_ code: VNErrorCode, _ message: String) { (self.code, self.message) = (code, message) }

  /// What Core ML found.
  init(_ error: any Error) {
    if let error = error as? VNError {
      self = error
      return
    }
    let code: VNErrorCode =
      switch (error as? MLModelError)?.code {
      case .io: .ioError
      case .featureType: .invalidFormat
      case nil where error is CancellationError: .requestCancelled
      default: .operationFailed
      }
    self.init(code, error.localizedDescription)
  }

  public static var errorDomain: String { VNErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
  public var errorDescription: String? { message }
  public var localizedDescription: String { message }
}
