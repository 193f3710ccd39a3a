import CoreML
import Foundation
import Testing

/// What goes into archives of Foundation's and comes out as it was.
@Suite struct ArchiveTests {
  /// The object of an archive of `object`.
  private func copy<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
    let archive = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: archive))
  }

  @Test func arraysOfAllTypesAndStrides() throws {
    for type in [MLMultiArrayDataType.double, .float32, .float16, .int32, .int8] {
      let array = MLMultiArray(shape: [2, 3], dataType: type, strides: [7, 2])
      for index in 0..<6 { array[index] = NSNumber(value: index - 2) }
      let read = try copy(array)
      #expect(read == array && read.dataType == type && read.strides == [3, 1])
    }
    let empty = try MLMultiArray(shape: [0, 4], dataType: .float32)
    #expect(try copy(empty).shape == [0, 4])
  }

  @Test func values() throws {
    let values = [
      MLFeatureValue(int64: -5), MLFeatureValue(double: 0.1), MLFeatureValue(string: "é\n"),
      MLFeatureValue(multiArray: try MLMultiArray([1.5, -2])), MLFeatureValue(undefined: .image),
      MLFeatureValue(sequence: MLSequence(strings: ["a", ""])), MLFeatureValue(sequence: MLSequence(int64s: [1, -2])),
      MLFeatureValue(sequence: MLSequence(empty: .string)), MLFeatureValue(undefined: .double),
      try MLFeatureValue(dictionary: ["a": 1.5, "b": 2]),
      try MLFeatureValue(dictionary: [NSNumber(value: 7): 0.25, NSNumber(value: -1): 0.75]),
    ]
    for value in values { #expect(try copy(value) == value, "\(value)") }
    let provider = try MLDictionaryFeatureProvider(dictionary: ["x": MLMultiArray([1, 2]), "name": "n"])
    let read = try copy(provider)
    #expect(read.dictionary == provider.dictionary)
  }

  @Test(
    arguments: [
      kCVPixelFormatType_32BGRA, kCVPixelFormatType_24RGB, kCVPixelFormatType_OneComponent16Half,
      kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    ]
  ) func pictures(format: UInt32) throws {
    var created: CVPixelBuffer?
    CVPixelBufferCreate(nil, 5, 3, format, nil, &created)
    let buffer = try #require(created)
    let base = try #require(CVPixelBufferGetBaseAddress(buffer))
    for row in 0..<3 {
      for place in 0..<5 {
        base.storeBytes(
          of: UInt8(16 * row + place + 1),
          toByteOffset: row * CVPixelBufferGetBytesPerRow(buffer) + place,
          as: UInt8.self
        )
      }
    }
    let value = MLFeatureValue(pixelBuffer: buffer)
    let read = try copy(value)
    let other = try #require(read.imageBufferValue)
    #expect(CVPixelBufferGetWidth(other) == 5 && CVPixelBufferGetHeight(other) == 3)
    #expect(CVPixelBufferGetPixelFormatType(other) == format)
    let copied = try #require(CVPixelBufferGetBaseAddress(other))
    for row in 0..<3 {
      let start = row * CVPixelBufferGetBytesPerRow(other)
      #expect(
        (0..<5).map { copied.load(fromByteOffset: start + $0, as: UInt8.self) }
          == (0..<5).map { UInt8(16 * row + $0 + 1) }
      )
    }
  }

  @Test func descriptions() throws {
    for url in [
      try Models.affine.get(), try Models.enumerated.get(), try Models.texts.get(), try Models.accumulator.get(),
    ] {
      let description = try MLModel(contentsOf: url).modelDescription
      let read = try copy(description)
      func lines(_ description: MLModelDescription) -> [String] {
        [
          description.inputDescriptionsByName, description.outputDescriptionsByName,
          description.stateDescriptionsByName,
        ].flatMap { $0.sorted { $0.key < $1.key }.map { $0.value.description } }
      }
      #expect(lines(read) == lines(description) && !lines(read).isEmpty)
      #expect(read.metadata[.author] as? String == "Someone")
      for (name, feature) in description.inputDescriptionsByName {
        let other = try #require(read.inputDescriptionsByName[name])
        #expect(other.multiArrayConstraint?.shape == feature.multiArrayConstraint?.shape)
        #expect(other.isOptional == feature.isOptional && other.type == feature.type)
        let (a, b) = (other.multiArrayConstraint?.shapeConstraint, feature.multiArrayConstraint?.shapeConstraint)
        #expect(a?.sizeRangeForDimension == b?.sizeRangeForDimension && a?.enumeratedShapes == b?.enumeratedShapes)
        #expect(other.sequenceConstraint?.countRange == feature.sequenceConstraint?.countRange)
      }
    }
    let states = try MLModel(contentsOf: Models.accumulator.get()).modelDescription.stateDescriptionsByName
    #expect(try copy(#require(states["acc"])).stateConstraint?.bufferShape == [4])
  }

  @Test func configurations() throws {
    let configuration = MLModelConfiguration()
    configuration.computeUnits = .cpuAndGPU
    configuration.functionName = "main"
    configuration.modelDisplayName = "Mine"
    configuration.allowLowPrecisionAccumulationOnGPU = true
    configuration.optimizationHints.reshapeFrequency = .infrequent
    configuration.verifiesPackage = true
    configuration.maximumPredictionsInFlight = 3
    configuration.parameters = [.learningRate: 0.5, .epochs.scoped(to: "conv"): 3, .linkedModelFileName: "a.mlmodelc"]
    let read = try copy(configuration)
    #expect(read.computeUnits == .cpuAndGPU && read.functionName == "main" && read.modelDisplayName == "Mine")
    #expect(read.allowLowPrecisionAccumulationOnGPU && read.optimizationHints == configuration.optimizationHints)
    #expect(read.verifiesPackage && read.expectedPackageDigest == nil && read.maximumPredictionsInFlight == 3)
    #expect(read.parameters?.count == 3 && read.parameters?[.learningRate] as? Double == 0.5)
    #expect(read.parameters?[.epochs.scoped(to: "conv")] as? Int == 3 && read.parameters?[.epochs] == nil)
    #expect(read.parameters?[.linkedModelFileName] as? String == "a.mlmodelc")
    #expect(try copy(MLModelConfiguration()).parameters == nil)
  }

  @Test func keysAreCopiedAndKept() throws {
    let key = MLParameterKey.beta1.scoped(to: "dense")
    #expect(try copy(key) == key && key.copy() as? MLParameterKey == key)
    #expect(Set([MLParameterKey.beta1, .beta2, .eps, .beta1]).count == 3 && key != .beta1)
    #expect(key.name == "beta1" && key.scope == "dense")
  }

  /// What is no archive, and an array whose elements are fewer than its shape says. Foundation itself ends a program
  /// that reads an object of another class than it asks for.
  @Test func whatIsNoArrayIsRefused() throws {
    func read(_ data: Data) -> MLMultiArray? {
      (try? NSKeyedUnarchiver.unarchivedObject(ofClass: MLMultiArray.self, from: data)) ?? nil
    }
    #expect(read(Data()) == nil && read(Data("no archive".utf8)) == nil)
    let array = try MLMultiArray(shape: [4, 9], dataType: .float32)
    let sound = try NSKeyedArchiver.archivedData(withRootObject: array, requiringSecureCoding: true)
    #expect(read(sound) == array)
    var list = try PropertyListSerialization.propertyList(from: sound, format: nil) as! [String: Any]
    var objects = list["$objects"] as! [Any]
    let place = try #require(objects.firstIndex { ($0 as? NSNumber) == 9 })
    objects[place] = 1 << 40
    list["$objects"] = objects
    #expect(read(try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)) == nil)
  }
}
