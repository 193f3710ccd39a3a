// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Core Video's.

// Colours of 8 bits a channel, in the order in which they lie in memory.
public let kCVPixelFormatType_24RGB: OSType = 0x0000_0018
public let kCVPixelFormatType_24BGR: OSType = code("24BG")
public let kCVPixelFormatType_32ARGB: OSType = 0x0000_0020
public let kCVPixelFormatType_32BGRA: OSType = code("BGRA")
public let kCVPixelFormatType_32ABGR: OSType = code("ABGR")
public let kCVPixelFormatType_32RGBA: OSType = code("RGBA")
// Colours of more bits.
public let kCVPixelFormatType_48RGB: OSType = code("b48r")
public let kCVPixelFormatType_64RGBAHalf: OSType = code("RGhA")
public let kCVPixelFormatType_128RGBAFloat: OSType = code("RGfA")
// One or two numbers a pixel.
public let kCVPixelFormatType_OneComponent8: OSType = code("L008")
public let kCVPixelFormatType_OneComponent16: OSType = code("L016")
public let kCVPixelFormatType_OneComponent16Half: OSType = code("L00h")
public let kCVPixelFormatType_OneComponent32Float: OSType = code("L00f")
public let kCVPixelFormatType_TwoComponent8: OSType = code("2C08")
public let kCVPixelFormatType_TwoComponent16: OSType = code("2C16")
public let kCVPixelFormatType_TwoComponent16Half: OSType = code("2C0h")
public let kCVPixelFormatType_TwoComponent32Float: OSType = code("2C0f")
// Luma, and differences of colour for two by two pixels.
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = code("420v")
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = code("420f")
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = code("y420")
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = code("f420")
// Depths and disparities.
public let kCVPixelFormatType_DepthFloat16: OSType = code("hdep")
public let kCVPixelFormatType_DepthFloat32: OSType = code("fdep")
public let kCVPixelFormatType_DisparityFloat16: OSType = code("hdis")
public let kCVPixelFormatType_DisparityFloat32: OSType = code("fdis")

private func code(_ text: StaticString) -> OSType {
  text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | OSType($1) } }
}
