import Foundation
import Testing

/// What the command says when it is used wrongly, and what it ends with.
@Suite struct UsageTests {
  private let classifier = MLCProcess.fixture("classifier.onnx")

  @Test func helpNamesEveryCommandAndEachHasExamples() throws {
    let help = try MLCProcess("--help")
    #expect(help.status == 0 && help.errors.isEmpty)
    for command in [
      "convert", "compress", "compile", "verify", "predict", "inspect", "bench", "generate", "build", "devices",
      "package", "cache",
      "explain", "completion",
    ] {
      #expect(help.output.contains(command))
      let own = try MLCProcess(command, "--help")
      #expect(own.status == 0 && own.output.contains("Examples:"))
    }
  }

  @Test func wrongCommandLinesEndWith2() throws {
    for arguments in [["frobnicate"], ["compile"], ["inspect", "--frobnicate"], ["bench", "x", "--threads", "many"]] {
      let run = try MLCProcess(arguments: arguments)
      #expect(run.status == 2 && run.output.isEmpty && !run.errors.isEmpty, "\(arguments)")
    }
  }

  /// A word near to one that is known is taken for it; what 'help' is asked of is a command.
  @Test func nearWordsAreProposed() throws {
    let error = try MLCProcess("explain", "runtime.no-targt")
    #expect(error.status == 2 && error.errors.contains("did you mean 'runtime.no-target'?"), "\(error.errors)")
    #expect(try MLCProcess("explain", "Convv").errors.contains("did you mean 'conv'?"))
    #expect(try MLCProcess("explain", "frobnicating").errors.contains("'mlc explain list' names them"))
    let help = try MLCProcess("help", "compil")
    #expect(help.status == 2 && help.output.isEmpty && help.errors.contains("did you mean 'compile'?"))
    #expect(try MLCProcess("help", "compile").status == 0)
    for (word, near) in [("--verson", "--version"), ("--HELP", "--help"), ("--hlep", "--help")] {
      let option = try MLCProcess(word)
      #expect(option.status == 2 && option.output.isEmpty, "\(word)")
      #expect(option.errors.contains("did you mean '\(near)'?"), "\(option.errors)")
    }
    #expect(try MLCProcess("--version").status == 0)
    #expect(try !MLCProcess("--json", "inspect").errors.contains("did you mean"))
  }

  @Test func completionScriptsAreForTheirShell() throws {
    #expect(try MLCProcess("completion", "bash").output.contains("complete "))
    #expect(try MLCProcess("completion", "zsh").output.hasPrefix("#compdef mlc"))
    #expect(try MLCProcess("--generate-completion-script", "fish").output.contains("complete -c"))
    #expect(try MLCProcess("completion", "tcsh").status == 2)
  }

  @Test func missingFilesEndWith3() throws {
    for command in ["compress", "compile", "verify", "predict", "inspect", "bench"] {
      let options = command == "compress" ? ["--fp16"] : []
      let run = try MLCProcess(arguments: [command, "/nonexistent/model.onnx"] + options)
      #expect(run.status == 3 && run.output.isEmpty, "\(command)")
      #expect(run.errors.contains("there is no file or folder '/nonexistent/model.onnx' [file.missing]"), "\(command)")
    }
  }

  @Test func otherFilesAreToldApart() throws {
    let run = try MLCProcess("compile", MLCProcess.fixture("not-a-model.txt"))
    #expect(run.status == 3)
    #expect(run.errors.contains("a Core ML model (.mlpackage, .mlmodel)") && run.errors.contains("[format.unknown]"))
    let inspected = try MLCProcess("inspect", MLCProcess.fixture("not-a-model.txt"))
    #expect(inspected.status == 3 && inspected.errors.contains("[format.unknown]"))
  }

  /// The plugin cannot import the table of formats, and has their suffixes itself.
  @Test func thePluginKnowsTheFormats() throws {
    let help = try MLCProcess("convert", "--help").output
    let line = try #require(
      help.components(separatedBy: "A source model:").last?.components(separatedBy: "OPTIONS").first
    )
    let suffixes = line.matches(of: /\.([a-z0-9]+)\b/).map { String($0.1) }
    let source = MLCProcess.root.appending(path: "Sources/MLCPlugin/ModelFiles.swift")
    let plugin = try String(contentsOf: source, encoding: .utf8)
    #expect(suffixes.count >= 6)
    for suffix in suffixes { #expect(plugin.contains("\"\(suffix)\""), "\(suffix)") }
  }

  @Test func damagedModelsEndWith3() throws {
    let run = try MLCProcess("inspect", MLCProcess.fixture("truncated.onnx"), "--json")
    #expect(run.status == 3)
    let problem = try run.json()
    #expect(problem["id"] as? String == "onnx.malformed")
    #expect(problem["message"] as? String != nil && problem["node"] is NSNull)
    #expect(run.errors.contains("[onnx.malformed]"))
  }

  @Test func wrongArgumentsAreProblemsLikeOthers() throws {
    let run = try MLCProcess("bench", classifier, "--threads", "some", "--json")
    #expect(run.status == 2 && run.errors.hasPrefix("mlc: error: ") && run.errors.contains("Usage: mlc bench"))
    let problem = try run.json()
    #expect(problem["id"] as? String == "command.arguments" && problem["exit_code"] as? Int == 2)
    #expect((problem["message"] as? String)?.contains("'some'") == true)
  }

  @Test func unsupportedOperatorsAreListedAllAtOnce() throws {
    let run = try MLCProcess("compile", MLCProcess.fixture("unsupported.onnx"))
    #expect(run.status == 4 && run.output.isEmpty)
    #expect(run.errors.contains("Frobnicate") && run.errors.contains("Defrobnicate") && run.errors.contains("F_0, F_2"))
  }

  @Test func unknownInputsAndShapesNameTheValidOnes() throws {
    let unknown = try MLCProcess("inspect", classifier, "--input", "picture=1,4")
    #expect(unknown.status == 2 && unknown.errors.contains("no input 'picture'; its inputs are 'x'"))
    let shape = try MLCProcess("inspect", classifier, "--input", "x=1,5")
    #expect(shape.status == 2 && shape.errors.contains("[onnx.input-shape]"))
    let syntax = try MLCProcess("inspect", classifier, "--input", "x=1,four!")
    #expect(syntax.status == 2 && syntax.errors.contains("[input.syntax]"))
    let type = try MLCProcess("inspect", classifier, "--input", "x=1,4:int64")
    #expect(type.status == 2 && type.errors.contains("the model takes fp32, not int64"))
  }

  @Test func missingCompilersEndWith5() throws {
    let work = try Workspace()
    let model = try work.copy("classifier.onnx")
    let run = try MLCProcess("compile", model, environment: ["MLC_CC": "/nonexistent"])
    #expect(run.status == 5 && run.output.isEmpty)
    #expect(run.errors.contains("there is no C compiler '/nonexistent'") && run.errors.contains("[compiler.missing]"))
    #expect(work.contents == ["classifier.onnx"])
  }

  @Test func unwritableFoldersEndWith5() throws {
    let run = try MLCProcess("compile", classifier, "-o", "/nonexistent/folder/out.mlmodelc")
    #expect(run.status == 5 && run.output.isEmpty)
  }

  @Test func unknownTargetsNameTheKnown() throws {
    let run = try MLCProcess("compile", classifier, "-o", "/nonexistent/out.mlmodelc", "--target", "z80")
    #expect(run.status == 2 && run.errors.contains("there is no target 'z80'") && run.errors.contains("x86-64-v3"))
  }

  @Test func explanationsCoverOperatorsAndErrors() throws {
    let op = try MLCProcess("explain", "conv")
    #expect(op.status == 0 && op.output.contains("weight") && op.output.contains("strides"))
    #expect(try MLCProcess("explain", "Gemm").output.contains("operator of ONNX"))
    #expect(try MLCProcess("explain", "compiler.missing").output.contains("MLC_CC"))
    let unknown = try MLCProcess("explain", "frobnicate", "--json")
    #expect(unknown.status == 2)
    #expect(try unknown.json()["id"] as? String == "explain.unknown")
  }
}
