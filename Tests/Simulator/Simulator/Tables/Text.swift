/// The texts that devices write. No two are equal, so each text identifies its write.
enum Text {
  /// The first byte of each text.
  static let mark = UInt8(ascii: "~")

  /// Makes a text of a device's write.
  /// - Parameter padding: The number of letters that are appended to vary the length.
  static func make(_ device: Int, _ number: Int, padding: Int = 0) -> String {
    "~\(device).\(number)" + String(repeating: "x", count: padding)
  }
}
