import Foundation
import MLCCore

/// The domain of Core ML's errors, under Apple's name.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MLModelErrorDomain = "com.apple.CoreML"

/// What goes wrong with models. `localizedDescription` says it in full. `error as NSError` is one of Core ML's domain
/// with the code and the information; `MLModelError(_nsError:)` is the way back.
public struct MLModelError: CustomNSError, LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of problems. Raw values are Core ML's.
  public enum Code: Int, Sendable {
    case generic = 0
    case featureType = 1
    case io = 3
    case customLayer = 4
    case customModel = 5
    case update = 6
    case parameters = 7
    case modelDecryptionKeyFetch = 8
    case modelDecryption = 9
    case modelCollection = 10
    case predictionCancelled = 11

    /// `catch MLModelError.io`.
    public static func ~= (code: Code, error: any Error) -> Bool { MLModelError(catching: error)?.code == code }
  }

  public static var generic: Code { .generic }
  public static var featureType: Code { .featureType }
  public static var io: Code { .io }
  public static var customLayer: Code { .customLayer }
  public static var customModel: Code { .customModel }
  public static var update: Code { .update }
  public static var parameters: Code { .parameters }
  public static var modelDecryptionKeyFetch: Code { .modelDecryptionKeyFetch }
  public static var modelDecryption: Code { .modelDecryption }
  public static var modelCollection: Code { .modelCollection }
  public static var predictionCancelled: Code { .predictionCancelled }

  public static var errorDomain: String { MLModelErrorDomain }

  /// What is kept: Core ML's domain, the code, and the user's information.
  public let _nsError: NSError

  /// The error that `_nsError` is, which should be of this domain. A code that Core ML does not have reads as
  /// `generic`.
  public init(_nsError: NSError) { self._nsError = _nsError }

  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    let given = [NSLocalizedDescriptionKey: "the model failed"].merging(userInfo) { $1 }
    _nsError = NSError(domain: MLModelErrorDomain, code: code.rawValue, userInfo: given)
  }

  /// Names of the model in `message` are escaped where they are not printable: who shows errors shows text.
  init(_ code: Code, _ message: String) {
    self.init(code, userInfo: [NSLocalizedDescriptionKey: message.printableLines])
  }

  /// What the runtime found, with its stable id in brackets.
  init(_ problem: Diagnostic) {
    let id = problem.id.rawValue
    let code: Code =
      if id.hasPrefix("runtime.input-") || id == "runtime.output-memory" {
        .featureType
      } else if id.hasPrefix("package.") || id.hasPrefix("file.") || id.hasPrefix("json.") {
        .io
      } else {
        .generic
      }
    self.init(code, problem.description)
  }

  public var code: Code { Code(rawValue: _nsError.code) ?? .generic }
  public var errorCode: Int { _nsError.code }
  public var userInfo: [String: Any] { _nsError.userInfo }
  public var errorUserInfo: [String: Any] { userInfo }
  public var errorDescription: String? { localizedDescription }
  /// `Error Domain=com.apple.CoreML Code=3 "there is no model"`.
  public var description: String { "Error Domain=\(MLModelErrorDomain) Code=\(errorCode) \"\(localizedDescription)\"" }
  public var localizedDescription: String {
    userInfo[NSLocalizedDescriptionKey] as? String ?? _nsError.localizedDescription
  }
}

extension MLModelError {
  /// What is caught, when it is an error of Core ML's, as a value or as an object.
  fileprivate init?(catching error: any Error) {
    if let error = error as? MLModelError {
      self = error
      return
    }
    let object = error as NSError
    guard object.domain == MLModelErrorDomain else { return nil }
    self.init(_nsError: object)
  }
}

/// Runs `body`, turning the runtime's diagnostics into Core ML's errors.
func reporting<R>(_ body: () throws(Diagnostic) -> R) throws(MLModelError) -> R {
  do throws(Diagnostic) { return try body() } catch { throw MLModelError(error) }
}
