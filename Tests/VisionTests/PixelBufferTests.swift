import CoreML
import Foundation
import Testing

/// Buffers of pixels, and arrays of their memory.
@Suite struct PixelBufferTests {
  @Test func buffersAreMadeOfAllFormats() throws {
    let formats: [(OSType, Int)] = [
      (kCVPixelFormatType_32BGRA, 4), (kCVPixelFormatType_32ARGB, 4), (kCVPixelFormatType_24RGB, 3),
      (kCVPixelFormatType_OneComponent8, 1), (kCVPixelFormatType_OneComponent16Half, 2),
      (kCVPixelFormatType_OneComponent32Float, 4), (kCVPixelFormatType_128RGBAFloat, 16),
    ]
    for (format, bytes) in formats {
      let attributes =
        [kCVPixelBufferCGImageCompatibilityKey: kCFBooleanTrue!, kCVPixelBufferIOSurfacePropertiesKey: [:]]
        as CFDictionary
      var buffer: CVPixelBuffer?
      #expect(CVPixelBufferCreate(kCFAllocatorDefault, 13, 5, format, attributes, &buffer) == kCVReturnSuccess)
      let made = try #require(buffer)
      #expect(CVPixelBufferGetWidth(made) == 13 && CVPixelBufferGetHeight(made) == 5)
      #expect(CVPixelBufferGetBytesPerRow(made) >= 13 * bytes && CVPixelBufferGetBytesPerRow(made) % 64 == 0)
      #expect(!CVPixelBufferIsPlanar(made) && CVPixelBufferGetPlaneCount(made) == 0)
      #expect(try made.pixels(bytes).allSatisfy { $0 == 0 })
      #expect(CVPixelBufferLockBaseAddress(made, .readOnly) == kCVReturnSuccess)
      #expect(CVPixelBufferUnlockBaseAddress(made, .readOnly) == kCVReturnSuccess)
      #expect(CVPixelBufferUnlockBaseAddress(made, []) == kCVReturnInvalidArgument)
    }
  }

  @Test func whatCannotBeIsRefused() throws {
    var buffer: CVPixelBuffer?
    func status(_ width: Int, _ height: Int, _ format: OSType, _ attributes: CFDictionary? = nil) -> CVReturn {
      CVPixelBufferCreate(nil, width, height, format, attributes, &buffer)
    }
    let bgra = kCVPixelFormatType_32BGRA
    #expect(status(0, 4, bgra) == kCVReturnInvalidSize && status(4, -1, bgra) == kCVReturnInvalidSize)
    #expect(status(4, 4, 0x1234_5678) == kCVReturnInvalidPixelFormat)
    #expect(status(Int.max, Int.max, bgra) == kCVReturnAllocationFailed)
    #expect(status(1 << 20, 1 << 20, bgra) == kCVReturnAllocationFailed)
    let odd = [kCVPixelBufferBytesPerRowAlignmentKey: 48] as CFDictionary
    #expect(status(4, 4, bgra, odd) == kCVReturnInvalidPixelBufferAttributes && buffer == nil)
    var memory: [UInt8] = Array(repeating: 0, count: 64)
    memory.withUnsafeMutableBytes {
      let base = $0.baseAddress!
      #expect(CVPixelBufferCreateWithBytes(nil, 4, 4, bgra, base, 15, nil, nil, nil, &buffer) == -6661)
      #expect(CVPixelBufferCreateWithBytes(nil, 4, 4, bgra, base, 16, nil, nil, nil, &buffer) == kCVReturnSuccess)
    }
  }

  @Test func callersMemoryIsGivenBack() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 16)
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { count.deallocate() }
    count.pointee = 0
    var buffer: CVPixelBuffer?
    let status = CVPixelBufferCreateWithBytes(
      nil,
      2,
      4,
      kCVPixelFormatType_32BGRA,
      memory,
      8,
      { count, bytes in
        count?.assumingMemoryBound(to: Int.self).pointee += 1
        UnsafeMutableRawPointer(mutating: bytes)?.deallocate()
      },
      count,
      nil,
      &buffer
    )
    #expect(status == kCVReturnSuccess && count.pointee == 0)
    buffer = nil
    #expect(count.pointee == 1)
  }

  @Test func planesAreSmaller() throws {
    var made: CVPixelBuffer?
    let format = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    #expect(CVPixelBufferCreate(nil, 5, 3, format, nil, &made) == kCVReturnSuccess)
    let buffer = try #require(made)
    #expect(CVPixelBufferIsPlanar(buffer) && CVPixelBufferGetPlaneCount(buffer) == 2)
    #expect(CVPixelBufferGetWidthOfPlane(buffer, 1) == 3 && CVPixelBufferGetHeightOfPlane(buffer, 1) == 2)
    #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 2) == nil && CVPixelBufferGetWidthOfPlane(buffer, -1) == 0)
  }

  @Test func poolsMakeBuffersThatAreAlike() throws {
    let attributes: [String: Any] = [
      kCVPixelBufferWidthKey as String: 8, kCVPixelBufferHeightKey as String: 6,
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
    ]
    var pool: CVPixelBufferPool?
    #expect(CVPixelBufferPoolCreate(nil, nil, attributes as CFDictionary, &pool) == kCVReturnSuccess)
    var buffer: CVPixelBuffer?
    #expect(CVPixelBufferPoolCreatePixelBuffer(nil, try #require(pool), &buffer) == kCVReturnSuccess)
    #expect(CVPixelBufferGetWidth(try #require(buffer)) == 8)
    #expect(CVPixelBufferPoolCreate(nil, nil, nil, &pool) == kCVReturnInvalidPixelBufferAttributes)
  }

  @Test func attachmentsGoOn() throws {
    let format = kCVPixelFormatType_OneComponent8
    let (buffer, other) = (try CVBuffer.of(1, 1, format, [0]), try CVBuffer.of(1, 1, format, [0]))
    CVBufferSetAttachment(buffer, "kept", NSNumber(value: 3), .shouldPropagate)
    CVBufferSetAttachment(buffer, "own", NSNumber(value: 4), .shouldNotPropagate)
    CVBufferPropagateAttachments(buffer, other)
    var mode = CVAttachmentMode.shouldNotPropagate
    #expect(CVBufferCopyAttachment(other, "kept", &mode) as? NSNumber == 3 && mode == .shouldPropagate)
    #expect(CVBufferGetAttachment(buffer, "own", nil)?.takeUnretainedValue() as? NSNumber == 4)
    #expect(CVBufferCopyAttachment(other, "own", nil) == nil)
    CVBufferRemoveAttachment(other, "kept")
    CVBufferRemoveAllAttachments(buffer)
    #expect(CVBufferCopyAttachment(other, "kept", nil) == nil && CVBufferCopyAttachment(buffer, "own", nil) == nil)
  }

  @Test func arraysShareTheMemory() throws {
    var made: CVPixelBuffer?
    #expect(CVPixelBufferCreate(nil, 5, 6, kCVPixelFormatType_OneComponent16Half, nil, &made) == kCVReturnSuccess)
    let buffer = try #require(made)
    let array = MLMultiArray(pixelBuffer: buffer, shape: [2, 3, 5])
    let row = CVPixelBufferGetBytesPerRow(buffer) / 2
    #expect(array.dataType == .float16 && array.strides == [NSNumber(value: 3 * row), NSNumber(value: row), 1])
    array[[1, 2, 4]] = 7
    #expect(array.pixelBuffer == buffer)
    let last = (CVPixelBufferGetBaseAddress(buffer)! + 5 * row * 2 + 8).load(as: Float16.self)
    #expect(last == 7)
    var shaped = MLShapedArray<Float16>(mutating: buffer, shape: [6, 5])
    shaped[scalarAt: 0, 1] = 3
    #expect(array[[0, 0, 1]] == 3 && shaped.withPixelBufferIfAvailable { $0 == buffer } == true)
    let copy = shaped
    shaped[scalarAt: 0, 1] = 4
    #expect(copy[scalarAt: 0, 1] == 3 && shaped.withPixelBufferIfAvailable { $0 } == nil)
    #expect(MLShapedArray<Float16>(repeating: 0, shape: [2]).withPixelBufferIfAvailable { $0 } == nil)
  }
}
