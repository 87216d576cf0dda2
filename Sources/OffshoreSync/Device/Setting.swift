public import Foundation
public import Offshore

/// A value that this device stores under a name.
///
/// NB: Files of released apps have settings with these names, so the names must not change.
struct Setting: Equatable, Identifiable {
  var name: String
  var value: String
  var id: String { name }
}

extension Setting: Record {
  static let table = Table(
    "settings", Setting.init,
    Column("name", \.name).primaryKey(),
    Column("value", \.value)
  ).ofLibrary()
}

extension Setting {
  static let creation: SQL = """
    CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)
    """

  /// The name of the setting with the access token of the linked account.
  static let token = "accountToken"

  /// Returns the name of the setting that records that a user's seeds were stored.
  static func seeded(_ userID: UUID) -> String { "librarySeeded.\(userID)" }

  /// Returns whether a file has settings, because it is that of a store.
  static func areStored(_ reader: Reader) throws -> Bool {
    try SQL("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = \(table.name))")
      .first(reader, as: Bool.self) == true
  }

  static func value(_ name: String, _ reader: Reader) throws -> String? {
    try find(name).first(reader)?.value
  }

  /// Stores a value, or deletes the setting if the value is `nil`.
  static func set(_ name: String, to value: String?, _ writer: Writer) throws {
    if let value {
      try Setting(name: name, value: value).save(writer)
    } else {
      try find(name).delete(writer)
    }
  }
}

/// The setting with the id of the user.
///
/// It is a record of its own, so that a value that is not an id is reported with its row and
/// column.
struct UserIDSetting: Equatable, Identifiable {
  static let name = SyncedStore.userIDSetting

  var name = Self.name
  var value: UUID
  var id: String { name }
}

extension UserIDSetting: Record {
  static let table = Table(
    "settings", { UserIDSetting(name: $0, value: $1) },
    Column("name", \.name).primaryKey(),
    Column("value", \.value)
  ).ofLibrary()
}

/// The account that a file belongs to, whether the device is signed in or not.
public struct LinkedAccount: Hashable, Codable, Identifiable, Sendable {
  /// The id, which owns the rows that the user creates.
  public let id: UUID
  /// The name with which the user signs in.
  public let name: String
  /// The address of the server that has the account: its origin, and its path if it has one.
  ///
  /// It is `nil` if the server is not known. A `SyncService`, of `OffshorePresentation`, then does
  /// not send the stored access token to its server, so the user has to sign in again.
  public let server: String?

  /// Creates an account.
  /// - Parameter server: the address of the server, or `nil` if it is not known.
  public init(id: UUID, name: String, server: String? = nil) {
    self.id = id
    self.name = name
    self.server = server
  }
}

extension LinkedAccount: JSONColumnValue {
  /// Two different accounts, which `JSONColumnValue` requires for the check of tables. Apps do not
  /// need them.
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
    Column("value", \.value, as: .json)
  ).ofLibrary()
}
