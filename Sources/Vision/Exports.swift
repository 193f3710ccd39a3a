@_exported import CoreML
