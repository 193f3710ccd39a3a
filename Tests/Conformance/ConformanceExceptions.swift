/// Backend tests that mlc reads and answers otherwise than ONNX, or not, each with the reason.
enum ConformanceExceptions {
  static let reasons: [String: String] = [
    "node/test_affine_grid_2d_expanded": squeezed, "node/test_affine_grid_2d_align_corners_expanded": squeezed,
  ]

  private static let squeezed = "the rank behind a squeeze of every extent of 1 depends on data"
}
