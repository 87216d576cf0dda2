/// What somebody signs in with, for example `ida@example.org`.
///
/// It is 3 to 64 letters, digits and `.`, `_`, `-`, `+`, `@` of ASCII, beginning with a letter or a
/// digit. Capital letters count as small ones.
public struct AccountName: Hashable, Sendable {
  /// The name, in small letters.
  public let text: String

  /// Takes a name as it was typed; space around it does not count.
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
