public import Foundation
import Offshore
public import OffshoreSync
public import OffshoreWire

/// The undecided conflicts of all scopes in a file that the account may edit.
public struct OpenConflicts: Sendable {
  /// The tables of a kind of scope, and the addresses of its conflicts.
  public struct Kind: Sendable {
    let name: String
    let tables: [HistoryTable]
    let address: @Sendable (HistoryPlace, HistoryContext) throws -> String?

    /// Declares a kind.
    /// - Parameters:
    ///   - name: the kind of scope.
    ///   - tables: the tables whose conflicts are listed.
    ///   - address: returns the address of the page that shows a place, or `nil` for the page of
    ///     the scope's history.
    public init(
      _ name: String, _ tables: [HistoryTable],
      address: @escaping @Sendable (HistoryPlace, HistoryContext) throws -> String?
    ) {
      self.name = name
      self.tables = tables
      self.address = address
    }
  }

  private let file: LoggedStore
  private let kinds: [Kind]

  /// Creates the list of the undecided conflicts of some kinds of scopes.
  public init(in file: LoggedStore, of kinds: [Kind]) {
    self.file = file
    self.kinds = kinds
  }

  /// Observes the conflicts, by scope, the newest of each first.
  public func values() -> LoggedValues<[OpenConflict]> {
    file.values("observeOpenConflicts") { reader in
      guard try SyncedStore.isLinked(reader) else { return [] }
      return try file.store.replica.scopesWithConflicts(reader).flatMap { scope in
        try conflicts(in: scope, reader)
      }
    }
  }

  private func conflicts(in scope: ScopeID, _ reader: Reader) throws -> [OpenConflict] {
    guard let kind = kinds.first(where: { $0.name == scope.kind }),
      let title = try file.store.title(of: scope, reader),
      try [Role.owner, .editor, nil].contains(file.store.role(in: scope, reader))
    else { return [] }
    let context = HistoryContext(scope: scope, reader: reader, store: file.store)
    let history = HistoryReader(tables: kind.tables, places: nil, context: context)
    return try history.conflictGroups().reversed().filter { try history.isOpen($0) }.map { group in
      let conflict = group.conflicts[0]
      return OpenConflict(
        id: group.id, place: context.place(of: conflict), scope: scope, scopeTitle: title,
        row: try history.row(of: group), label: group.label,
        date: Date(
          milliseconds: max(conflict.winningStamp, conflict.losingStamp).milliseconds),
        address: try kind.address(context.place(of: conflict), context))
    }
  }
}

/// An undecided conflict in a list for all scopes.
public struct OpenConflict: Hashable, Identifiable, Sendable {
  /// The id of the conflict, which is the same on every device.
  public let id: UUID
  /// The place of the value.
  public let place: HistoryPlace
  /// The scope.
  public let scope: ScopeID
  /// The title of the scope's row.
  public let scopeTitle: String
  /// The title or name of the conflict's row, if the scope has several.
  public let row: LocalizedText?
  /// The label of the field.
  public let label: LocalizedText
  /// The date of the later edit.
  public let date: Date
  /// The address of the page that shows the place, or `nil` for the page of the scope's history.
  public let address: String?
}
