import FuzzSupport

// Readers of small files, which need few modules: libFuzzer looks at every branch of a program after every input.
@_silgen_name("mlc_fuzz_targets") func targets() -> [FuzzTarget] {
  [
    .json, .dim, .npy, .npz, .png, .jpeg, .bmp, .pnm, .jsonTensor, .packageManifest, .packageInterface,
    .packagePlan, .packageProgram,
  ]
}

@_cdecl("fuzz_data_main")
public func start(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
  main(count, arguments)
}
