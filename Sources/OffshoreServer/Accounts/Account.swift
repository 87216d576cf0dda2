package import Foundation
package import OffshoreWire

/// The account of a user.
package struct Account: Hashable, Sendable {
  /// The identifier of the account for devices and other accounts.
  package let id: AccountID
  /// The name that the user signs in with, unique on the server.
  package let name: AccountName
  /// The hash of the password.
  package var password: PasswordHash
  /// The time of the sign-up, in milliseconds since 1970.
  package let created: Int64
  /// Whether the operator has disabled the account, so that no device can sign in.
  package var isDisabled: Bool

  /// Creates an account.
  package init(
    id: AccountID, name: AccountName, password: PasswordHash, created: Int64,
    isDisabled: Bool = false
  ) {
    self.id = id
    self.name = name
    self.password = password
    self.created = created
    self.isDisabled = isDisabled
  }
}

/// An account with a role in a scope.
package struct Member: Hashable, Sendable {
  /// The account.
  package let account: AccountID
  /// The name that the user signs in with.
  package let name: AccountName
  /// The role in the scope.
  package let role: Role

  /// Creates a member.
  package init(_ account: AccountID, name: AccountName, role: Role) {
    self.account = account
    self.name = name
    self.role = role
  }
}

/// The identifier of a user's account.
package struct AccountID: Hashable, Sendable {
  /// The identifier as a random UUID, without information about the user.
  package let uuid: UUID

  /// Creates an identifier from a UUID.
  package init(_ uuid: UUID) { self.uuid = uuid }
}

extension AccountID: CustomStringConvertible {
  package var description: String { uuid.uuidString }
}

/// The name that a user signs in with, for example `ida@example.org`.
///
/// It has 3 to 64 letters and digits of ASCII and `.`, `_`, `-`, `+` and `@`. The first character
/// is a letter or a digit.
package struct AccountName: Hashable, Sendable {
  /// The name in lowercase letters.
  package let text: String

  /// Parses a typed name. Capital letters become lowercase ones, and surrounding spaces are
  /// removed.
  /// - Throws: ``AccountError`` with the code `invalidName`.
  package init(_ typed: String) throws(AccountError) {
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

  /// Creates a name from the ``text`` of one.
  init(valid text: String) { self.text = text }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
