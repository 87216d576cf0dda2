import Foundation

/// Files for the field of an image.
enum SampleImage {
  /// A PNG file of 24 by 16 pixels.
  static let png = Array(
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAABgAAAAQCAIAAACDRijCAAAAGklEQVR42mOQi1pAFcQwatCoQaMGjRpEGQIAmaOkEI"
        + "xAzc0AAAAASUVORK5CYII=") ?? Data())
  /// A file that is not an image.
  static let text = Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)
}
