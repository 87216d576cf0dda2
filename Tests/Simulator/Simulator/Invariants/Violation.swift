/// A property that holds in every schedule.
public enum Invariant: String, CaseIterable, Sendable {
  /// Devices that may read a scope show the same rows as the server.
  case convergence
  /// The server's rows equal those of the reference model.
  case model
  /// A captured change is finally applied, refused, cancelled or undone.
  case noWriteLost
  /// An addition to a counter counts once, in the end and on each device during the run.
  case counters
  /// A batch, and each edit in it, takes effect once and always gets the same answer.
  case effectOnce
  /// A row that was deleted never comes back in the same life.
  case noResurrection
  /// Generations and cursors never decrease.
  case monotonic
  /// A device shows its own writes until a later write replaces them.
  case ownWrites
  /// Rows that one transaction wrote become visible together.
  case wholeBatches
  /// A row that moves between scopes is visible in one of them at any time.
  case wholeMoves
  /// The digest is the sum over the rows.
  case digest
  /// Each pending change is finally sent or refused.
  case drained
  /// A device shows only scopes that its account was granted.
  case grants
  /// An account reads the memos of another one exactly if a rule lets it.
  case access
  /// A member receives only the conflicts that arose during the membership.
  case history
  /// A device knows the members of each scope that its account may read, with their roles.
  case members
  /// Only the author of a letter changes it, and only owners change a notice, unless the change follows
  /// from a deletion.
  case writers
  /// No edit loses to an earlier edit of the same device.
  case sameDevice
  /// A refused letter stays where it is until it is changed, made again, discarded or deleted. A refused
  /// change that is made again is shown.
  case keptRefusals
  /// A change that the user has cancelled or discarded is never sent afterwards.
  case cancelled
  /// A batch that was sent does not change.
  case sealedOnce
  /// Each row of a scope has its own number.
  case ownNumbers
  /// The schedule ends after faults stop.
  case settles
  /// No operation fails except because of a fault.
  case noFailure
  /// If the server's data is restored from a copy, each text that a device shows is on the server
  /// again, or stored as a refused change.
  case nothingLostByRestore
  /// An account can send a file to exactly the scopes that it may write, and fetch exactly the files of
  /// scopes that it may read.
  case fileAccess
  /// A file stays as long as a row or a change needs it, and reaches the server and the devices that have
  /// its row.
  case files
  /// A file that nothing refers to is deleted in time, on the server and on each device.
  case orphans
  /// An erased device has no text of a user in any file.
  case erasure
  /// A deleted account has no role and no rows of its own any more. A board that it owned has another
  /// owner, or was removed.
  case accounts
  /// A message is decoded as it was encoded; a truncated one is rejected.
  case messages
  /// Online and undisturbed, a device shows a change of a row or a role within a second of its
  /// push.
  case promptness
  /// Online and undisturbed, a device is never without an open stream for more than a second.
  case listening
}

/// An invariant that does not hold, with details.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The invariant that does not hold.
  public let invariant: Invariant
  /// The place and the actual state.
  public let detail: String

  init(_ invariant: Invariant, _ detail: String) {
    self.invariant = invariant
    self.detail = detail
  }

  /// Describes the error that ended a run.
  init(of error: any Error) {
    self = error as? Violation ?? Violation(.noFailure, String(reflecting: error))
  }

  public var description: String { "\(invariant.rawValue): \(detail)" }
}
