import OffshoreSync

/// A rule that a schedule breaks on purpose, to show that an invariant detects it.
///
/// Each rule is broken from outside the product: in the data that the server's rules read and
/// store, in a message, or in a device's file.
public enum Breach: String, CaseIterable, Sendable {
  // Rules of the server.

  /// A batch is answered as applied, but its changes are not stored.
  case forgottenBatch
  /// The server does not store the number of a device's last batch.
  case takenTwice
  /// The changes of a batch share a number.
  case sharedNumbers
  /// Only the first of several pages checks for removed tombstones.
  case firstPageOnly
  /// A deletion does not raise the row's generation.
  case keptGeneration
  /// An edit that follows another edit of the same device is treated as a concurrent edit.
  case strangersEdits
  /// An edit of a deleted row restores the row.
  case undeadRows
  /// The stored digest is wrong.
  case otherDigest
  /// All members may write all tables.
  case openTables
  /// A grant writes no row of the member.
  case untoldMembers
  /// Any member may change the members.
  case openMembers
  /// An account whose role was revoked still receives pages.
  case openScopes
  /// A new member receives earlier conflicts.
  case toldHistory
  /// Access by a rule does not follow changes.
  case lateAccess
  /// A ban does not end access by a rule.
  case openBans
  /// Any account can fetch any file.
  case openFiles
  /// A deleted account stays.
  case keptAccount
  /// The server removes files to which rows refer.
  case sweptFiles
  /// The server merges a column by the policy of a former version.
  case formerPolicies

  // Rules of the network.

  /// A full page is marked as the last one.
  case earlyEnd
  /// A row of a group is missing on its page.
  case missingRow
  /// A moved row is missing in its new scope.
  case missingArrival
  /// Each scope of a pull is applied separately.
  case scopesApart
  /// No page is marked as the last one.
  case endlessPages
  /// A page omits the results of batches whose answers were lost.
  case untoldBatches
  /// A page reports the results of batches with wrong hashes.
  case otherBatches
  /// A page reports applied batches as refused.
  case appliedAsRefused
  /// A page reports refused batches as applied.
  case refusedAsApplied
  /// A truncated message is treated as complete.
  case carelessReading

  // Rules of the versions of the app.

  /// A device expects the present name of a renamed column in messages.
  case presentNames
  /// A device expects the present name of a renamed table in messages.
  case presentTables
  /// A device does not store the values of columns that its version does not have.
  case forgottenColumns
  /// A device shows the default of a former version.
  case formerDefaults
  /// A device does not derive the values of a column from those of the column that it replaces.
  case underivedColumns

  // Rules of the device.

  /// A device takes writes that its account may not make.
  case uncheckedWrites

  /// A role that an account gives itself applies only when the server has answered.
  case lateRoles
  /// Refused letters are removed.
  case removedRefusals
  /// Some writes are not captured.
  case uncaptured
  /// Deletions are left out of batches.
  case lostDeletions
  /// A former text of the user is sent again after the one that has replaced it.
  case formerTexts
  /// A sealed batch is changed before it is sent again.
  case sealedAgain
  /// The edits of an applied batch disappear before a pull delivers their effect.
  case earlyReveal
  /// A device's cursor falls back to an earlier number.
  case cursorSetBack
  /// A batch without an answer is marked as answered.
  case stuckQueue
  /// A row of a revoked scope reappears.
  case keptRevoked
  /// Rows of a large new scope that were shown as they arrived are forgotten.
  case forgottenPortion
  /// Rows are changed without the library's knowledge.
  case changedBehind
  /// The same change, after all activity has ended.
  case changedAtLast
  /// Only one of the refused edits of each row is preserved.
  case oneLetter
  /// Refused changes are deleted.
  case lostLetters
  /// A refused change that the user makes again is only deleted.
  case lostRetries
  /// The device's own changes that a restored server lacks are not sent again.
  case unsentAfterRestore
  /// The changes of others that a restored server lacks are not stored as refused changes.
  case unlistedAfterRestore
  /// The end of access removes the user's own changes that a restored server lacks, too.
  case removedOwnLost
  /// The device's own tables are damaged.
  case damagedFile
  /// A device sends changes that the user has cancelled.
  case sentCancelled
  /// An erasure ends when the content is replaced.
  case halfErased
  /// A device deletes files that it needs.
  case removedFiles
  /// A device does not send its files.
  case unsentFiles
  /// A device sends files before the server has accepted their rows.
  case earlyFiles
  /// Files without a row stay, on the server and on devices.
  case keptFiles

  // Rules of timed schedules.

  /// No hint arrives.
  case lostHints
  /// No hint about a grant arrives.
  case lostGrantHints
  /// The server ends streams when grants change, and a device waits longer before each new stream.
  case formerBackoff
  /// A device receives no event at the end of its stream.
  case unnoticedEnd
  /// A device receives no event at the opening of its stream.
  case unnoticedOpening

  /// Whether the rule applies to timed schedules.
  public var isTimed: Bool {
    switch self {
    case .lostHints, .lostGrantHints, .formerBackoff, .unnoticedEnd, .unnoticedOpening: true
    default: false
    }
  }

  /// Whether the rule is about access to the memos of others.
  var isOfAccess: Bool { self == .lateAccess || self == .openBans }

  /// The invariants of which one must detect the breach.
  public var expected: Set<Invariant> {
    switch self {
    case .forgottenBatch, .keptGeneration, .formerPolicies: [.model]
    case .takenTwice: [.effectOnce]
    case .sharedNumbers: [.ownNumbers]
    case .firstPageOnly: [.digest, .convergence]
    case .strangersEdits: [.sameDevice]
    case .undeadRows: [.noResurrection]
    case .otherDigest: [.digest]
    case .openTables, .uncheckedWrites: [.writers]
    case .untoldMembers, .openMembers, .lateRoles: [.members]
    case .openScopes: [.grants]
    case .toldHistory: [.history]
    case .lateAccess, .openBans: [.access]
    case .openFiles: [.fileAccess]
    case .sweptFiles, .removedFiles, .unsentFiles, .earlyFiles: [.files]
    case .keptFiles: [.orphans]
    case .sentCancelled: [.cancelled]
    case .halfErased: [.erasure]
    case .keptAccount: [.accounts]
    case .earlyEnd: [.digest, .wholeBatches, .convergence, .wholeMoves]
    case .missingRow: [.wholeBatches]
    case .missingArrival: [.wholeMoves]
    case .scopesApart: [.wholeMoves, .noResurrection]
    case .endlessPages: [.settles]
    case .untoldBatches, .otherBatches, .appliedAsRefused: [.counters]
    case .refusedAsApplied: [.counters, .noWriteLost]
    case .carelessReading: [.messages]
    case .presentNames, .presentTables, .forgottenColumns: [.digest]
    case .formerDefaults, .underivedColumns: [.digest, .convergence]
    case .uncaptured: [.noWriteLost, .convergence, .counters]
    case .sealedAgain: [.sealedOnce]
    case .earlyReveal, .formerTexts: [.ownWrites]
    case .cursorSetBack: [.monotonic]
    case .stuckQueue: [.drained]
    case .keptRevoked: [.grants, .ownWrites]
    case .changedBehind, .forgottenPortion: [.digest, .convergence]
    case .changedAtLast: [.convergence]
    case .lostDeletions, .oneLetter: [.noWriteLost]
    case .removedRefusals, .lostRetries: [.keptRefusals]
    case .lostLetters: [.noWriteLost]
    case .unsentAfterRestore, .unlistedAfterRestore: [.nothingLostByRestore]
    case .removedOwnLost: [.nothingLostByRestore, .noWriteLost]
    case .damagedFile: [.noFailure]
    case .lostHints, .lostGrantHints: [.promptness]
    case .formerBackoff: [.promptness, .listening]
    case .unnoticedEnd: [.promptness, .convergence]
    case .unnoticedOpening: [.listening]
    }
  }

  /// Makes situations in which the rule matters more likely.
  func adapt(_ profile: inout Profile) {
    profile.isWarm = true
    switch self {
    case .carelessReading: profile.truncation = 50
    case .scopesApart, .missingArrival: profile.calm()
    case .formerTexts:
      profile.calm()
      // A device that shows the former text before it is sent would violate the order of versions.
      profile.directness = 100
    case .lostRetries: profile.decide()
    case .missingRow, .earlyEnd: profile.tie()
    case .keptRevoked, .openScopes, .toldHistory, .lostLetters, .oneLetter, .untoldMembers:
      profile.prefer(.changeGrant)
    case .openMembers, .lateRoles: profile.manage()
    case .lateAccess, .openBans: profile.readOthers()
    case .presentNames, .presentTables, .forgottenColumns, .formerDefaults, .underivedColumns,
      .formerPolicies:
      profile.evolveAll()
    case .openFiles: profile.hideFiles()
    case .sentCancelled: profile.prefer(.cancel)
    case .halfErased: profile.erase()
    case .keptAccount: profile.deleteAccounts()
    case .sweptFiles, .removedFiles, .unsentFiles, .earlyFiles, .keptFiles: profile.shareFiles()
    case .untoldBatches, .otherBatches, .appliedAsRefused: profile.silence = 50
    case .refusedAsApplied:
      profile.silence = 80
      profile.prefer(.changeGrant)
    case .firstPageOnly: profile.prefer(.collect)
    case .forgottenPortion: profile.arrive()
    case .openTables, .uncheckedWrites, .removedRefusals: profile.writeToOthers()
    case .unsentAfterRestore, .unlistedAfterRestore, .removedOwnLost:
      if self == .removedOwnLost { profile.prefer(.changeGrant) }
      for action in [Action.work, .push, .pull, .deliver] { profile.prefer(action, weight: 40) }
      for action in [Action.keepCopy, .restore] { profile.prefer(action, weight: 8) }
    default: break
    }
  }

  /// Whether an event of the stream is withheld from a device.
  func withholds(_ event: SyncEngine.Event) -> Bool {
    switch self {
    case .unnoticedEnd: event == .streamClosed(nil)
    case .unnoticedOpening: event == .streamOpened
    default: false
    }
  }
}
