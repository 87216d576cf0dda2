public import Foundation

/// A store that an app has written by SwiftData or Core Data, from which it moves to another one.
///
/// ```swift
/// let charters = try CoreDataStore(path).read { tables in
///   try tables.rows(of: "ZCHARTER", ["ZID", "ZNAME", "ZSTART"]).compactMap { row in
///     row.uuid("ZID").map { Charter(id: $0, name: row.text("ZNAME") ?? "", start: row.date("ZSTART")) }
///   }
/// }
/// ```
/// The store is read with the content of its write-ahead log. It, and the files beside it, stay as they
/// are, byte for byte, also while another app has it open.
public struct CoreDataStore: Sendable {
  private let path: String

  /// Creates a reader of the file at a path, such as that of `default.store`.
  public init(_ path: String) { self.path = path }

  /// The tables of a store, valid inside of the closure that reads it.
  public struct Tables {
    fileprivate let reader: Reader

    /// Returns the rows of a table by their primary keys.
    ///
    /// `SELECT "ZCHARTER"."Z_PK", "ZCHARTER"."ZID", … FROM "ZCHARTER" ORDER BY 1`
    /// - Parameter columns: The columns to read, besides the primary key `Z_PK`.
    /// - Throws: ``DatabaseError``, with code `invalidSQL` if the table or a column is missing.
    public func rows(of table: String, _ columns: [String]) throws -> [Row] {
      var list = SQL("\(identifier: table).\"Z_PK\"")
      for column in columns { list = "\(list), \(identifier: table).\(identifier: column)" }
      let sql = SQL("SELECT \(list) FROM \(identifier: table) ORDER BY 1")
      return try reader.connection.fetch(sql, columns: columns.count + 1) { row in
        let key = if case .integer(let key) = row.storedValue(of: 0) { Int(key) } else { 0 }
        let values = columns.indices.map { row.storedValue(of: $0 + 1) }
        return Row(
          key: key, values: Dictionary(zip(columns, values)) { first, _ in first })
      }
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

  /// Reads the store.
  /// - Returns: The result of the closure.
  /// - Throws: ``DatabaseError`` with code `notADatabase` if there is no such file, or if it is not a
  ///   store with the tables and columns that the closure reads; the error of the closure.
  public func read<Result>(_ body: (Tables) throws -> Result) throws -> Result {
    let files = FileManager.default
    guard (try? files.attributesOfItem(atPath: path)[.type]) as? FileAttributeType == .typeRegular
    else { throw Self.notAStore }
    let folder = files.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
    try files.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? files.removeItem(at: folder) }
    // NB: SQLite writes beside a store that it opens, even for reading, such as the index of its log. So a
    // copy is opened, with the changes that are not in the store yet.
    let copy = folder.appending(path: "store").path(percentEncoded: false)
    for suffix in ["", "-wal", "-journal"] where files.fileExists(atPath: path + suffix) {
      try files.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    do {
      let connection = try Connection(copy)
      defer { connection.close() }
      return try connection.read { try body(Tables(reader: $0)) }
    } catch let error as DatabaseError
      where [.notADatabase, .corrupted, .cannotOpen, .invalidSQL].contains(error.code)
    {
      throw Self.notAStore
    }
  }

  private static var notAStore: DatabaseError {
    DatabaseError(
      .notADatabase,
      "The file is not a store of SwiftData or Core Data with these tables. Choose another file.")
  }
}
