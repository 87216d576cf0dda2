/// The texts that devices write: no two alike, so that each tells which write it is from.
enum Text {
  /// What they begin with.
  static let mark = UInt8(ascii: "~")

  /// A text of a device's write.
  /// - Parameter padding: how many letters are added, so that texts differ in length.
  static func make(_ device: Int, _ number: Int, padding: Int = 0) -> String {
    "~\(device).\(number)" + String(repeating: "x", count: padding)
  }
}
