import Offshore
package import OffshoreSync

/// The database file with a user's locations, shift types, shifts and changes.
public final class ShiftDatabase: Sendable {
  /// The file with its user and account.
  package let store: SyncedStore

  /// Opens a file, which is created if it does not exist, and migrates it to this version.
  /// - Throws: `DatabaseError`. The file is then as the last complete migration left it.
  public convenience init(path: String) throws {
    self.init(try SyncedStore(path, schema: ShiftSchema.current))
  }

  /// Creates the database of an open file.
  package init(_ store: SyncedStore) { self.store = store }

  /// Creates an empty database, which is discarded together with the object.
  /// - Throws: `DatabaseError`.
  public static func makeEmpty() throws -> ShiftDatabase {
    ShiftDatabase(try .temporary(schema: ShiftSchema.current))
  }
}
