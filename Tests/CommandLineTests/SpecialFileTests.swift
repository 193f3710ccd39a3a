import Foundation
import Testing

/// Pipes that nobody writes to, devices that never end and folders, in the place of each file that a command reads.
@Suite struct SpecialFileTests {
  private enum Kind: CaseIterable {
    case pipe, device, folder

    func put(at path: String) throws {
      try? FileManager.default.removeItem(atPath: path)
      switch self {
      case .pipe: mkfifo(path, 0o600)
      case .device: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
      case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      }
    }
  }

  private static let classifier = MLCProcess.fixture("classifier.onnx")
  private static let inputs = MLCProcess.fixture("classifier.npz")

  /// The file that is replaced, and the command that reads it.
  private struct Row: Sendable {
    var file: String, arguments: @Sendable (Workspace) -> [String]

    init(_ file: String, _ arguments: @escaping @Sendable (Workspace) -> [String]) {
      (self.file, self.arguments) = (file, arguments)
    }

    /// `mlc` with `arguments`, among which @ is the file.
    init(_ file: String, _ arguments: String...) {
      self.init(file) { work in arguments.map { $0.replacing("@", with: work.path(file)) } }
    }
  }

  private static let rows: [Row] =
    ["onnx", "keras", "h5", "hdf5", "mlmodel", "mlpackage", "npy", "npz", "json", "png", "jpg", "pb", "txt"].map {
      Row("file.\($0)", "inspect", "@")
    }
    + ["onnx", "keras", "h5", "mlmodel"].flatMap { suffix in
      [
        ["convert", "@"], ["compress", "@", "--fp16"], ["compile", "@"], ["verify", "@"],
        ["predict", "@", "--reference"],
        ["bench", "@"], ["generate", "@", "-o", "/tmp"], ["build", "@"],
      ].map { arguments in
        Row("file.\(suffix)") { work in arguments.map { $0.replacing("@", with: work.path("file.\(suffix)")) } }
      }
    }
    + [
      Row("in.npz", "verify", classifier, "--inputs", "@"),
      Row("out.npz", "verify", classifier, "--inputs", inputs, "--expected", "@"),
      Row("set/input_0.pb") { ["verify", classifier, "--inputs", $0.path("set")] },
      Row("x.npy", "predict", classifier, "--reference", "--input", "x=@"),
      Row("x.png", "predict", classifier, "--reference", "--input", "x=@"),
      Row("in.npz", "predict", classifier, "--reference", "--inputs", "@"),
      Row("labels.txt", "predict", classifier, "--reference", "--inputs", inputs, "--labels", "@"),
      Row("config.json", "compress", classifier, "-o", "@.mlpackage", "--config", "@"),
      Row("in.npz", "compress", classifier, "-o", "@.mlpackage", "--fp16", "--inputs", "@"),
      Row("in.npz", "compile", classifier, "-o", "@.mlmodelc", "--precision", "fp16", "--inputs", "@"),
      Row("in.npz", "convert", classifier, "-o", "@.mlpackage", "--precision", "fp16", "--inputs", "@"),
      Row("in.npz", "bench", classifier, "--inputs", "@"),
      Row("mlc.json") { ["build", $0.path("classifier.onnx")] },
    ]
    + ["manifest.json", "interface.json"].flatMap { file in
      [["predict", "--inputs", inputs], ["bench", "--iterations", "1"], ["inspect"]].map { arguments in
        Row("model.mlmodelc/\(file)") { [arguments[0], $0.path("model.mlmodelc")] + arguments.dropFirst() }
      }
    }
    + ["Manifest.json", "Data/com.apple.CoreML/model.mlmodel", "Data/com.apple.CoreML/weights/weight.bin"].map { file in
      Row("model.mlpackage/\(file)") { ["compile", $0.path("model.mlpackage")] }
    }

  @Test func areRefusedAndNotWaitedFor() throws {
    for kind in Kind.allCases {
      let work = try Workspace()
      for row in Self.rows {
        try prepare(row.file, work)
        try kind.put(at: work.path(row.file))
        // What waits is stopped, and counts as a failure.
        let run = try MLCProcess(script: "exec timeout -k 1 100 \"$@\"", row.arguments(work))
        let isRefused = [2, 3, 5].contains(run.status) && run.errors.contains("[")
        #expect(isRefused, "\(kind) at \(row.file), \(row.arguments(work)[0]): \(run.status)\n\(run.errors)")
        for name in work.contents { try FileManager.default.removeItem(atPath: work.path(name)) }
      }
    }
  }

  /// A result of an earlier build that is none says nothing: the build is done.
  @Test func areNoStamps() throws {
    let work = try Workspace()
    let model = try work.copy("classifier.onnx")
    mkfifo(work.path("classifier.mlmodelc.stamp"), 0o600)
    let run = try MLCProcess(script: "exec timeout -k 1 100 \"$@\"", ["build", model])
    #expect(run.status == 5 && run.errors.contains("[file.write]"))
  }

  /// What stands around the file.
  private func prepare(_ file: String, _ work: Workspace) throws {
    let files = FileManager.default
    if file == "mlc.json" { _ = try work.copy("classifier.onnx") }
    if file.hasPrefix("model.mlmodelc/") {
      let made = try MLCProcess("compile", Self.classifier, "-o", work.path("model.mlmodelc"), "--target", "x86-64-v2")
      try #require(made.status == 0, "\(made.errors)")
    }
    if file.hasPrefix("model.mlpackage/") {
      let fixture = MLCProcess.coreMLFixture("mil_pruned_ios18.mlpackage")
      try files.copyItem(atPath: fixture, toPath: work.path("model.mlpackage"))
    }
    let folder = URL(filePath: work.path(file)).deletingLastPathComponent()
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
  }
}
