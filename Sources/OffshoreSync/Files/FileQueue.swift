import Foundation
package import Offshore
package import OffshoreWire

/// The files that a device sends and fetches next, as its database has them.
package struct FileQueue {
  /// A file to send to a scope, or to fetch.
  package enum Job: Hashable, Sendable {
    case send(ContentHash, ScopeID)
    case fetch(ContentHash)

    package var hash: ContentHash {
      switch self {
      case .send(let hash, _), .fetch(let hash): hash
      }
    }
  }

  /// The time for which a file without a reference stays, in milliseconds, so that the user can undo a
  /// removal.
  package static let grace: Int64 = 86_400_000

  /// The time of a job that waits for the user.
  package static let never = Int64.max

  let reader: Reader

  package init(reader: Reader) { self.reader = reader }

  // MARK: - Work

  /// Reads what the work depends on, so that an observation calls this again after each change of it: of
  /// a file, or of the role in its scope.
  /// - Returns: a value that differs from all others, or `nil` if there is no file.
  ///
  /// NB: An observation does not deliver equal values. A value such as the number of jobs would be equal
  /// if a file was added in the commit after which another one was completed, and the file would wait.
  static func mark(_ reader: Reader) throws -> UUID? {
    let first = try SQL(
      """
      SELECT refs, own, stored, _file.wanted, due, role, _cursor.wanted IS NULL AND accepted
      FROM _file LEFT JOIN _cursor USING (scope) LIMIT 1
      """
    ).first(
      reader, as: Int64.self, Bool.self, Int64.self, Bool.self, Int64.self, Int64?.self, Bool.self)
    return first == nil ? nil : UUID()
  }

  /// Returns the job to do now: the one that has been due for the longest time, in a scope in which the
  /// account may do it. Files of a scope that it is about to leave are sent; see ``HeldCommands``.
  package func next(at now: Int64) throws -> Job? {
    let entry = try SQL(
      """
      SELECT _file.scope, hash, _file.wanted FROM _file JOIN _cursor USING (scope)
      WHERE _file.due <= \(now) AND (\(FileEntry.isToSend) AND role IN \(Self.roles { $0.canWrite })
        OR _file.wanted = 1 AND refs > 0 AND role IN \(Self.roles { $0.canRead })
          AND _cursor.wanted IS NULL)
      ORDER BY _file.due, _file.rowid LIMIT 1
      """
    ).first(reader, as: String.self, String.self, Bool.self)
    guard let (scope, hash, isWanted) = entry, let hash = ContentHash(hexadecimal: hash) else {
      return nil
    }
    return isWanted ? .fetch(hash) : .send(hash, try ScopeID(scope))
  }

  private static func roles(_ condition: (Role) -> Bool) -> SQL {
    let numbers = Role.allCases.filter(condition).map { "\($0.rawValue)" }
    return SQL(raw: "(\(numbers.joined(separator: ", ")))")
  }

  /// Returns the number of failed attempts at a job.
  package func attempts(of job: Job) throws -> Int64 {
    try SQL("SELECT coalesce(max(attempts), 0) FROM _file WHERE \(Self.entries(of: job))")
      .first(reader, as: Int64.self) ?? 0
  }

  /// Returns the reason why the server does not accept the file of a job, or `nil` if it has not refused it.
  func problem(of job: Job) throws -> String? {
    try SQL("SELECT max(problem) FROM _file WHERE \(Self.entries(of: job))")
      .first(reader, as: String?.self) ?? nil
  }

  /// Returns the number of times in a row that the server has refused the file of a job.
  func refusals(of job: Job) throws -> Int64 { try problem(of: job) == nil ? 0 : attempts(of: job) }

  /// Returns the time of the next attempt, or `nil` if there is none by itself.
  static func date(ofTry due: Int64) -> Date? {
    due > 0 && due < never ? Date(milliseconds: due) : nil
  }

  /// Returns the time of the first job that was not due at a time, in milliseconds since 1970.
  func nextTime(after time: Int64) throws -> Int64? {
    try SQL(
      """
      SELECT min(due) FROM _file
      WHERE due > \(time) AND due < \(Self.never) AND (\(FileEntry.isToFetch) OR \(FileEntry.isToSend))
      """
    ).first(reader, as: Int64?.self) ?? nil
  }
}

extension FileQueue {
  // MARK: - Results

  /// Records that a job is done.
  /// - Parameter now: the device's clock, in milliseconds since 1970.
  package static func complete(_ job: Job, at now: Int64, _ writer: Writer) throws {
    switch job {
    case .send(let hash, let scope):
      try SQL(
        """
        UPDATE _file SET stored = \(max(now, 1)), attempts = 0, due = 0, problem = NULL,
          former = 0
        WHERE hash = \(hash.description) AND scope = \(scope.text)
        """
      ).run(writer)
      try HeldCommands.release(in: scope, writer)
    case .fetch(let hash):
      try SQL(
        """
        UPDATE _file SET wanted = 0, attempts = 0, due = 0, problem = NULL
        WHERE hash = \(hash.description) AND wanted = 1
        """
      ).run(writer)
    }
  }

  /// Postpones a job until a time, after a number of failed attempts.
  /// - Parameter problem: the reason why the server does not accept the file, if that is the failure.
  package static func postpone(
    _ job: Job, until due: Int64, _ attempts: Int64, because problem: String?, _ writer: Writer
  ) throws {
    try SQL(
      """
      UPDATE _file SET attempts = \(attempts), due = \(due), problem = \(problem)
      WHERE \(entries(of: job))
      """
    ).run(writer)
    if case .send(_, let scope) = job { try HeldCommands.release(in: scope, writer) }
  }

  private static func entries(of job: Job) -> SQL {
    switch job {
    case .send(let hash, let scope): "hash = \(hash.description) AND scope = \(scope.text)"
    case .fetch(let hash): "hash = \(hash.description) AND wanted = 1"
    }
  }

  /// Ends the delays after failures of the network, because the server answers again.
  static func retryAll(_ writer: Writer) throws {
    try SQL("UPDATE _file SET due = 0 WHERE due > 0 AND problem IS NULL").run(writer)
  }

  /// Requests a file to send that is not on this device, for example because its row was moved. The time
  /// of its jobs stays as it is.
  package static func wantMissing(_ hash: ContentHash, _ writer: Writer) throws {
    try SQL("UPDATE _file SET wanted = 1 WHERE hash = \(hash.description) AND refs > 0").run(writer)
    // A file that no row of this release shows is not fetched only to be sent.
    try SQL("UPDATE _file SET former = 0 WHERE hash = \(hash.description) AND former = 1").run(
      writer)
  }

  /// Sends the files of a scope though its rows are about to be hidden, because the account leaves it.
  static func sendHidden(of scope: ScopeID, _ writer: Writer) throws {
    try SQL(
      """
      UPDATE _file SET former = 1
      WHERE scope = \(scope.text) AND own = 1 AND stored = 0 AND refs > 0
      """
    ).run(writer)
  }

  /// Sends the own files of a scope again, because restored data of the server may lack them.
  static func sendAgain(to scope: ScopeID, _ writer: Writer) throws {
    try SQL("UPDATE _file SET stored = 0 WHERE scope = \(scope.text) AND stored > 0").run(writer)
  }

  /// Marks the device's files as unsent in scopes that were never pulled: no page tells whether restored data of
  /// the server has them.
  static func sendAgainUnpulled(_ writer: Writer) throws {
    try SQL(
      """
      UPDATE _file SET stored = 0
      WHERE stored > 0 AND scope NOT IN (SELECT scope FROM _cursor WHERE epoch <> 0)
      """
    ).run(writer)
  }

  /// Requests a file that a row refers to.
  /// - Returns: whether a row of a scope refers to it.
  static func want(_ hash: ContentHash, _ writer: Writer) throws -> Bool {
    try SQL(
      "UPDATE _file SET wanted = 1, due = 0 WHERE hash = \(hash.description) AND refs > 0"
    ).run(writer) > 0
  }

  // MARK: - Files without a reference

  /// Returns the time since which the first of the unused files has had no reference.
  func firstUnused() throws -> Int64? {
    try SQL("SELECT min(unused) FROM _file WHERE \(FileEntry.isUnused)")
      .first(reader, as: Int64?.self) ?? nil
  }

  /// Records since when the files have no reference.
  package static func noteUnused(at now: Int64, _ writer: Writer) throws {
    try SQL("UPDATE _file SET unused = \(now) WHERE \(FileEntry.isUnused) AND unused IS NULL")
      .run(writer)
  }

  /// A file that is not needed any more.
  package struct Unneeded: Hashable, Sendable {
    package let hash: ContentHash
    /// Whether the account may not read a scope of the file any more.
    package let isRevoked: Bool
  }

  /// Returns the files that are not needed any more: no row has referred to them for the time of
  /// ``grace``, or they belong to scopes that the account may not read any more.
  ///
  /// A file is needed as long as a pending change, one that can be made again or cancelled, a conflict
  /// or a hidden row refers to it, or it is to be sent for devices of former releases.
  package func unneeded(at now: Int64) throws -> [Unneeded] {
    // Cancelling a captured change restores former values.
    guard try !JournalRow.all.exists(reader) else { return [] }
    let isRevoked: SQL = """
      EXISTS (SELECT 1 FROM _cursor WHERE scope = _file.scope
        AND role = \(Int64(Role.revoked.rawValue)))
      """
    let hasEnded: SQL = """
      EXISTS (SELECT 1 FROM _cursor WHERE scope = _file.scope AND \(ScopeCursor.isEnded))
      """
    let isUnneeded: SQL = """
      (\(FileEntry.isUnused) AND (\(isRevoked)
        OR (former = 0 OR \(hasEnded)) AND ifnull(unused, \(now)) <= \(now - Self.grace)))
      """
    let found = try SQL(
      """
      SELECT hash, max(\(isRevoked)) FROM _file WHERE \(isUnneeded)
        AND hash NOT IN (SELECT hash FROM _file WHERE NOT \(isUnneeded)) GROUP BY hash
      """
    ).all(reader, as: String.self, Bool.self)
    return try found.compactMap { hash, isRevoked in
      guard try !isMentioned(hash) else { return nil }
      return ContentHash(hexadecimal: hash).map { Unneeded(hash: $0, isRevoked: isRevoked) }
    }
  }

  /// Returns whether a stored change, conflict or row refers to a file. NB: Messages have texts as they are.
  private func isMentioned(_ hash: String) throws -> Bool {
    let places = [
      ("_dead", "op"), ("_conflict", "content"), ("_shadow", "state"), ("_batch", "content"),
      ("_page", "content"), ("settings", "value"),
    ]
    return try places.contains { table, column in
      try SQL(
        """
        SELECT EXISTS (SELECT 1 FROM \(identifier: table)
          WHERE instr(CAST(\(identifier: column) AS BLOB), CAST(\("blob:" + hash) AS BLOB)) > 0)
        """
      ).first(reader, as: Bool.self) == true
    }
  }

  /// Removes the entries of files that were deleted, unless rows refer to them again.
  package static func remove(_ files: [Unneeded], _ writer: Writer) throws {
    for file in files {
      try SQL("DELETE FROM _file WHERE hash = \(file.hash.description) AND \(FileEntry.isUnused)")
        .run(writer)
    }
  }
}
