import Dispatch
public import Foundation

/// A store that an app has written by SwiftData or Core Data, from which it moves to another one.
///
/// ```swift
/// let charters = try await CoreDataStore(path).read { tables in
///   try tables.rows(of: "ZCHARTER", ["ZID", "ZNAME", "ZSTART"]).compactMap { row in
///     row.uuid("ZID").map { Charter(id: $0, name: row.text("ZNAME") ?? "", start: row.date("ZSTART")) }
///   }
/// }
/// ```
/// The store is read with the content of its write-ahead log, as one snapshot, also while another app has
/// it open. It, and the files beside it, stay as they are, byte for byte. (If this process itself has the
/// store open, SQLite notes the read in the file `-shm`, which the connections share.)
public struct CoreDataStore: Sendable {
  private let path: String
  /// The folder for the copy of a store.
  private let temporaryFolder: URL

  /// Creates a reader of the file at a path, such as that of `default.store`.
  public init(_ path: String) {
    self.init(path, temporaryFolder: FileManager.default.temporaryDirectory)
  }

  init(_ path: String, temporaryFolder: URL) {
    self.path = path
    self.temporaryFolder = temporaryFolder
  }

  /// The tables of a store, valid inside of the closure that reads it.
  public struct Tables {
    private let reader: Reader
    private let byteLimit: Int

    init(_ reader: Reader, byteLimit: Int) {
      self.reader = reader
      self.byteLimit = byteLimit
    }

    /// Returns the rows of a table by their primary keys.
    ///
    /// `SELECT "ZCHARTER"."Z_PK", "ZCHARTER"."ZID", … FROM "ZCHARTER"`
    /// - Parameters:
    ///   - columns: The columns to read, besides the primary key `Z_PK`.
    ///   - limit: The maximum number of rows.
    /// - Throws: ``DatabaseError``, with code `invalidSQL` if the table or a stored column is
    ///   missing, `corrupted` if it has more values than its file can store, and `other` if it has
    ///   more rows than the limit.
    public func rows(
      of table: String, _ columns: [String], limit: Int = 1_000_000
    ) throws -> [Row] {
      try check(table, columns)
      var list = SQL("\(identifier: table).\"Z_PK\"")
      for column in columns { list = "\(list), \(identifier: table).\(identifier: column)" }
      let sql = SQL("SELECT \(list) FROM \(identifier: table)")
      var (count, bytes) = (0, 0)
      let rows = try reader.connection.fetch(sql, columns: columns.count + 1) { row in
        let key = if case .integer(let key) = row.storedValue(of: 0) { Int(key) } else { 0 }
        let values = columns.indices.map { row.storedValue(of: $0 + 1) }
        (count, bytes) = (count + 1, bytes + values.reduce(0) { $0 + $1.byteCount })
        if count > limit { throw Self.tooManyRows(table, limit) }
        if bytes > byteLimit { throw DatabaseError(.corrupted, "The table has too many values.") }
        return Row(
          key: key, values: Dictionary(zip(columns, values)) { first, _ in first })
      }
      return rows.sorted { $0.key < $1.key }
    }

    /// Checks that a table stores these columns.
    ///
    /// NB: A view or a computed column of a hostile file could have values without end.
    private func check(_ table: String, _ columns: [String]) throws {
      let names = try reader.connection.fetch(
        """
        SELECT lower(c.name) FROM pragma_table_list(\(table)) AS t, pragma_table_info(\(table)) AS c
        WHERE t.type = 'table'
        """
      ) { try $0.value(String.self) }
      guard Set((["Z_PK"] + columns).map { $0.lowercased() }).isSubset(of: names) else {
        throw DatabaseError(.invalidSQL, "The store has no table “\(table)” with these columns.")
      }
    }

    private static func tooManyRows(_ table: String, _ limit: Int) -> DatabaseError {
      DatabaseError(
        .other, "Table “\(table)” has more than \(limit) rows. Pass a larger limit to read them.")
    }
  }

  /// A row of a table. A value of another type than expected is missing.
  public struct Row: Sendable {
    /// The primary key, by which other rows refer to this one.
    public let key: Int
    fileprivate let values: [String: SQLValue]

    /// Returns a text.
    public func text(_ column: String) -> String? {
      if case .text(let text) = values[column] { text } else { nil }
    }

    /// Returns a whole number, such as the key of a related row.
    public func integer(_ column: String) -> Int? {
      if case .integer(let number) = values[column] { Int(number) } else { nil }
    }

    /// Returns bytes, or those of a text.
    public func data(_ column: String) -> Data? {
      switch values[column] {
      case .blob(let bytes): Data(bytes)
      case .text(let text): Data(text.utf8)
      default: nil
      }
    }

    /// Returns the UUID of 16 bytes.
    public func uuid(_ column: String) -> UUID? {
      guard case .blob(let bytes) = values[column], bytes.count == 16 else { return nil }
      return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Returns a date, which is stored as seconds since 2001-01-01.
    public func date(_ column: String) -> Date? {
      switch values[column] {
      case .real(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
      case .integer(let seconds): Date(timeIntervalSinceReferenceDate: Double(seconds))
      default: nil
      }
    }

    /// Decodes a value that is stored as JSON or as a property list.
    public func value<Value: Decodable>(_ column: String, as type: Value.Type) -> Value? {
      guard let data = data(column) else { return nil }
      return (try? JSONDecoder().decode(type, from: data))
        ?? (try? PropertyListDecoder().decode(type, from: data))
    }
  }

  /// Reads the store on a thread of its own.
  ///
  /// If the task is cancelled, a running statement is interrupted.
  /// - Returns: The result of the closure.
  /// - Throws: ``DatabaseError`` with code `notADatabase` if there is no such file, or if it is not a
  ///   store with the tables and columns that the closure reads, `cannotOpen` if it may not be read,
  ///   `busy` if another process changes it in a way that SQLite's locks do not separate, `diskFull`
  ///   if there is no space for a copy; the error of the closure; `CancellationError`.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Tables) throws -> Result
  ) async throws -> Result {
    let (ticket, pending) = (ReadTicket(), PendingAnswer<Result>())
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        pending.resume(continuation)
        DatabaseThread.start("offshore.store", in: DispatchGroup()) {
          pending.answer(Swift.Result { try read(ticket, body) })
        }
      }
    } onCancel: {
      if ticket.cancel() { pending.answer(.failure(CancellationError())) }
    }
  }

  private func read<Result>(
    _ ticket: ReadTicket, _ body: (Tables) throws -> Result
  ) throws -> Result {
    try requireFile()
    do {
      let (connection, copy) = try open()
      defer { withExtendedLifetime(copy) { connection.close() } }
      return try ticket.run(on: connection) { try body(Tables($0, byteLimit: byteLimit)) }
    } catch let error as DatabaseError
      where [.notADatabase, .corrupted, .invalidSQL].contains(error.code)
    {
      throw Self.notAStore
    }
  }

  private func requireFile() throws {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      if attributes[.type] as? FileAttributeType == .typeRegular { return }
    } catch let error as CocoaError where error.code != .fileReadNoSuchFile {
      throw DatabaseError(copying: error)
    } catch {}
    throw Self.notAStore
  }

  /// Opens the store, or a copy of it if SQLite has to undo an interrupted write first.
  private func open() throws -> (Connection, StoreCopy?) {
    var configuration = DatabaseConfiguration()
    (configuration.isReadOnly, configuration.keepsLogIndex) = (true, true)
    do {
      return (try Connection(path, configuration: configuration), nil)
    } catch let error as DatabaseError where error.code == .readOnly && error.resultCode > 0xFF {
      let copy = try StoreCopy(of: path, in: temporaryFolder)
      return (try Connection(copy.path), copy)
    }
  }

  /// The number of bytes that the values of a table may have, which is more than a file of this size can store. A
  /// damaged file could have the same values many times.
  private var byteLimit: Int {
    (1 << 20) + ["", "-wal"].reduce(0) { $0 + 4 * (FileStamp(path + $1)?.size ?? 0) }
  }

  private static var notAStore: DatabaseError {
    DatabaseError(
      .notADatabase,
      "The file is not a store of SwiftData or Core Data with these tables. Choose another file.")
  }
}
