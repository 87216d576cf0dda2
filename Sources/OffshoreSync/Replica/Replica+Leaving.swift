public import Foundation
public import Offshore
public import OffshoreWire

extension Replica {
  /// Removes the copy of a scope that the account has left.
  ///
  /// All rows of the scope are removed, as if the account's role were revoked. The server is not
  /// notified, because it already knows that the account has left.
  /// - Parameters:
  ///   - milliseconds: the current time of the device's clock, in milliseconds since 1970.
  ///   - makeID: creates the id of a batch: captured changes are sealed first.
  /// - Returns: whether a copy existed.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
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
