/// What holds whatever happens.
public enum Invariant: String, CaseIterable, Sendable {
  /// Devices that may read a scope show the same rows, and those that the server has.
  case convergence
  /// The server's rows are those of the reference model.
  case model
  /// A change that was captured is applied in the end, or set aside, cancelled or undone.
  case noWriteLost
  /// What is added to a counter counts once, in the end and in what a device shows meanwhile.
  case counters
  /// A batch, and each edit in it, takes effect once and is answered alike each time.
  case effectOnce
  /// A life of a row that was ended never comes back.
  case noResurrection
  /// Generations and cursors never fall.
  case monotonic
  /// A device shows what it wrote until something later comes.
  case ownWrites
  /// Rows that one transaction wrote are seen together.
  case wholeBatches
  /// A row that went from scope to scope is seen in one of them at any time.
  case wholeMoves
  /// The digest is the sum over the rows.
  case digest
  /// What waits is sent in the end, or set aside.
  case drained
  /// Nobody sees a scope that was not granted.
  case grants
  /// No edit loses to an earlier one of the same device.
  case sameDevice
  /// A batch that was sent stays as it is.
  case sealedOnce
  /// Each row of a scope has a number of its own.
  case ownNumbers
  /// The schedule comes to an end once faults stop.
  case settles
  /// Nothing fails but by a fault.
  case noFailure
  /// Messages are read as they were written, and cut ones are not read.
  case messages
  /// Online and undisturbed, a device shows a change of a row or a role within a second of its push.
  case promptness
  /// Online and undisturbed, a device is never without an open stream for more than a second.
  case listening
}

/// An invariant that does not hold, and where.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
  /// What does not hold.
  public let invariant: Invariant
  /// Where, and how it is instead.
  public let detail: String

  init(_ invariant: Invariant, _ detail: String) {
    self.invariant = invariant
    self.detail = detail
  }

  /// Describes what ended a run.
  init(of error: any Error) {
    self = error as? Violation ?? Violation(.noFailure, String(reflecting: error))
  }

  public var description: String { "\(invariant.rawValue): \(detail)" }
}
