public import OffshoreWire

/// What a release did to the columns of a table, for changes that were made before and wait.
///
/// A device may have changed rows long before its app is updated. Of those changes the file keeps the
/// old values, which a migration cannot see; the new ones are read from the migrated table when the
/// changes are sealed. So state what the migration does to columns once more, as it is done to values:
///
/// ```swift
/// // ALTER TABLE tasks RENAME COLUMN name TO title; UPDATE tasks SET hours = hours * 60
/// SyncUpgrade(
///   to: 2, table: "tasks", renamed: ["name": "title"],
///   converted: ["hours": { value in minutes(of: value) }])
/// ```
///
/// It is applied once, when the file is prepared for a schema of its version or a later one, those of
/// earlier versions first. Changes of columns that are not named stay as they are, and those of columns
/// that went are not sent.
///
/// NB: What has been sealed is not touched: it may have arrived, and is sent again as it was. Where the
/// server does not know its columns any more, it refuses it, and it is set aside in `_dead` with the
/// reason. Nor are the server's rows touched: to it, a renamed column is another one.
public struct SyncUpgrade: Sendable {
  /// The version of the schema that the table has been migrated to.
  public let version: Int
  /// The table's name in the database.
  public let table: String
  /// The new names of columns by their former ones.
  public let renamed: [String: String]
  /// What becomes of a value, by the name of its column in this version.
  public let converted: [String: @Sendable (WireValue) -> WireValue]

  /// States what a migration did.
  /// - Parameters:
  ///   - version: the version of the schema that the table has been migrated to.
  ///   - table: the table's name in the database.
  ///   - renamed: the new names of columns by their former ones; names may be swapped.
  ///   - converted: what becomes of a value that was stored before, by the name of its column in this
  ///     version. It gets whatever the table had, NULL too, and does with it what the migration does.
  public init(
    to version: Int, table: String, renamed: [String: String] = [:],
    converted: [String: @Sendable (WireValue) -> WireValue] = [:]
  ) {
    self.version = version
    self.table = table
    self.renamed = renamed
    self.converted = converted
  }

  /// - Throws: ``SyncError`` with the code `declaration` where it contradicts itself or the schema.
  func check(in schemaVersion: Int) throws(SyncError) {
    guard version >= 2, version <= schemaVersion else {
      throw SyncError(
        .declaration,
        "“\(table)” is upgraded to version \(version). Upgrades lead to versions from 2 up to the "
          + "schema's, which is \(schemaVersion).")
    }
    guard Set(renamed.values).count == renamed.count else {
      throw SyncError(
        .declaration, "Two columns of “\(table)” are renamed to one. Each needs a name of its own.")
    }
  }
}
