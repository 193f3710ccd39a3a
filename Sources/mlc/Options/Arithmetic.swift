import ArgumentParser

/// What the factors of products are rounded to before they are multiplied.
enum Arithmetic: String, ExpressibleByArgument, CaseIterable {
  case fp32, bf16
}
