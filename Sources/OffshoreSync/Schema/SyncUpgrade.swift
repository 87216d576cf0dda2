public import OffshoreWire

/// The effect of a release on the columns of a table, for captured changes from before that
/// release.
///
/// A device may have changed rows long before its app is updated. The journal has the old values of
/// those changes, and a migration cannot see them. The new values are read from the migrated table
/// when the changes are sealed. So declare the effect of the migration on columns a second time, by
/// functions of values:
///
/// ```swift
/// // ALTER TABLE tasks RENAME COLUMN name TO title; UPDATE tasks SET hours = hours * 60
/// SyncUpgrade(
///   to: 2, table: "tasks", renamed: ["name": "title"],
///   converted: ["hours": { value in minutes(of: value) }])
/// ```
///
/// An upgrade is applied once, when the file is prepared for a schema of its version or a later
/// one, and after the upgrades to earlier versions. Changes of other columns stay as they are.
/// Changes of removed columns are not sent.
///
/// NB: Sealed batches stay as they are, with the former columns: they may have reached the server,
/// and are sent again without a difference.
///
/// NB: An upgrade does not convert the rows of the server and of other devices, and the changes of
/// a migration are not captured. To the server, a renamed column is a different column. The
/// manifest of the new schema lacks the former column. Add it to the file of the manifest by hand,
/// because the server refuses a manifest without a column that it has served. After a column was
/// renamed, the device fetches the scopes with rows of the table again. If the server has no value
/// of a row for the new column, the column then has its default, in place of the value from the
/// migration; if it has no default and must not be NULL, the row is hidden. A converted column
/// keeps the value from the migration until a change of the row is pulled, which brings the
/// server's value. So if the values of all rows are to be kept, add a column instead, and let the
/// app write the values to it after it has opened the store, as an ordinary edit.
public struct SyncUpgrade: Sendable {
  /// The version of the schema to which the table was migrated.
  public let version: Int
  /// The table's name in the database.
  public let table: String
  /// The new names of columns, by their former ones.
  public let renamed: [String: String]
  /// The conversions of values, by the name of the column in this version.
  public let converted: [String: @Sendable (WireValue) -> WireValue]

  /// Declares the effect of a migration.
  /// - Parameters:
  ///   - version: the version of the schema to which the table was migrated.
  ///   - table: the table's name in the database.
  ///   - renamed: the new names of columns, by their former ones. Names may be swapped.
  ///   - converted: the conversions of values, by the name of the column in this version. A
  ///     conversion receives the former values in captured changes, and has to accept every value
  ///     that the column could have, including NULL. It returns the value that the migration makes
  ///     of it.
  public init(
    to version: Int, table: String, renamed: [String: String] = [:],
    converted: [String: @Sendable (WireValue) -> WireValue] = [:]
  ) {
    self.version = version
    self.table = table
    self.renamed = renamed
    self.converted = converted
  }

  /// Checks the upgrade.
  /// - Throws: ``ReplicaError`` with the code `declaration` if the upgrade contradicts itself or
  ///   the schema.
  func check(in schemaVersion: Int) throws(ReplicaError) {
    guard version >= 2, version <= schemaVersion else {
      throw ReplicaError(
        .declaration,
        "“\(table)” is upgraded to version \(version). Upgrades lead to versions from 2 up to the "
          + "schema's, which is \(schemaVersion).")
    }
    guard Set(renamed.values).count == renamed.count else {
      throw ReplicaError(
        .declaration, "Two columns of “\(table)” are renamed to one. Each needs a name of its own.")
    }
  }
}
