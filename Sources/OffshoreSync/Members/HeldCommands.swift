import Offshore
import OffshoreWire

/// The commands by which the account ends its own right to write a scope, and which wait for the files that it
/// still has to send there.
///
/// A file is sent after its row, and the server accepts it only from an account that may write the scope. So such
/// a command is postponed until each file of the scope is sent, or its last attempt failed: the server has
/// refused it, or it cannot be read. It waits for a day at the most, so that it is also sent if the device is
/// offline or the server accepts no files for that long. On this device it applies at once.
struct HeldCommands {
  /// The longest time for which a command waits, in milliseconds.
  static let longestTime: Int64 = 86_400_000

  let reader: Reader

  /// Returns whether a command has to wait.
  /// - Parameters:
  ///   - command: a command of the account about itself.
  ///   - made: its time, in milliseconds since 1970 by the device's clock.
  ///   - now: the current time of that clock.
  func includes(
    _ command: MemberCommand, in scope: ScopeID, made: Int64, at now: Int64
  ) throws -> Bool {
    guard !command.role.canWrite, (0..<Self.longestTime).contains(now - made) else { return false }
    return try hasFilesToSend(scope)
  }

  /// Returns whether files of a scope are still to be sent, or follow rows that are being sent.
  private func hasFilesToSend(_ scope: ScopeID) throws -> Bool {
    guard try ScopeCursor.of(scope, reader).role?.canWrite == true else { return false }
    return try SQL(
      """
      SELECT EXISTS (
        SELECT 1 FROM _file
        WHERE scope = \(scope.text) AND own = 1 AND stored = 0 AND attempts = 0
          AND (refs > 0 OR former = 1) AND (accepted = 1 OR EXISTS (
            SELECT 1 FROM _batch
            WHERE scope = \(scope.text) AND phase = \(SealedBatch.Phase.waiting.rawValue))))
      """
    ).first(reader, as: Bool.self) == true
  }

  /// Sends the command of a scope now, if it does not have to wait any more.
  static func release(in scope: ScopeID, _ writer: Writer) throws {
    let held = try SealedBatch.postponed(writer).filter {
      $0.scope == scope && $0.due > 0 && MemberCommand($0.batch) != nil
    }
    guard !held.isEmpty, try !HeldCommands(reader: writer).hasFilesToSend(scope) else { return }
    for var sealed in held {
      sealed.due = 0
      try sealed.save(writer)
    }
  }
}
