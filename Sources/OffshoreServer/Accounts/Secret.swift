import Foundation
public import OffshoreWire

/// Random bytes that let in whoever has them: a bearer token, or the code of an invitation.
///
/// A server stores only their hash, so nobody gets in with what was copied from it. 32 random bytes
/// cannot be guessed, so a plain hash will do, and looking it up tells nothing by its time.
public struct Secret: Hashable, Sendable {
  private let bytes: [UInt8]

  /// How many bytes a secret has.
  public static let byteCount = 32

  /// Takes the bytes of a secret.
  /// - Precondition: There are ``byteCount`` of them.
  public init(bytes: [UInt8]) {
    precondition(bytes.count == Self.byteCount, "A secret has 32 bytes. Make it by random().")
    self.bytes = bytes
  }

  /// A secret that nobody knows.
  public static func random() -> Secret {
    var generator = SystemRandomNumberGenerator()
    return Secret(bytes: (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// Reads the text of a secret.
  /// - Returns: `nil` for anything that ``text`` does not make.
  public init?(_ text: String) {
    guard text.utf8.count == 43 else { return nil }
    let standard = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    guard let data = Data(base64Encoded: String(decoding: standard, as: UTF8.self) + "="),
      data.count == Self.byteCount
    else { return nil }
    bytes = Array(data)
    guard self.text == text else { return nil }
  }

  /// The bytes in 43 characters that need no escaping in an address
  /// (<https://www.rfc-editor.org/rfc/rfc4648#section-5>).
  public var text: String {
    let standard = Data(bytes).base64EncodedString()
    return String(
      standard.compactMap { character in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }

  /// What is stored of the secret.
  public var hash: ContentHash { ContentHash(of: bytes) }
}

extension Secret: CustomStringConvertible, CustomReflectable {
  /// Says nothing of the bytes, so that no log tells them.
  public var description: String { "a secret" }
  /// Shows nothing of the bytes.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
