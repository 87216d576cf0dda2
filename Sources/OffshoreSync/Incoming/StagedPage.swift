import Foundation
import Offshore
import OffshoreWire

/// A row of `_page`: pulled rows that are not applied yet.
struct StagedPage {
  /// The position in the order of arrival; assigned when the page is stored.
  private(set) var key: Int64?
  let scope: ScopeID
  /// The encoded rows. They are parsed when they are applied, because those of a first sync would
  /// need a large amount of memory.
  let content: Data
}

extension StagedPage: Record {
  static let table = Table(
    "_page", StagedPage.init,
    Column("k", \.key).primaryKey(),
    Column("scope", \.scope, as: .scope),
    Column("content", \.content)
  ).ofLibrary()

  init(_ rows: RowPage, of scope: ScopeID) {
    self.init(scope: scope, content: Data(rows.encoded()))
  }

  /// The rows.
  /// - Throws: ``ReplicaError`` with the code `damaged`.
  var rows: RowPage {
    get throws {
      do throws(WireError) {
        return try RowPage(decoding: Array(content))
      } catch {
        throw ReplicaError(
          .damaged, "“\(Self.table.name)” is not readable. Restore the file from a backup.")
      }
    }
  }

  /// Returns the pages of a scope, in the order of their arrival.
  static func of(_ scope: ScopeID) -> Query<StagedPage> { Self.where { $0.scope == scope } }

  /// Returns the number of bytes of the pages of a scope.
  static func byteCount(of scope: ScopeID, _ reader: Reader) throws -> Int64 {
    try SQL("SELECT coalesce(sum(length(content)), 0) FROM _page WHERE scope = \(scope.text)")
      .first(reader, as: Int64.self) ?? 0
  }

  /// Returns the page with a key.
  static func at(_ key: Int64) -> Query<StagedPage> { Self.where { $0.key == key } }
}

/// The contents of the device's tables for the scopes of a pull.
///
/// A pull may have a thousand scopes, so the tables are read once, rather than once for each scope.
struct ScopeContents {
  /// The scopes with sealed batches.
  let queued: Set<ScopeID>
  /// The keys of the staged pages of each scope, in the order of their arrival.
  let pages: [ScopeID: [Int64]]
  /// The confirmed rows of the scopes whose rows a fetch replaces. Before the first fetch of a scope
  /// there are none.
  let rows: [ScopeID: [RowID]]

  init(of cursors: some Sequence<ScopeCursor>, _ writer: Writer) throws {
    queued = try Self.queued(writer)
    pages = Dictionary(grouping: try Self.staged.all(writer), by: \.scope)
      .mapValues { $0.compactMap(\.key) }
    let replaced = cursors.filter { $0.epoch != 0 && $0.fetch?.replaced.isEmpty == false }
    rows = try RowEntries(writer: writer).rows(of: replaced.map(\.scope).sorted())
  }

  // NB: Composed once, because they run for each answer.
  private static let queuedScopes = SealedBatch.all.select { $0.scope }.distinct()
  private static let staged = StagedPage.order { $0.key }.select(place) { page in
    page.scope
    page.key
  }

  /// Returns the scopes with sealed batches.
  static func queued(_ reader: Reader) throws -> Set<ScopeID> {
    Set(try queuedScopes.all(reader))
  }

  private static func place(scope: ScopeID, key: Int64?) -> (scope: ScopeID, key: Int64?) {
    (scope, key)
  }
}

/// A row of `_conflict`: a conflict, as the server decided it.
struct StoredConflict {
  let scope: ScopeID
  /// The number of the conflict in its scope.
  let number: Int64
  let tableName: String
  let id: String
  let conflict: Conflict
}

extension StoredConflict: Record {
  static let table = Table(
    "_conflict", StoredConflict.init,
    Column("scope", \.scope, as: .scope).primaryKey(),
    Column("number", \.number).primaryKey(),
    Column("tbl", \.tableName),
    Column("id", \.id),
    Column("content", \.conflict, as: .message)
  ).ofLibrary().withoutRowID().index(\.tableName, \.id, name: "_conflict_row")

  init(_ numbered: NumberedConflict, in scope: ScopeID) {
    let row = numbered.conflict.row
    self.init(
      scope: scope, number: numbered.number, tableName: row.table, id: row.id,
      conflict: numbered.conflict)
  }
}

extension Conflict: StoredMessage {
  static var samples: (Conflict, Conflict) { (sample(losing: 0), sample(losing: 1)) }

  private static func sample(losing: WireValue) -> Conflict {
    let stamp = Stamp.samples.0
    return Conflict(
      row: RowID(table: "", id: ""), field: "", losing: losing, losingStamp: stamp, winning: nil,
      winningStamp: stamp, reason: .later)
  }
}
