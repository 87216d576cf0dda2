import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

extension LocalRepository: UnsentChangeRepository {
  /// How many changes are named; a list that is longer says how many there are besides.
  private static let shownCount = 100

  public func unsentChanges() -> any AsyncSequence<UnsentChanges, any Error> & Sendable {
    values("observeUnsentChanges") { [replica] reader in
      guard try LinkedAccount.isKept(reader) else { return UnsentChanges() }
      let names = ThingNames(reader: reader)
      let groups = try UnsentGroups(replica.outbox.changes(reader), names).all
      return UnsentChanges(
        shown: try groups.prefix(Self.shownCount).map { try $0.change(names) },
        moreCount: max(0, groups.count - Self.shownCount))
    }
  }

  /// How much waits and was set aside, at once and again after each change.
  func outstanding() -> RepositoryValues<Outstanding> {
    values("observeOutstanding") { [replica] reader in
      var outstanding = Outstanding()
      guard let account = try LinkedAccount.kept(reader) else { return outstanding }
      let person = try ScopeID(kind: AppSchema.personKind, value: account.id.uuidString)
      outstanding.hasLibrary = try replica.hasArrived(person, reader)
      outstanding.refused = try replica.deadCount(reader)
      // Mostly nothing waits, or one change does.
      let changes = try replica.outbox.changes(reader)
      if !changes.isEmpty {
        outstanding.waiting = try UnsentGroups(changes, ThingNames(reader: reader)).all.count
      }
      return outstanding
    }
  }

  public func refusedChanges() -> any AsyncSequence<[RefusedChange], any Error> & Sendable {
    values("observeRefusedChanges") { [replica] reader in
      guard try LinkedAccount.isKept(reader) else { return [] }
      let names = ThingNames(reader: reader)
      return try replica.deadLetters(reader).map { letter in
        RefusedChange(
          id: letter.id, thing: try names.thing(letter.row, letter.op?.fields ?? [:]),
          reason: RefusedChange.Reason(letter.rejection), date: Date(milliseconds: letter.date),
          canRetry: letter.op != nil)
      }
    }
  }

  public func cancelUnsentChange(_ id: UnsentChange.ID) async throws -> Bool {
    try await write("cancelUnsentChange") { [replica] writer in
      guard try LinkedAccount.isKept(writer) else { return false }
      let changes = try replica.outbox.changes(writer)
      let group = try UnsentGroups(changes, ThingNames(reader: writer)).group(id)
      guard let group, let transaction = group.head.transaction else { return false }
      do {
        // A deletion alone is undone; what was changed before it waits again.
        return group.head.kind == .deleted
          ? try replica.outbox.cancelTransaction(transaction, writer)
          : try replica.outbox.cancel(group.rows, writer)
      } catch let error as SyncError where error.code == .dependency {
        return false
      }
    }
  }

  public func retryRefusedChange(_ id: RefusedChange.ID) async throws -> Bool {
    try await write("retryRefusedChange") { [replica] writer in try replica.retry(id, writer) }
  }

  public func discardRefusedChange(_ id: RefusedChange.ID) async throws {
    try await write("discardRefusedChange") { [replica] writer in
      _ = try replica.discard(id, writer)
    }
  }
}

extension RefusedChange.Reason {
  /// Takes the reason of the server or of this device.
  init(_ rejection: Rejection) {
    self =
      switch rejection.code {
      case .gone: .gone
      case .missingReference: .missingReference
      case .forbidden: .forbidden
      case .tooLarge: .tooLarge
      case .dependency: .dependency
      case .limitReached: .limitReached
      case Rejection.Code(rawValue: "collision"): .collision
      default: .other(rejection.message)
      }
  }
}
