import MLCCore
import MLCProtobuf
import ONNXProto

/// Reads ONNX files. Elements of large tensors stay in the mapped file; files of external data are mapped once each.
package struct ONNXReader {
  let storage: Storage
  let scan: ProtobufScan
  let external: ONNXExternalData
  let expansion: ONNXExpansion

  /// Graphs nest at most this deep.
  static let maximumNesting = 64

  /// Throws what `MappedFile` throws, `onnx.malformed` for a file that is not ONNX (saying what it looks like), and for
  /// each thing in it that cannot be: `onnx.tensor-…`, `onnx.external-data-…`, `onnx.cycle`, `onnx.undefined-value`,
  /// `onnx.duplicate-…`, `onnx.nesting`, …
  package static func read(_ path: String, budget: Budget = Budget()) throws(Diagnostic) -> ONNXModel {
    let file = try MappedFile(path: path)
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    return try read(file.storage, name: path, folder: folder, budget: budget)
  }

  /// Reads a file's bytes. `name` is what diagnostics call it; without a `folder` external data is refused.
  package static func read(
    _ storage: Storage,
    name: String,
    folder: String? = nil,
    budget: Budget = Budget()
  ) throws(Diagnostic) -> ONNXModel {
    try locating(Location(file: name)) { () throws(Diagnostic) in
      do throws(Diagnostic) {
        let scan = try ProtobufScan(storage.bytes, rules: ONNXWire.rules, format: "onnx")
        let proto = try scan.decode(Onnx_ModelProto.self)
        guard proto.hasGraph else { throw Diagnostic("onnx.malformed", "it holds no ONNX graph") }
        let expansion = ONNXExpansion(budget: budget)
        return try ONNXReader(storage: storage, scan: scan, external: .init(folder: folder), expansion: expansion)
          .model(proto)
      } catch {
        guard error.id == "onnx.malformed", let guess = FileKind.guess(storage.bytes) else { throw error }
        throw Diagnostic("onnx.malformed", "not an ONNX model: it looks like \(guess)", at: error.location)
      }
    }
  }

  private func model(_ proto: Onnx_ModelProto) throws(Diagnostic) -> ONNXModel {
    var functions: [ONNXFunction] = []
    for function in proto.functions { functions.append(try self.function(function)) }
    let producer = [proto.producerName, proto.producerVersion].filter { !$0.isEmpty }.joined(separator: " ")
    return ONNXModel(
      irVersion: Int(proto.irVersion),
      opsets: try opsets(proto.opsetImport),
      producer: producer,
      metadata: proto.metadataProps.map { ($0.key, $0.value) },
      graph: try graph(proto.graph, nesting: 0),
      functions: functions
    )
  }

  /// Versions by domain. Throws `onnx.opset-import` for a domain with two versions, or a version below 1.
  private func opsets(_ imports: [Onnx_OperatorSetIdProto]) throws(Diagnostic) -> [String: Int] {
    var versions: [String: Int] = [:]
    for entry in imports {
      let domain = ONNXModel.normalizedDomain(entry.domain)
      let version = Int(entry.version)
      guard version >= 1, versions[domain, default: version] == version else {
        throw Diagnostic(
          "onnx.opset-import",
          "domain '\(domain)' is imported at version \(version), and at another or none"
        )
      }
      versions[domain] = version
    }
    return versions
  }

  private func function(_ proto: Onnx_FunctionProto) throws(Diagnostic) -> ONNXFunction {
    try locating(Location(function: proto.name)) { () throws(Diagnostic) in
      var body = ONNXGraph(
        name: proto.name,
        nodes: try nodes(proto.node, nesting: 0),
        inputs: proto.input.map { ONNXValueInfo(name: $0) },
        outputs: proto.output.map { ONNXValueInfo(name: $0) }
      )
      try body.order(isBody: false)
      return ONNXFunction(
        name: proto.name,
        domain: proto.domain,
        overload: proto.overload,
        inputs: proto.input,
        outputs: proto.output,
        requiredAttributes: proto.attribute,
        defaultAttributes: try attributes(proto.attributeProto, nesting: 0),
        nodes: body.nodes,
        opsets: try opsets(proto.opsetImport)
      )
    }
  }
}
