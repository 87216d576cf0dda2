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
/// A file without an account has no conflicts. Conflicts in fields that no table declares are left
/// out.
public struct History: Sendable {
  /// Returns the heading, or `nil` if the subject is not on this device.
  public typealias HeadingLookup = @Sendable (Reader) throws -> HistoryContent.Heading?

  /// The scope of the conflicts.
  public let scope: ScopeID
  private let file: LoggedStore
  private let tables: [HistoryTable]
  private let places: Set<HistoryPlace>?
  private let heading: HeadingLookup

  /// Creates a history.
  ///
  /// - Parameters:
  ///   - scope: the scope of the conflicts.
  ///   - file: the file, which logs the operations.
  ///   - tables: the tables whose conflicts are shown.
  ///   - places: the places of the conflicts that are shown, such as one row of many; all by
  ///     default.
  ///   - heading: returns the heading; the title of the scope's row by default.
  public init(
    of scope: ScopeID, in file: LoggedStore, _ tables: [HistoryTable],
    places: Set<HistoryPlace>? = nil, heading: HeadingLookup? = nil
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
    let here = DeviceName()
    return file.values("observeHistory") { [self] reader in
      guard let heading = try heading(reader) else { return nil }
      let history = self.reader(reader)
      let findings = try history.findings()
      guard !findings.isEmpty else { return HistoryContent(heading: heading, entries: []) }
      let authors = HistoryAuthors(
        device: try here.device(store.replica, reader),
        names: try ConflictMemory(of: store).names(in: scope, reader))
      return HistoryContent(
        heading: heading,
        entries: try findings.reversed().map { try history.entry($0, authors) })
    }
  }

  /// Observes the places that have entries, each with whether one of its entries is undecided.
  public func changedPlaces() -> LoggedValues<[HistoryPlace: Bool]> {
    file.values("observeChangedPlaces") { [self] reader in
      let history = self.reader(reader)
      return try history.findings().reduce(into: [:]) { places, finding in
        let isOpen = try history.isOpen(finding)
        for conflict in finding.conflicts {
          places[HistoryPlace(of: conflict), default: false] =
            places[HistoryPlace(of: conflict)] == true || isOpen
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
  /// - Throws: the error that the file makes of `SyncError` with `forbidden` if the account may
  ///   only read the scope; `AppError` with `database(.notFound)` if the conflict does not exist,
  ///   with `sync(.conflict)` if the value cannot be chosen any more; `DatabaseError`. Nothing has
  ///   changed then.
  public func choose(_ choice: HistoryEntry.Choice, of id: HistoryEntry.ID) async throws {
    let now = store.now()
    try await file.write("decideConflict") { [self] writer in
      try store.checkMayEdit(scope, writer)
      let history = reader(writer)
      guard let finding = try history.findings().first(where: { $0.id == id }),
        try heading(writer) != nil
      else { throw AppError.database(.notFound) }
      guard try history.choices(of: finding).contains(choice) else {
        throw AppError.sync(.conflict)
      }
      let memory = ConflictMemory(of: store)
      if choice == .winning, try history.isWinning(finding) {
        _ = try store.replica.restate(finding.conflicts, writer)
        return try memory.keep(finding.id, at: now, writer)
      }
      try memory.keep(finding.id, at: nil, writer)
      guard let values = finding.values(choice) else { throw AppError.sync(.conflict) }
      try finding.use(values, store.replica, at: now, writer)
    }
  }
}
