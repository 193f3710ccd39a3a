// swift-tools-version: 6.2
import Foundation
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

// The command that the plugin runs is built, unless MLC in the environment names one, or an artifact bundle stands
// beside this file.
let isInstalled = !(Context.environment["MLC"] ?? "").isEmpty
let bundle = "mlc.artifactbundle"
let isBundled = FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(bundle)")

let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")

// On Apple's systems `import CoreML` is Apple's.
#if os(Linux)
  let coreMLProducts: [Product] = ["CoreML", "CoreVideo", "CoreGraphics", "ImageIO", "Vision"].map {
    .library(name: $0, targets: [$0])
  }
  let coreMLTargets: [Target] = [
    // Pictures in memory. The decoders of files are ImageIO's alone.
    .target(name: "CMLCPixels", linkerSettings: [.linkedLibrary("m")]),
    module("CoreFoundationNames"),
    module("CoreVideo", ["CoreFoundationNames"]),
    module("CoreGraphics", ["CoreFoundationNames", "CMLCPixels", "_Testing_CoreGraphics"]),
    module("_Testing_CoreGraphics"),
    module("ImageIO", ["CoreGraphics", "MLCImage", "MLCCore"]),
    // Arithmetic on tensors.
    .target(name: "CMLCTensor", linkerSettings: [.linkedLibrary("m")]),
    module(
      "CoreML",
      ["CoreVideo", "CoreGraphics", "CMLCPixels", "CMLCTensor", "MLCDriverCPU", "MLCRuntime", "MLCPackage", "MLCCore"]
    ),
    module("Vision", ["CoreML", "CoreVideo", "CoreGraphics", "ImageIO"]),
    .executableTarget(
      name: "coreml-bench",
      dependencies: ["CoreML"],
      path: "Tests/Benchmarks/CoreML",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "pictures-bench",
      dependencies: ["CoreML", "CoreVideo", "ImageIO"],
      path: "Tests/Benchmarks/Pictures",
      swiftSettings: strict
    ),
    tests(
      "CoreMLTests",
      [
        "TestSupport", "CoreML", "CMLCTensor", "MLCCompiler", "MLCTargetC", "MLCTensorIO", "MLCOps", "MLCGraph",
        "MLCCore", "mlc", "coreml-bench", "pictures-bench",
      ],
      exclude: ["make_fixtures.py", "Fixtures", "Tensor/numpy_answers.py"]
    ),
    tests(
      "VisionTests",
      [
        "Vision", "ImageIO", "CoreML", "CoreVideo", "CoreGraphics", "MLCCompiler", "MLCTargetC", "MLCOps", "MLCGraph",
        "MLCCore",
      ],
      exclude: ["draw_pictures.py"]
    ),
  ]
  // What gives readers the inputs of libFuzzer. It is guided by what is compiled for it: these programs alone, unless
  // MLC_FUZZ is in the environment and the command line says so for everything.
  let isFuzzed = Context.environment["MLC_FUZZ"] != nil
  func fuzzer(_ name: String, _ folder: String, _ dependencies: [Target.Dependency]) -> Target {
    let guided = ["-sanitize=fuzzer"]
    // gold does not read what the fuzzer's library says of lines.
    let linked = guided + ["-use-ld=lld"]
    return .executableTarget(
      name: name,
      dependencies: ["FuzzSupport", "MLCCore"] + dependencies,
      path: "Tests/Fuzz/\(folder)",
      swiftSettings: strict + (isFuzzed ? [] : [.unsafeFlags(guided)]),
      linkerSettings: isFuzzed ? [] : [.unsafeFlags(linked)]
    )
  }
  let fuzzers: [Target] = [
    .target(name: "CForkServer", path: "Tests/Fuzz/ForkServer"),
    .executableTarget(
      name: "hdf5-server",
      dependencies: ["CForkServer", "MLCHDF5", "MLCCore"],
      path: "Tests/Fuzz/HDF5Server",
      swiftSettings: strict
    ),
    module("FuzzSupport", ["MLCTensorIO", "MLCCore"], path: "Tests/Fuzz/Support"),
    fuzzer("fuzz-data", "Data", ["MLCTensorIO", "MLCImage", "MLCPackage"]),
    fuzzer(
      "fuzz-models",
      "Models",
      [
        "MLCImportONNX", "MLCImportKeras", "MLCHDF5", "MLCFormatCoreML", "MLCProtobuf", "MLCCompiler", "MLCTargetC",
        "MLCKernels", "MLCPasses", "MLCOps", "MLCGraph", "CForkServer",
      ]
    ),
  ]
#else
  let coreMLProducts: [Product] = []
  let coreMLTargets: [Target] = []
  let fuzzers: [Target] = []
#endif

let package = Package(
  name: "mlc",
  products: [
    .executable(name: "mlc", targets: ["mlc"]),
    .library(name: "MLCRuntime", targets: ["MLCRuntime", "MLCDriverCPU"]),
    .library(name: "MILBuilder", targets: ["MILBuilder"]),
    .plugin(name: "MLCPlugin", targets: ["MLCPlugin", "MLCTool"]),
  ] + coreMLProducts,
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
  ],
  targets: [
    // Values every module speaks.
    .target(name: "CMLCNumerics"),
    .target(name: "CMLCProcess"),
    module("MLCCore", ["CMLCNumerics", "CMLCProcess"]),

    // Work on texts.
    module("MLCText", ["MLCCore"]),

    // Pictures and other tensors in files.
    .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
    .target(name: "CMLCImage", dependencies: ["CPNG", "CJPEG"]),
    module("MLCImage", ["MLCCore", "CMLCImage"]),
    module("MLCTensorIO", ["MLCImage", "MLCCore", "CZip"]),

    // The graph and what may be done to it.
    module("MLCGraph", ["MLCCore"]),
    module("MLCOps", ["MLCGraph", "MLCImage", "MLCText", "MLCCore"]),
    module("MLCPasses", ["MLCOps", "MLCGraph", "MLCCore", "CMLCNumerics"]),
    module("MLCGradients", ["MLCOps", "MLCGraph", "MLCCore"]),

    // From graph to kernels to native code.
    module("MLCKernels", ["MLCOps", "MLCGraph", "MLCText", "MLCCore"]),
    module("MLCTargetC", ["MLCKernels", "MLCText", "MLCCore"], path: "Sources/MLCTargets/C"),
    module("MLCPackage", ["MLCCore"]),
    module(
      "MLCCompiler",
      [
        "MLCPackage", "MLCKernels", "MLCPasses", "MLCOps", "MLCGraph", "MLCCore", "MLCSpecs", "CMLCKernelABI",
      ]
    ),
    .target(
      name: "MLCSpecs",
      path: "Specs",
      exclude: ["onnx", "coreml", "generate.sh", "Package.md", "Kernels.md", "Manual"],
      sources: ["DeviceCatalog.swift"],
      resources: [.embedInCode("Devices.json")],
      swiftSettings: strict
    ),

    // What an application links.
    .target(name: "CMLCKernelABI", linkerSettings: [.linkedLibrary("m")]),
    module("MLCRuntime", ["MLCPackage", "MLCText", "CMLCKernelABI", "MLCCore"]),
    module(
      "MLCDriverCPU",
      ["MLCRuntime", "MLCPackage", "MLCText", "CMLCKernelABI", "MLCCore"],
      path: "Sources/MLCDrivers/CPU"
    ),

    // Models trained by native code.
    module(
      "MLCTraining",
      [
        "MLCCompiler", "MLCRuntime", "MLCPackage", "MLCGradients", "MLCKernels", "MLCPasses", "MLCOps", "MLCGraph",
        "MLCTensorIO", "MLCCore",
      ]
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
      ["MLCOps", "MLCGraph", "MLCCore", "CoreMLProto", "MLCProtobuf", "CZlib", protobuf],
      path: "Converters/CoreML",
      exclude: ["Proto"]
    ),
    module("MILBuilder", ["MLCFormatCoreML", "MLCOps", "MLCGraph", "MLCCore"]),

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

    // Swift code for a model's interface, and the step of a build that writes it.
    module("MLCInterfaceCode", ["MLCPackage", "MLCCore"]),
    .plugin(name: "MLCPlugin", capability: .buildTool(), path: "Sources/MLCPlugin"),
    .plugin(
      name: "MLCTool",
      capability: .buildTool(),
      dependencies: isInstalled ? [] : ["mlc"],
      path: "Sources/MLCTool"
    ),

    // What a machine can do at most: what reports compare kernels with.
    .target(name: "CMLCMeasure"),

    // The command line: the only place that knows every importer, target and driver.
    .executableTarget(
      name: "mlc",
      dependencies: [
        "MLCImportONNX", "MLCImportKeras", "MLCHDF5", "MLCFormatCoreML", "MLCCompiler", "MLCPasses", "MLCKernels",
        "MLCTargetC", "MLCPackage", "MLCRuntime", "MLCDriverCPU", "MLCOps", "MLCGraph", "MLCTensorIO", "MLCImage",
        "MLCTraining", "MLCGradients", "MLCCore", "MLCSpecs", "MLCInterfaceCode", "CMLCMeasure",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict
    ),

    tests("MLCCoreTests", ["TestSupport", "MLCCore", "CMLCNumerics"]),
    tests("MLCTextTests", ["MLCText", "MLCCore"], exclude: ["make_fixtures.py"], resources: [.copy("Fixtures")]),
    tests("MLCKernelsTests", ["TestSupport", "MLCTargetC", "MLCKernels", "MLCOps", "MLCGraph", "MLCCore"]),
    tests(
      "MLCImportONNXTests",
      ["MLCImportONNX", "ONNXProto", "MLCProtobuf", "MLCCore", protobuf],
      resources: [.copy("Fixtures")]
    ),
    tests("MLCGraphTests", ["MLCOps", "MLCGraph", "MLCCore"]),
    tests("MLCPassesTests", ["GraphFuzzing", "MLCPasses", "MLCOps", "MLCGraph", "MLCCore"]),
    tests(
      "MLCGradientsTests",
      [
        "TestSupport", "MLCGradients", "MLCCompiler", "MLCImportONNX", "MLCTensorIO", "MLCOps", "MLCGraph", "MLCCore",
      ]
    ),
    tests(
      "MLCTrainingTests",
      [
        "MLCTraining", "MLCGradients", "MLCCompiler", "MLCTargetC", "MLCKernels", "MLCDriverCPU", "MLCTensorIO",
        "MLCOps", "MLCGraph", "MLCCore",
      ]
    ),
    tests(
      "MLCFormatCoreMLTests",
      [
        "MLCFormatCoreML", "CoreMLProto", "CZlib", "MLCImportONNX", "MLCPasses", "MLCOps", "MLCGraph", "MLCCore",
        protobuf,
      ],
      exclude: ["check_package.py", "expand_package.py", "make_fixtures.py"],
      resources: [.copy("Fixtures")]
    ),
    tests(
      "MILBuilderTests",
      ["MILBuilder", "MLCFormatCoreML", "MLCImportONNX", "MLCPasses", "MLCOps", "MLCGraph", "MLCCore"]
    ),
    tests(
      "MLCInterfaceCodeTests",
      ["MLCInterfaceCode", "CoreML", "MLCPackage", "MLCCore"]
    ),
    tests(
      "MLCHDF5Tests",
      ["MLCHDF5", "MLCCore", "mlc"],
      exclude: ["make_fixtures.py"],
      resources: [.copy("Fixtures")]
    ),
    tests("MLCImportKerasTests", ["MLCImportKeras", "MLCHDF5", "MLCOps", "MLCGraph", "MLCCore"]),
    tests("MLCPackageTests", ["TestSupport", "MLCPackage", "MLCCore"]),
    tests(
      "MLCRuntimeTests",
      [
        "TestSupport", "MLCRuntime", "MLCDriverCPU", "MLCPackage", "MLCKernels", "MLCOps", "MLCGraph", "CMLCKernelABI",
        "MLCText", "MLCCore",
      ]
    ),
    tests("MLCTargetCTests", ["TestSupport", "MLCTargetC", "MLCCompiler", "MLCKernels", "MLCCore", "CMLCKernelABI"]),
    tests(
      "MLCTensorIOTests",
      ["MLCTensorIO", "MLCImage", "MLCCore"],
      exclude: ["make_fixtures.py"],
      resources: [.copy("Fixtures")]
    ),
    tests(
      "MLCCompilerTests",
      [
        "TestSupport", "MLCCompiler", "MLCTargetC", "MLCRuntime", "MLCDriverCPU", "MLCKernels", "MLCPasses", "MLCOps",
        "MLCGraph", "MLCCore",
      ]
    ),
    tests(
      "CommandLineTests",
      [
        "TestSupport", "mlc", "MLCFormatCoreML", "MLCImportKeras", "MLCHDF5", "MLCCompiler", "MLCTargetC", "MLCPackage",
        "MLCTensorIO", "MLCOps", "MLCGraph", "MLCCore", "ONNXProto", "CoreMLProto", protobuf,
      ],
      exclude: ["make_fixtures.py", "make_training_sources.py", "Fixtures"]
    ),
    // Operator cases, played on every executor.
    tests(
      "OperatorSuite",
      [
        "TestSupport", "GraphFuzzing", "MLCImportONNX", "MLCCompiler", "MLCKernels", "MLCTargetC", "MLCRuntime",
        "MLCDriverCPU", "MLCOps", "MLCGraph", "MLCCore",
      ]
    ),
    // The smallest input that each diagnostic refuses.
    tests(
      "ErrorTests",
      [
        "MLCImportONNX", "MLCFormatCoreML", "ONNXProto", "CoreMLProto", "MLCProtobuf", "MLCCompiler", "MLCTargetC",
        "MLCKernels", "MLCPackage", "MLCRuntime", "MLCDriverCPU", "MLCTensorIO", "MLCImage", "MLCOps", "MLCGraph",
        "MLCCore", "mlc", protobuf,
      ]
    ),
    // Models and tests that others wrote, with the answers of others.
    tests(
      "Conformance",
      [
        "TestSupport", "GraphFuzzing", "MLCImportONNX", "MLCImportKeras", "MLCFormatCoreML", "CoreMLProto", "MLCHDF5",
        "MLCTensorIO", "MLCTraining", "MLCCompiler", "MLCTargetC", "MLCKernels", "MLCPasses", "MLCOps", "MLCRuntime",
        "MLCDriverCPU", "MLCPackage", "MLCGraph", "MLCCore", "mlc", protobuf,
      ],
      exclude: ["expected_passes.txt", "expected_passes_early.txt", "compare_compression.py"]
    ),
    module(
      "TestSupport",
      [
        "MLCTensorIO", "MLCCompiler", "MLCTargetC", "MLCKernels", "MLCRuntime", "MLCDriverCPU", "MLCPackage",
        "MLCGraph", "MLCCore",
      ],
      path: "Tests/Support"
    ),

    // Random and mutated graphs as generated code under sanitizers, beside the interpreter.
    .target(
      name: "GraphFuzzing",
      dependencies: [
        "TestSupport", "MLCCompiler", "MLCTargetC", "MLCKernels", "MLCPasses", "MLCOps", "MLCGraph", "MLCCore",
      ],
      path: "Tests/GraphFuzzing",
      resources: [.embedInCode("Host/Host.c")],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "fuzz-graphs",
      dependencies: [
        "GraphFuzzing", "TestSupport", "MLCImportONNX", "MLCCompiler", "MLCKernels", "MLCGraph", "MLCCore",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/GraphFuzzingCommand",
      swiftSettings: strict
    ),
    tests(
      "GraphFuzzingTests",
      ["GraphFuzzing", "TestSupport", "MLCCompiler", "MLCTargetC", "MLCKernels", "MLCOps", "MLCGraph", "MLCCore"]
    ),
  ] + coreMLTargets + fuzzers,
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// With a bundled command this package is what applications link, and the plugin.
if isBundled {
  let linked = [
    "CMLCNumerics", "CMLCProcess", "MLCCore", "MLCText", "MLCPackage", "CMLCKernelABI", "MLCRuntime", "MLCDriverCPU",
    "CoreML", "CMLCPixels", "CMLCTensor", "CoreFoundationNames", "CoreVideo", "CoreGraphics", "_Testing_CoreGraphics",
    "ImageIO", "Vision", "MLCImage", "CMLCImage", "CPNG", "CJPEG", "MLCPlugin", "MLCTool",
  ]
  package.products.removeAll { ["mlc", "MILBuilder"].contains($0.name) }
  package.dependencies = []
  package.targets.removeAll { !linked.contains($0.name) }
  package.targets.append(.binaryTarget(name: "mlc", path: bundle))
}

// With MLC_FUZZ in the environment this package is what fuzzes the readers: the command is a library to it, whose own
// readers are fuzzed too, and tests are left out.
#if os(Linux)
  if isFuzzed, let command = package.targets.first(where: { $0.name == "mlc" }) {
    let entry = ["-enable-testing", "-Xfrontend", "-entry-point-function-name", "-Xfrontend", "mlc_main"]
    package.products = []
    let others = [
      "mlc", "CoreML", "Vision", "coreml-bench", "pictures-bench", "GraphFuzzing", "fuzz-graphs", "hdf5-server",
      "TestSupport",
    ]
    package.targets.removeAll { others.contains($0.name) || $0.type == .test || $0.type == .plugin }
    package.targets += [
      .target(name: "mlc", dependencies: command.dependencies, swiftSettings: strict + [.unsafeFlags(entry)]),
      fuzzer("fuzz-command", "Command", ["mlc", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
    ]
  }
#endif
