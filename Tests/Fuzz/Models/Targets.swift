import FuzzSupport

// Readers of models and programs.
@_silgen_name("mlc_fuzz_targets") func targets() -> [FuzzTarget] {
  [.protobuf, .onnx, .onnxExternal, .onnxTensor, .coreML, .coreMLManifest, .keras, .kerasArchive, .hdf5, .text]
}

@_cdecl("fuzz_models_main")
public func start(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
  main(count, arguments)
}
