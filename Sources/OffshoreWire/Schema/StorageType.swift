/// What a column stores.
public enum StorageType: String, Hashable, Sendable, CaseIterable, Codable {
  /// Integers of 64 bits.
  case integer
  /// Numbers of 64 bits by IEEE 754, none of them NaN, which SQLite stores as NULL.
  case real
  /// Texts.
  case text
  /// Bytes.
  case blob
  /// Any of these.
  case any

  /// Whether a value can be stored, NULL aside.
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
