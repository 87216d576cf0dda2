public import Foundation
public import Offshore
public import OffshoreWire

extension Replica {
  /// Takes the copy away that stayed of a scope which the account has left.
  ///
  /// All of its rows go, as where the account is revoked. The server is told nothing, since it knows.
  /// - Parameters:
  ///   - milliseconds: what the device's clock shows, since 1970.
  ///   - makeID: makes an id for a batch; what is captured is sealed first.
  /// - Returns: whether there was a copy.
  /// - Throws: ``SyncError``: `notInstalled`, `damaged`. `DatabaseError`.
  @discardableResult
  public func forgetCopy(
    of scope: ScopeID, _ writer: Writer, at milliseconds: Int64, makeID: () -> UUID
  ) throws -> Bool {
    guard try role(in: scope, writer) == .left else { return false }
    try withoutActuallyEscaping(makeID) { makeID in
      var intake = PullIntake(
        replica: self, writer: writer, device: try device(writer), now: milliseconds,
        makeID: makeID, cursors: try cursors(writer))
      try intake.forgetCopy(of: scope)
    }
    return true
  }
}

extension PullIntake {
  fileprivate mutating func forgetCopy(of scope: ScopeID) throws {
    guard var cursor = cursors[scope] else { return }
    cursor.role = .revoked
    try set(cursor)
    ended.insert(scope)
    try apply([])
  }
}
