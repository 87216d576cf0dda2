/// A rule that a schedule breaks on purpose, to show that the invariants notice.
///
/// Each is broken from outside: in what the server's rules read and store, in a message, or in a
/// device's file.
public enum Breach: String, CaseIterable, Sendable {
  // The server's rules.

  /// A batch is answered as applied, and nothing is stored.
  case forgottenBatch
  /// The server does not note which batch it took last.
  case takenTwice
  /// The changes of a batch share a number.
  case sharedNumbers
  /// Only the first of several pages looks at what was collected.
  case firstPageOnly
  /// A deletion leaves the row's generation as it is.
  case keptGeneration
  /// An edit that follows another of the same device counts as one that did not know of it.
  case strangersEdits
  /// An edit of a row that was deleted brings it back.
  case undeadRows
  /// The digest is another.
  case otherDigest
  /// An account that lost its role goes on being answered.
  case openScopes

  // The network's.

  /// A full page says that it is the last.
  case earlyEnd
  /// A row of a group is missing on its page.
  case missingRow
  /// A row that was moved is missing where it arrives.
  case missingArrival
  /// Each scope is applied by itself.
  case scopesApart
  /// No page is ever the last.
  case endlessPages
  /// A page does not tell what became of batches whose answers were lost.
  case untoldBatches
  /// A page tells it of other batches, by another hash.
  case otherBatches
  /// A page tells of batches that were applied that they were refused.
  case appliedAsRefused
  /// A page tells of batches that were refused that they were applied.
  case refusedAsApplied
  /// A message that was cut off is taken for whole.
  case carelessReading

  // The device's.

  /// Some work is not captured.
  case uncaptured
  /// Deletions are left out of batches.
  case lostDeletions
  /// A sealed batch is changed before it is sent once more.
  case sealedAgain
  /// A batch that was applied stops showing before a pull has brought what it did.
  case earlyReveal
  /// A device goes back to an earlier number.
  case cursorSetBack
  /// A batch is taken for one that is answered.
  case stuckQueue
  /// Rows of a revoked scope come back.
  case keptRevoked
  /// A row is changed behind the back of the library.
  case changedBehind
  /// The same, when nothing happens any more.
  case changedAtLast
  /// Of what was set aside of a row, only one edit is kept.
  case oneLetter
  /// What was set aside is forgotten.
  case lostLetters
  /// The device's own tables are damaged.
  case damagedFile

  // Those of timed schedules.

  /// No hint arrives.
  case lostHints
  /// No hint at a grant arrives.
  case lostGrantHints
  /// The server ends streams when grants change, and a device waits longer and longer to open another.
  case formerBackoff
  /// A device is not told that the server has ended its stream.
  case unnoticedEnd
  /// A device is not told that its stream is open.
  case unnoticedOpening

  /// Whether the rule is one of timed schedules.
  public var isTimed: Bool {
    switch self {
    case .lostHints, .lostGrantHints, .formerBackoff, .unnoticedEnd, .unnoticedOpening: true
    default: false
    }
  }

  /// The invariants of which one is to notice.
  public var expected: Set<Invariant> {
    switch self {
    case .forgottenBatch, .keptGeneration: [.model]
    case .takenTwice: [.effectOnce]
    case .sharedNumbers: [.ownNumbers]
    case .firstPageOnly: [.digest, .convergence]
    case .strangersEdits: [.sameDevice]
    case .undeadRows: [.noResurrection]
    case .otherDigest: [.digest]
    case .openScopes: [.grants]
    case .earlyEnd: [.digest, .wholeBatches, .convergence, .wholeMoves]
    case .missingRow: [.wholeBatches]
    case .missingArrival: [.wholeMoves]
    case .scopesApart: [.wholeMoves, .noResurrection]
    case .endlessPages: [.settles]
    case .untoldBatches, .otherBatches, .appliedAsRefused: [.counters]
    case .refusedAsApplied: [.counters, .noWriteLost]
    case .carelessReading: [.messages]
    case .uncaptured: [.noWriteLost, .convergence, .counters]
    case .sealedAgain: [.sealedOnce]
    case .earlyReveal: [.ownWrites]
    case .cursorSetBack: [.monotonic]
    case .stuckQueue: [.drained]
    case .keptRevoked: [.grants, .ownWrites]
    case .changedBehind: [.digest, .convergence]
    case .changedAtLast: [.convergence]
    case .lostDeletions, .oneLetter: [.noWriteLost]
    case .lostLetters: [.noWriteLost]
    case .damagedFile: [.noFailure]
    case .lostHints, .lostGrantHints: [.promptness]
    case .formerBackoff: [.promptness, .listening]
    case .unnoticedEnd: [.promptness, .convergence]
    case .unnoticedOpening: [.listening]
    }
  }

  /// Makes schedules in which the rule matters more likely.
  func adapt(_ profile: inout Profile) {
    profile.isWarm = true
    switch self {
    case .carelessReading: profile.truncation = 50
    case .scopesApart, .missingArrival: profile.calm()
    case .missingRow, .earlyEnd: profile.tie()
    case .keptRevoked, .openScopes, .lostLetters, .oneLetter: profile.prefer(.changeGrant)
    case .untoldBatches, .otherBatches, .appliedAsRefused: profile.silence = 50
    case .refusedAsApplied:
      profile.silence = 80
      profile.prefer(.changeGrant)
    case .firstPageOnly: profile.prefer(.collect)
    default: break
    }
  }
}
