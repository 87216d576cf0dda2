public import Foundation
public import Offshore

/// The account that a file belongs to, whether the device is signed in or not.
public struct LinkedAccount: Hashable, Codable, Identifiable, Sendable {
  /// The id, which owns the rows that the user creates.
  public let id: UUID
  /// The name with which the user signs in.
  public let name: String
  /// The address of the server that has the account: its origin, and its path if it has one.
  public let server: String?

  /// Creates an account.
  public init(id: UUID, name: String, server: String? = nil) {
    self.id = id
    self.name = name
    self.server = server
  }
}

extension LinkedAccount: JSONColumnValue {
  /// Two accounts with different names.
  public static var samples: (LinkedAccount, LinkedAccount) {
    let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    return (LinkedAccount(id: id, name: "a"), LinkedAccount(id: id, name: "b"))
  }
}

/// The setting with the linked account.
struct AccountSetting: Equatable, Identifiable {
  static let name = "account"

  var name = Self.name
  var value: LinkedAccount
  var id: String { name }
}

extension AccountSetting: Record {
  static let table = Table(
    "settings", { AccountSetting(name: $0, value: $1) },
    Column("name", \.name).primaryKey(),
    Column("value", \.value, as: .json))
}
