import Foundation
import Offshore
public import OffshoreWire

extension SQLiteChangeLog {
  /// Notes the manifest that the data is served by, where it has all that the data was stored by.
  ///
  /// A server calls it before it takes requests: else an old manifest would refuse what devices have
  /// long synced.
  /// - Throws: `WireError` with the code `invalidManifest`, which names what is lacking; `DatabaseError`.
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
  /// The manifest that the data was last served by, or `nil` where it never was.
  /// - Throws: `DatabaseError`; `WireError` where it is not what was noted.
  public func manifest() throws -> Manifest? {
    try SQL("SELECT json FROM manifest").one(access, as: Data.self).map { try Manifest(json: $0) }
  }
}
