import Foundation
import Offshore
package import OffshoreWire

/// The removal of scopes and accounts.
extension SQLiteTransaction {
  /// The tables with the contents of scopes. Each has an index that begins with the scope.
  private static let contents = [
    "row", "reference", "conflict", "tombstone_mark", "refusal", "invitation", "blob",
    "blob_reference",
  ]
  private static let results = ["device", "result"]

  package func removeContents(
    of scope: ScopeID, retainingResults retainsResults: Bool
  ) throws -> Set<ContentHash> {
    let blobs = Set(try StoredBlob.where { $0.scope == scope }.all(reader).map(\.hash))
    for table in Self.contents + (retainsResults ? [] : Self.results) {
      try SQL("DELETE FROM \(identifier: table) WHERE scope = \(scope.text)").run(writer)
    }
    return blobs
  }

  package func removeAccount(_ id: AccountID) throws {
    try SQL("UPDATE scope SET payer = NULL WHERE payer = \(id.stored)").run(writer)
    for table in ["token", "upload", "claim", "grant"] {
      try SQL("DELETE FROM \(identifier: table) WHERE account = \(id.stored)").run(writer)
    }
    try Invitation.where { $0.inviter == id }.delete(writer)
    try Account.find(key: id).delete(writer)
    try RemovedAccountRecord(id: id).insert(writer)
  }

  package func isRemoved(_ id: AccountID) throws -> Bool {
    try RemovedAccountRecord.find(key: id).exists(reader)
  }
}
