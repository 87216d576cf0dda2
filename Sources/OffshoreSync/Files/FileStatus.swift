public import Offshore
public import OffshoreWire

/// The place of a file that a row refers to.
public enum FileStatus: Hashable, Sendable {
  /// The file is not on this device. ``SyncedStore/fetch(_:)`` requests it.
  case elsewhere
  /// The file was requested, and arrives when the server has it and can be reached.
  case arriving
  /// The file is on this device, which sends it to the server.
  case sending
  /// The file is on this device, and the server does not accept it, for example because it is too
  /// large. The code is one of `ServerClient.Failure`. It is sent again after ten minutes, or as the limits
  /// of attempts tell; see ``StoreSchema``.
  case refused(code: String)
  /// The file is on this device.
  case here
}

extension SyncedStore {
  /// Returns the place of a file. An observation that calls it receives each change.
  /// - Throws: `DatabaseError`.
  public func status(of file: BlobReference, _ reader: Reader) throws -> FileStatus {
    let isHere = files.url(of: file) != nil
    guard try Self.isLinked(reader) else { return isHere ? .here : .elsewhere }
    let entries = try SQL(
      """
      SELECT wanted, own = 1 AND stored = 0 AND \(ScopeCursor.isWritable("_file.scope")), problem
      FROM _file
      WHERE hash = \(file.hash.description) AND refs > 0
      """
    ).all(reader, as: Bool.self, Bool.self, String?.self)
    guard isHere else { return entries.contains { $0.0 } ? .arriving : .elsewhere }
    if let problem = entries.lazy.compactMap({ $0.1 ? $0.2 : nil }).first {
      return .refused(code: problem)
    }
    return entries.contains { $0.1 } ? .sending : .here
  }

  /// Returns whether a row on this device refers to a file.
  /// - Throws: `DatabaseError`.
  public func refers(to file: BlobReference, _ reader: Reader) throws -> Bool {
    guard try Self.isLinked(reader) else {
      // Without an account the references are not counted.
      return try replica.schema.tables.contains { table in
        try table.files.keys.contains { column in
          try SQL(
            """
            SELECT EXISTS (SELECT 1 FROM \(identifier: table.name)
            WHERE \(identifier: column) = \(file.text))
            """
          ).first(reader, as: Bool.self) == true
        }
      }
    }
    return try SQL(
      "SELECT EXISTS (SELECT 1 FROM _file WHERE hash = \(file.hash.description) AND refs > 0)"
    ).first(reader, as: Bool.self) == true
  }

  /// Requests a file of another device. It arrives when the server has it and can be reached, also after
  /// a restart of the app.
  /// - Returns: whether a row refers to the file; only files of rows can be fetched.
  /// - Throws: `DatabaseError`.
  @discardableResult
  public func fetch(_ file: BlobReference) async throws -> Bool {
    guard files.url(of: file) == nil else { return true }
    return try await write { writer in
      try Self.isLinked(writer) ? try FileQueue.want(file.hash, writer) : false
    }
  }
}
