import Foundation
import Offshore
import OffshoreWire

/// Scopes that the server never had: all their changes and commands are captured, sealed and not part of
/// a request yet, or refused.
extension Replica {
  /// Removes a scope that the server never had from this device: its rows, its pending and refused changes, and
  /// the commands about its members. Nothing of it is ever sent.
  /// - Returns: `false` if the server has the scope or may have it, or if rows have been moved to it or from it.
  ///   Nothing has changed then.
  func withdraw(
    _ scope: ScopeID, _ writer: Writer, at now: Int64, makeID: () -> UUID
  ) throws -> Bool {
    let cursor = try ScopeCursor.of(scope, writer)
    guard cursor.role == nil, cursor.epoch == 0, cursor.fetch == nil,
      try !SentBatch.where({ $0.scope == scope }).exists(writer)
    else { return false }
    // NB: Rows are computed again, and captured changes of others must not be lost.
    try sealAll(writer, at: now, makeID: makeID)
    var unsent = UnsentBatches(writer)
    let batches = try SealedBatch.inOrder(of: scope).all(writer)
    guard try batches.allSatisfy({ try unsent.contains($0) }), try !hasMoves(of: scope, writer)
    else { return false }
    try UnsentBatches.replace(batches, writer) { _ in nil }
    try StoredRefusal.where { $0.scope == scope }.delete(writer)
    try showOrHide(scope, writer, at: now)
    try deriveRoots(of: [scope], writer)
    try ScopeCursor.find(scope).delete(writer)
    return true
  }

  /// Returns whether a pending change moves a row to a scope or from it.
  private func hasMoves(of scope: ScopeID, _ reader: Reader) throws -> Bool {
    try SealedBatch.pending.all(reader).contains { sealed in
      sealed.batch.ops.contains { op in
        guard case .move(let target) = op.kind else { return false }
        return target == scope || sealed.scope == scope
      }
    }
  }
}
