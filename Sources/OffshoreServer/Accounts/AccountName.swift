/// The name that a user signs in with, for example `ida@example.org`.
///
/// It has 3 to 64 letters and digits of ASCII and `.`, `_`, `-`, `+` and `@`. The first character
/// is a letter or a digit.
public struct AccountName: Hashable, Sendable {
  /// The name in lowercase letters.
  public let text: String

  /// Parses a typed name. Capital letters become lowercase ones, and surrounding spaces are
  /// removed.
  /// - Throws: ``AccountError`` with the code `invalidName`.
  public init(_ typed: String) throws(AccountError) {
    let bytes = typed.utf8.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
    let small = bytes.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
    guard 3...64 ~= small.count, let first = small.first, Self.isAlphanumeric(first),
      small.allSatisfy({ Self.isAlphanumeric($0) || "._-+@".utf8.contains($0) })
    else {
      throw AccountError(
        .invalidName,
        "A name has 3 to 64 letters, digits and . _ - + @, and begins with a letter or a digit.")
    }
    text = String(decoding: small, as: UTF8.self)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
