import Foundation

extension String {
  /// The text with all characters percent-encoded except the unreserved ones of RFC 3986
  /// (<https://www.rfc-editor.org/rfc/rfc3986#section-2.3>).
  package var percentEncoded: String {
    // Most values are ids, which need no encoding.
    guard !utf8.allSatisfy(Self.isUnreserved) else { return self }
    // NB: The result is never `nil`, because Swift strings are always well-formed.
    return addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static let unreserved = CharacterSet(
    charactersIn: String(decoding: (0..<128).filter(isUnreserved), as: UTF8.self))
}
