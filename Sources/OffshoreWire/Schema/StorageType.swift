/// The type of a column's values.
public enum StorageType: String, Hashable, Sendable, CaseIterable, Codable {
  /// 64-bit integers.
  case integer
  /// 64-bit IEEE 754 numbers except NaN, which SQLite stores as NULL.
  case real
  /// Texts.
  case text
  /// Bytes.
  case blob
  /// Any of these.
  case any

  /// Returns whether the column can store a value. NULL is always allowed here.
  func allows(_ value: WireValue) -> Bool {
    switch (self, value) {
    case (.integer, .integer), (.any, .integer), (.text, .text), (.any, .text), (.blob, .blob),
      (.any, .blob), (_, .null):
      true
    case (.real, .real(let number)), (.any, .real(let number)): !number.isNaN
    default: false
    }
  }
}
