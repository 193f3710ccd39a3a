import Foundation
import Testing

/// What is wrong whatever the model is, is refused before the model is read: here the model is none.
@Suite struct EarlyRefusalTests {
  private let work: Workspace
  private let inputs = MLCProcess.fixture("classifier.npz")

  init() throws {
    work = try Workspace()
    for suffix in ["onnx", "keras", "mlmodel"] {
      try Data("broken".utf8).write(to: URL(filePath: work.path("broken.\(suffix)")))
    }
    try FileManager.default.createDirectory(atPath: work.path("folder"), withIntermediateDirectories: false)
    try Data("precious".utf8).write(to: URL(filePath: work.path("folder/file")))
    try Data("precious".utf8).write(to: URL(filePath: work.path("file")))
    try Data([0xff, 0xfe]).write(to: URL(filePath: work.path("labels.txt")))
    mkfifo(work.path("pipe.npz"), 0o600)
  }

  private func expect(
    _ id: String,
    _ status: Int32,
    _ command: String,
    _ options: String...,
    environment: [String: String] = [:]
  )
    throws
  {
    for suffix in ["onnx", "keras", "mlmodel"] {
      let arguments = [command, work.path("broken.\(suffix)")] + options
      let before = work.contents
      let run = try MLCProcess(arguments: arguments, environment: environment)
      let isRight = run.status == status && run.errors.contains("[\(id)]")
      #expect(isRight, "\(id): \(arguments): \(run.status)\n\(run.errors)")
      #expect(work.contents == before)
    }
  }

  @Test func placesOfResults() throws {
    for command in ["compile", "build"] {
      let option = command == "compile" ? "-o" : "--package"
      for place in ["folder", "file"] { try expect("package.in-the-way", 2, command, option, work.path(place)) }
      try expect("file.write", 5, command, option, work.path("missing/out.mlmodelc"))
      try expect("file.write", 5, command, option, "/proc/out.mlmodelc")
    }
    for command in [["convert"], ["compress", "--fp16"]] {
      func refuse(_ place: String) throws {
        for suffix in ["onnx", "keras"] {
          let arguments = [command[0], work.path("broken.\(suffix)"), "-o", place] + command.dropFirst()
          let run = try MLCProcess(arguments: arguments)
          #expect(run.status == 5 && run.errors.contains("[file.write]"), "\(arguments): \(run.status)\n\(run.errors)")
        }
      }
      for place in ["folder", "file", "missing/out.mlpackage"] { try refuse(work.path(place)) }
      try refuse("/proc/out.mlpackage")
    }
    try expect("file.write", 5, "build", "--code", work.path("folder"))
    try expect("file.write", 5, "build", "--code", work.path("missing/out.swift"))
    try expect("file.write", 5, "generate", "-o", work.path("missing"))
    try expect("file.write", 5, "predict", "-o", work.path("missing/out.npz"))
    try expect("file.write", 5, "predict", "-o", work.path("pipe.npz"))
    try expect("tensor-file.extension", 2, "predict", "-o", work.path("out.txt"))
    for command in ["verify", "bench"] {
      try expect("file.write", 5, command, "--report", work.path("missing/out.html"))
      try expect("file.write", 5, command, "--report", work.path("folder"))
    }
    try expect("file.write", 5, "compile", "--keep-sources", work.path("file/sources"))
  }

  @Test func targetsAndCompilers() throws {
    for command in ["compile", "verify", "predict", "bench"] {
      try expect("target.unknown", 2, command, "--target", "z80")
      try expect("compiler.missing", 5, command, environment: ["MLC_CC": "/nonexistent"])
    }
    try expect("target.arithmetic", 2, "compile", "--target", "x86-64-v3", "--arithmetic", "bf16")
    try expect("target.arithmetic", 2, "compile", "--target", "armv8-a,x86-64-v4-bf16", "--arithmetic", "fp16")
    try expect("compiler.missing", 5, "build", environment: ["MLC_CC": "/nonexistent"])
    // One that does not know the language that code is in, as gcc before 12.
    let old = try work.script("old-cc", "echo \"kernels.c: error: unknown type name 'V'\" >&2; exit 1")
    try expect("compiler.unusable", 5, "compile", environment: ["MLC_CC": old])
    try expect("compiler.unusable", 5, "build", environment: ["MLC_CC": old])
    try expect("convert.target", 2, "convert", "--minimum-deployment-target", "iOS3")
    try expect("convert.target", 2, "compress", "--fp16", "--minimum-deployment-target", "iOS3")
    try expect("pass.unknown", 2, "compile", "--print-after", "frobnicate")
  }

  @Test func filesThatAreRead() throws {
    try expect("labels.encoding", 3, "predict", "--labels", work.path("labels.txt"))
    try expect("file.open", 3, "predict", "--labels", work.path("missing.txt"))
    try expect("labels.missing", 2, "predict", "--ctc")
    try expect("labels.top", 2, "predict", "--top", "0")
    try expect("input.syntax", 2, "predict", "--input", "x")
    try expect("file.open", 3, "predict", "--input", "x=\(work.path("missing.npy"))")
    for command in ["predict", "bench"] {
      try expect("file.open", 3, command, "--inputs", work.path("missing.npz"))
      try expect("file.not-a-file", 3, command, "--inputs", work.path("pipe.npz"))
      try expect("tensor-file.unknown", 3, command, "--inputs", work.path("file"))
    }
    for option in ["--inputs", "--expected"] {
      let other = option == "--expected" ? ["--inputs", inputs] : []
      let run = try MLCProcess(
        arguments: ["verify", work.path("broken.onnx"), option, work.path("missing.npz")] + other
      )
      #expect(run.status == 3 && run.errors.contains("[file.missing]"), "\(run.errors)")
    }
    try expect("verify.inputs", 2, "verify", "--expected", inputs)
    try expect("format.unknown", 3, "verify", work.path("file"))
    try expect("size.syntax", 2, "verify", "--size", "width")
    try expect("size.syntax", 2, "bench", "--size", "width")
    try expect("size.unused", 2, "verify", "--inputs", inputs, "--size", "width=2")
    try expect("file.missing", 3, "compile", "--precision", "fp16", "--inputs", work.path("missing.npz"))
    try expect("file.open", 3, "compress", "--fp16", "--inputs", work.path("missing.npz"))
    try expect("file.open", 3, "compress", "--config", work.path("missing.json"))
    try expect("precision.inputs", 2, "compile", "--inputs", inputs)
    for command in ["compile", "convert", "verify", "generate"] {
      try expect(
        "input.syntax",
        2,
        command,
        "--input",
        "x=1,four!",
        "-o",
        work.path("."),
        skipsOut: command == "verify"
      )
    }
  }

  private func expect(_ id: String, _ status: Int32, _ command: String, _ options: String..., skipsOut: Bool) throws {
    let arguments = [command, work.path("broken.onnx")] + (skipsOut ? Array(options.dropLast(2)) : options)
    let run = try MLCProcess(arguments: arguments)
    #expect(run.status == status && run.errors.contains("[\(id)]"), "\(arguments): \(run.status)\n\(run.errors)")
  }

  /// `verify` makes as many threads as it is told to: more than there is room for cannot be.
  @Test func verifyHeedsNumbersOfThreads() throws {
    let (model, package) = (MLCProcess.fixture("classifier.onnx"), work.path("classifier.mlmodelc"))
    try #require(try MLCProcess("compile", model, "-o", package, "--target", "host").status == 0)
    func run(_ options: [String], _ environment: [String: String] = [:]) throws -> MLCProcess {
      let script = #"ulimit -s 8192; ulimit -v 5000000; exec "$@""#
      return try MLCProcess(script: script, ["verify", model, package] + options, environment: environment)
    }
    for run in [try run(["--threads", "1024"]), try run([], ["MLC_THREADS": "1024"])] {
      #expect(run.status == 5 && run.errors.contains("cannot run on 1024 threads [runtime.threads]"), "\(run.errors)")
    }
    for run in [try run(["--threads", "2"], ["MLC_THREADS": "1024"]), try run([], ["MLC_THREADS": "2"])] {
      #expect(run.status == 0, "\(run.errors)")
    }
  }

  /// One rule for numbers of threads, however they are given.
  @Test func numbersOfThreads() throws {
    for command in ["predict", "bench", "verify"] {
      for count in ["0", "-1", "1025", "999999999"] {
        try expect("threads.count", 2, command, "--threads=\(count)")
        try expect("threads.count", 2, command, environment: ["MLC_THREADS": count])
      }
      for count in ["abc", "1.5", "9999999999999999999999"] {
        try expect("threads.count", 2, command, environment: ["MLC_THREADS": count])
        #expect(try MLCProcess(command, work.path("broken.onnx"), "--threads", count).status == 2)
      }
      // What is given goes before the environment.
      let run = try MLCProcess(command, work.path("broken.onnx"), "--threads", "1", environment: ["MLC_THREADS": "abc"])
      #expect(run.errors.contains("[onnx.malformed]"))
    }
  }
}
