import Foundation
package import OffshoreWire

/// An access token as a server stores it.
package struct AccessToken: Hashable, Sendable {
  /// The hash of the secret.
  package let hash: ContentHash
  /// The account that the token authenticates.
  package let account: AccountID
  /// The user's name for the device.
  package let label: String
  /// The time of the sign-in, in milliseconds since 1970.
  package let created: Int64
  /// The time at which the token expires, in milliseconds since 1970.
  package let expires: Int64

  /// Creates a token.
  package init(
    hash: ContentHash, account: AccountID, label: String, created: Int64, expires: Int64
  ) {
    self.hash = hash
    self.account = account
    self.label = label
    self.created = created
    self.expires = expires
  }
}

/// The random bytes of an access token or of an invitation's code.
///
/// A server stores only the hash of a secret, so a copy of its data contains no valid secrets. A
/// fast hash is enough, because 32 random bytes cannot be guessed, and the time of its lookup
/// reveals nothing.
package struct Secret: Hashable, Sendable {
  private let bytes: [UInt8]

  /// The number of bytes of a secret.
  package static let byteCount = 32

  /// Creates a secret from its bytes.
  /// - Precondition: There are ``byteCount`` of them.
  package init(bytes: [UInt8]) {
    precondition(bytes.count == Self.byteCount, "A secret has 32 bytes. Make it by random().")
    self.bytes = bytes
  }

  /// Creates a random secret.
  package static func random() -> Secret {
    var generator = SystemRandomNumberGenerator()
    return Secret(bytes: (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// Parses the text of a secret.
  /// - Returns: `nil` for a text that is not the ``text`` of a secret.
  package init?(_ text: String) {
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

  /// The bytes as 43 characters that need no escaping in an address
  /// (<https://www.rfc-editor.org/rfc/rfc4648#section-5>).
  package var text: String {
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

  /// The hash of the bytes, which a server stores.
  package var hash: ContentHash { ContentHash(of: bytes) }
}

extension Secret: CustomStringConvertible, CustomReflectable {
  /// A text without the bytes, so that no log contains them.
  package var description: String { "a secret" }
  /// A mirror without the bytes.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
