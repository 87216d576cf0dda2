import Foundation
import Offshore

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
    Column("value", \.value))
}

extension Setting {
  static let creation: SQL = """
    CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)
    """

  /// The name of the setting with the access token of the linked account.
  static let token = "accountToken"

  /// Returns the name of the setting that records that a user's seeds were stored.
  static func seeded(_ userID: UUID) -> String { "librarySeeded.\(userID)" }

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
    Column("value", \.value))
}
