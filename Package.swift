// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

/// A Swift target of this package: every one is held to the same settings.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil, exclude: [String] = [])
  -> Target
{
  .target(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict)
}

func tests(
  _ name: String,
  _ dependencies: [Target.Dependency],
  exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name,
    dependencies: dependencies,
    exclude: exclude,
    resources: resources,
    swiftSettings: strict
  )
}

let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")

let package = Package(
  name: "mlc",
  products: [
    .executable(name: "mlc", targets: ["mlc"]),
    .library(name: "MLCRuntime", targets: ["MLCRuntime", "MLCDriverCPU"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
  ],
  targets: [
    // Values every module speaks.
    .target(name: "CMLCNumerics"),
    module("MLCCore", ["CMLCNumerics"]),

    // Tensors in files.
    .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
    .target(name: "CMLCImage", dependencies: ["CPNG", "CJPEG"]),
    module("MLCTensorIO", ["MLCCore", "CMLCImage", "CZip"]),

    // The graph and what may be done to it.
    module("MLCGraph", ["MLCCore"]),
    module("MLCOps", ["MLCGraph", "MLCCore"]),
    module("MLCPasses", ["MLCOps", "MLCGraph", "MLCCore"]),

    // From graph to kernels to native code.
    module("MLCKernels", ["MLCOps", "MLCGraph", "MLCCore"]),
    module("MLCTargetC", ["MLCKernels", "MLCCore"], path: "Sources/MLCTargets/C"),
    module("MLCPackage", ["MLCCore"]),
    module(
      "MLCCompiler",
      [
        "MLCTargetC", "MLCPackage", "MLCKernels", "MLCPasses", "MLCOps", "MLCGraph", "MLCCore", "MLCSpecs",
        "CMLCKernelABI",
      ]
    ),
    .target(
      name: "MLCSpecs",
      path: "Specs",
      exclude: ["onnx", "coreml", "generate.sh", "Package.md", "Kernels.md"],
      sources: ["DeviceCatalog.swift"],
      resources: [.embedInCode("Devices")],
      swiftSettings: strict
    ),

    // What an application links.
    .target(name: "CMLCKernelABI"),
    module("MLCRuntime", ["MLCPackage", "CMLCKernelABI", "MLCCore"]),
    module(
      "MLCDriverCPU",
      ["MLCRuntime", "MLCPackage", "CMLCKernelABI", "MLCCore"],
      path: "Sources/MLCDrivers/CPU"
    ),

    // Source formats.
    .systemLibrary(
      name: "CProtobuf",
      path: "Converters/Protobuf/CProtobuf",
      pkgConfig: "protobuf",
      providers: [.apt(["libprotobuf-dev"])]
    ),
    .target(
      name: "CProtobufScan",
      dependencies: ["CProtobuf"],
      path: "Converters/Protobuf/CProtobufScan"
    ),
    module(
      "MLCProtobuf",
      ["CProtobufScan", "MLCCore", protobuf],
      path: "Converters/Protobuf/MLCProtobuf"
    ),
    // Generated from Specs by Specs/generate.sh, hence not held to the settings of written code.
    .target(name: "ONNXProto", dependencies: [protobuf], path: "Converters/ONNX/Proto"),
    .target(name: "CoreMLProto", dependencies: [protobuf], path: "Converters/CoreML/Proto"),
    module(
      "MLCImportONNX",
      ["MLCOps", "MLCGraph", "MLCCore", "ONNXProto", "MLCProtobuf", protobuf],
      path: "Converters/ONNX",
      exclude: ["Proto"]
    ),
    module(
      "MLCFormatCoreML",
      ["MLCOps", "MLCGraph", "MLCCore", "CoreMLProto", "MLCProtobuf", protobuf],
      path: "Converters/CoreML",
      exclude: ["Proto"]
    ),

    // libhdf5, and files read with it in a child process.
    .systemLibrary(
      name: "CHDF5",
      path: "Converters/HDF5/CHDF5",
      pkgConfig: "hdf5",
      providers: [.apt(["libhdf5-dev"])]
    ),
    module("MLCHDF5", ["CHDF5", "MLCCore"], path: "Converters/HDF5/MLCHDF5"),
    module(
      "MLCImportKeras",
      ["MLCHDF5", "MLCTensorIO", "MLCOps", "MLCGraph", "MLCCore"],
      path: "Converters/Keras"
    ),

    // The command line: the only place that knows every importer, target and driver.
    .executableTarget(
      name: "mlc",
      dependencies: [
        "MLCImportONNX", "MLCImportKeras", "MLCHDF5", "MLCFormatCoreML", "MLCCompiler", "MLCPasses", "MLCKernels",
        "MLCTargetC", "MLCPackage",
        "MLCRuntime", "MLCDriverCPU", "MLCOps", "MLCGraph", "MLCTensorIO", "MLCCore", "MLCSpecs",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict
    ),

    tests("MLCCoreTests", ["MLCCore"]),
    tests("MLCKernelsTests", ["MLCKernels", "MLCOps", "MLCGraph", "MLCCore"]),
    tests(
      "MLCImportONNXTests",
      ["MLCImportONNX", "ONNXProto", "MLCProtobuf", "MLCCore", protobuf],
      resources: [.copy("Fixtures")]
    ),
    tests("MLCGraphTests", ["MLCOps", "MLCGraph", "MLCCore"]),
    tests("MLCPassesTests", ["MLCPasses", "MLCOps", "MLCGraph", "MLCCore"]),
    tests(
      "MLCFormatCoreMLTests",
      ["MLCFormatCoreML", "MLCImportONNX", "MLCOps", "MLCGraph", "MLCCore"],
      exclude: ["check_package.py", "make_fixtures.py"],
      resources: [.copy("Fixtures")]
    ),
    tests("MLCPackageTests", ["MLCPackage", "MLCCore"]),
    tests("MLCRuntimeTests", ["MLCRuntime", "MLCDriverCPU", "MLCPackage", "CMLCKernelABI", "MLCCore"]),
    tests("MLCTargetCTests", ["MLCTargetC", "MLCKernels", "MLCCore", "MLCSpecs"]),
    tests(
      "MLCTensorIOTests",
      ["MLCTensorIO", "MLCCore"],
      exclude: ["make_fixtures.py"],
      resources: [.copy("Fixtures")]
    ),
    tests("MLCCompilerTests", ["MLCCompiler", "MLCOps", "MLCGraph", "MLCCore"]),
    tests("CommandLineTests", ["mlc"], exclude: ["make_fixtures.py", "Fixtures"]),
    // Operator cases, played on every executor.
    tests(
      "OperatorSuite",
      [
        "TestSupport", "MLCImportONNX", "MLCCompiler", "MLCKernels", "MLCTargetC", "MLCRuntime", "MLCDriverCPU",
        "MLCOps",
        "MLCGraph", "MLCCore",
      ]
    ),
    // Models and tests that others wrote, with the answers of others.
    tests(
      "Conformance",
      [
        "TestSupport", "MLCImportONNX", "MLCTensorIO", "MLCCompiler", "MLCKernels", "MLCRuntime", "MLCDriverCPU",
        "MLCGraph", "MLCCore",
      ],
      exclude: ["expected_passes.txt"]
    ),
    module("TestSupport", ["MLCGraph", "MLCCore"], path: "Tests/Support"),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
