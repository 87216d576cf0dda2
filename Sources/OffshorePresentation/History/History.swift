public import Foundation
public import Offshore
public import OffshoreSync
public import OffshoreWire

/// The conflicts of a scope: pairs of values that several devices wrote to the same fields at the
/// same time.
///
/// ```swift
/// let history = History(of: scope, in: LoggedStore(store), tables)
/// for try await content in history.contents() { … }
/// try await history.choose(.losing, of: entry.id)
/// ```
///
/// A file without an account has no conflicts. Conflicts in undeclared fields are left out.
public struct History: Sendable {
  /// The scope of the conflicts.
  let scope: ScopeID
  private let file: LoggedStore
  private let tables: [HistoryTable]
  private let places: Set<HistoryPlace>?
  private let heading: @Sendable (Reader) throws -> HistoryContent.Heading?

  /// Creates a history.
  ///
  /// - Parameters:
  ///   - scope: the scope of the conflicts.
  ///   - file: the file, which logs the operations.
  ///   - tables: the tables whose conflicts are shown.
  ///   - places: the places of the conflicts that are shown, such as one row of many; all by
  ///     default.
  ///   - heading: returns the heading, or `nil` if the subject is not on this device. The default
  ///     heading is the title of the scope's row.
  public init(
    of scope: ScopeID, in file: LoggedStore, _ tables: [HistoryTable],
    places: Set<HistoryPlace>? = nil,
    heading: (@Sendable (Reader) throws -> HistoryContent.Heading?)? = nil
  ) {
    self.scope = scope
    self.file = file
    self.tables = tables
    self.places = places
    self.heading =
      heading ?? { [store = file.store] reader in
        try store.title(of: scope, reader).map { HistoryContent.Heading($0, back: $0) }
      }
  }

  private var store: SyncedStore { file.store }

  // MARK: - Reading

  /// Observes the heading and the entries. The value is `nil` while the subject is not on this
  /// device.
  public func contents() -> LoggedValues<HistoryContent?> {
    file.values("observeHistory") { [self] reader in
      guard let heading = try heading(reader) else { return nil }
      let history = self.reader(reader)
      let groups = try history.conflictGroups()
      guard !groups.isEmpty else { return HistoryContent(heading: heading, entries: []) }
      let authors = HistoryAuthors(
        // The row with the id changes with every change of this device.
        device: try reader.unobserved { try store.replica.device($0) },
        names: try ConflictMemory(of: store).names(in: scope, reader))
      return HistoryContent(
        heading: heading,
        entries: try groups.reversed().map { try history.entry($0, authors) })
    }
  }

  /// Observes the places that have entries. The value of a place is whether one of its entries is
  /// undecided.
  public func changedPlaces() -> LoggedValues<[HistoryPlace: Bool]> {
    file.values("observeChangedPlaces") { [self] reader in
      let history = self.reader(reader)
      return try history.conflictGroups().reduce(into: [:]) { places, group in
        let isOpen = try history.isOpen(group)
        for conflict in group.conflicts {
          places[history.context.place(of: conflict), default: false] =
            places[history.context.place(of: conflict)] == true || isOpen
        }
      }
    }
  }

  private func reader(_ reader: Reader) -> HistoryReader {
    HistoryReader(
      tables: tables, places: places,
      context: HistoryContext(scope: scope, reader: reader, store: store))
  }

  // MARK: - Decisions

  /// Decides a conflict: writes the chosen value to the row as an edit of this device, or confirms
  /// the winning value.
  ///
  /// - Throws: the errors of the file, such as that for `forbidden` if the account may only read
  ///   the scope; `AppError` with `database(.notFound)` if the conflict does not exist, or with
  ///   `sync(.conflict)` if the value cannot be chosen any more. Nothing has changed then.
  public func choose(_ choice: HistoryEntry.Choice, of id: HistoryEntry.ID) async throws {
    let now = store.now()
    try await file.write("decideConflict") { [self] writer in
      try store.checkMayEdit(scope, writer)
      let history = reader(writer)
      guard let group = try history.conflictGroups().first(where: { $0.id == id }),
        try heading(writer) != nil
      else { throw AppError.database(.notFound) }
      guard try history.choices(of: group).contains(choice) else {
        throw AppError.sync(.conflict)
      }
      let memory = ConflictMemory(of: store)
      if choice == .winning, try history.isWinning(group) {
        _ = try store.replica.restate(group.conflicts, writer)
        return try memory.keep(group.id, at: now, writer)
      }
      try memory.keep(group.id, at: nil, writer)
      guard let values = group.values(choice) else { throw AppError.sync(.conflict) }
      try group.write(values, store.replica, at: now, writer)
    }
  }
}
