import Foundation
import Offshore
public import OffshoreWire

extension SQLiteChangeLog {
  /// Stores the manifest that the data is served under, if it covers all stored data.
  ///
  /// A server calls this before it accepts requests. An old manifest would refuse columns that
  /// devices have long synced.
  /// - Throws: `WireError` with the code `invalidManifest` if the manifest is older than the stored
  ///   one, or lacks a part of it; `DatabaseError`.
  public func adopt(_ manifest: Manifest) async throws {
    let json = try manifest.json()
    try await write { transaction in
      if let former = try transaction.manifest() {
        try ManifestSuccession(former: former, next: manifest).check()
      }
      try SQL(
        """
        INSERT INTO manifest(k, json) VALUES (1, \(json))
        ON CONFLICT (k) DO UPDATE SET json = excluded.json
        """
      ).run(transaction.access)
    }
  }
}

extension SQLiteAccess {
  /// Returns the manifest that the data was last served under, or `nil` if it was never served.
  /// - Throws: `DatabaseError`; `WireError` if the stored manifest is damaged.
  public func manifest() throws -> Manifest? {
    try SQL("SELECT json FROM manifest").first(access, as: Data.self).map { try Manifest(json: $0) }
  }
}
