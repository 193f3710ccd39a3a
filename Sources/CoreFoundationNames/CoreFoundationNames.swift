import Foundation

/// A string of Core Foundation's, so that keys need no conversion: `kCVPixelBufferWidthKey as String`.
public typealias CFString = String
/// A number of Core Foundation's.
public typealias CFNumber = NSNumber
/// A boolean of Core Foundation's.
public typealias CFBoolean = Bool
/// A dictionary of Core Foundation's: `[kCVPixelBufferCGImageCompatibilityKey: true] as CFDictionary`.
public typealias CFDictionary = [AnyHashable: Any]
/// An array of Core Foundation's.
public typealias CFArray = [Any]
/// Bytes of Core Foundation's.
public typealias CFData = Data
/// Bytes of Core Foundation's that grow as they are written.
public typealias CFMutableData = NSMutableData
/// An address of Core Foundation's.
public typealias CFURL = URL
/// Any object of Core Foundation's.
public typealias CFTypeRef = AnyObject
/// The number of one of Core Foundation's types.
public typealias CFTypeID = UInt
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The number of an object's type, the same for all of one class.
public func CFGetTypeID(_ object: CFTypeRef) -> CFTypeID { CFTypeID(bitPattern: ObjectIdentifier(type(of: object))) }
/// A four-character code, such as a pixel format's.
public typealias OSType = UInt32

/// What gives objects memory: only the system's allocator, `kCFAllocatorDefault`, is there.
public final class CFAllocator: Sendable {
  fileprivate init() {}
}

/// The system's allocator.
public let kCFAllocatorDefault: CFAllocator? = nil
/// True, for dictionaries of attributes.
public var kCFBooleanTrue: CFBoolean! { true }
/// False, for dictionaries of attributes.
public var kCFBooleanFalse: CFBoolean! { false }
