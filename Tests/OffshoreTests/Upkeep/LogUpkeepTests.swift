import Foundation
import TestSupport
import Testing

@testable import Offshore

/// The limit of the write-ahead log while reads use it.
@Suite(.timeLimit(.minutes(1)))
struct LogUpkeepTests {
  private static let limit = 256 << 10

  private let folder: TemporaryFolder
  private let path: String
  private var configuration = DatabaseConfiguration()

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("a.sqlite")
    configuration.synchronous = .off
    configuration.logSizeLimit = Self.limit
    configuration.readerCount = 8
  }

  private var logSize: Int {
    get throws {
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
      return attributes[.size] as? Int ?? 0
    }
  }

  private static func create(_ writer: Writer) throws {
    try writer.run("CREATE TABLE pages (id INTEGER PRIMARY KEY, content BLOB)")
    for _ in 0..<8 { try writer.run("INSERT INTO pages (content) VALUES (zeroblob(16384))") }
  }

  /// Writes somewhat more than half of the limit to the log.
  private static func overwrite(_ writer: Writer) throws {
    try writer.run("UPDATE pages SET content = randomblob(16384)")
  }

  private static func read(_ reader: Reader) throws {
    _ = try reader.integers("SELECT sum(length(content)) FROM pages")
  }

  // MARK: - Overlapping reads

  @Test func `Reads that overlap all the time do not let the log grow`() async throws {
    let database = try Database(path, configuration: configuration)
    try await database.write { try Self.create($0) }
    let (end, readCount) = (Counter(), Counter())
    let largest = try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          while end.value == 0 {
            try await database.read { reader in
              try Self.read(reader)
              // Long enough that another read begins before this one ends.
              _ = try reader.integers(
                "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT sum(i) FROM n"
              )
            }
            readCount.increase()
          }
        }
      }
      var largest = 0
      for _ in 0..<150 {
        try await database.write { try Self.overwrite($0) }
        largest = max(largest, try logSize)
      }
      end.increase()
      try await group.waitForAll()
      return largest
    }
    #expect(readCount.value > 50)
    #expect(largest < 5 * Self.limit)
  }

  @Test func `Reads continue while writes wait for a read to end`() async throws {
    let database = try Database(path, configuration: configuration)
    try await database.write { try Self.create($0) }
    try await duringRead(of: database) {
      // The log becomes far larger than its limit, so the writer waits for the read for the longest
      // time that it ever waits.
      try await database.write { writer in
        try writer.run("INSERT INTO pages (content) VALUES (zeroblob(2000000))")
      }
      let isWritten = Counter()
      let next = Task {
        try await database.write { try Self.overwrite($0) }
        isWritten.increase()
      }
      // A read that waited for the write would not end before it.
      var readCount = 0
      while isWritten.value == 0 {
        try await database.read { try Self.read($0) }
        if isWritten.value == 0 { readCount += 1 }
      }
      try await next.value
      #expect(readCount > 1)
    }
  }

  @Test func `The log is removed after a long read, even without a further write`() async throws {
    let database = try Database(path, configuration: configuration)
    try await database.write { try Self.create($0) }
    try await duringRead(of: database) {
      for _ in 0..<10 { try await database.write { try Self.overwrite($0) } }
      #expect(try logSize > 4 * Self.limit)
    }
    while try logSize > 0 { try await database.read { try Self.read($0) } }
    #expect(try await database.integrityCheck() == [])
  }

  /// Runs a closure while a read holds a snapshot.
  private func duringRead(
    of database: Database, _ body: () async throws -> Void
  ) async throws {
    let (reached, goOn) = (Gate(), Gate())
    let reading = Task {
      try await database.read { reader in
        try Self.read(reader)
        reached.open()
        goOn.wait()
      }
    }
    await reached.opened()
    defer { goOn.open() }
    try await body()
    goOn.open()
    try await reading.value
  }

  // MARK: - Attempts

  /// Runs a closure with a connection that writes, and one that reads a former snapshot.
  private func withReader(
    _ body: (_ writer: Connection, _ endRead: () -> Void) throws -> Void
  ) throws {
    let writer = try Connection(path, configuration: configuration)
    try writer.followLog()
    try writer.write { try Self.create($0) }
    let reader = try Connection(path, configuration: configuration)
    try reader.begin(.read)
    _ = try reader.number("SELECT count(*) FROM pages")
    defer { reader.close() }
    try body(writer) { reader.rollBack() }
  }

  @Test func `A log below its limit is left as it is`() throws {
    let connection = try Connection(path, configuration: configuration)
    try connection.followLog()
    try connection.write { try Self.create($0) }
    var upkeep = LogUpkeep(RunningReads()) {}
    #expect(upkeep.run(on: connection) == .unneeded)
    #expect(try logSize > 0)
  }

  @Test func `A log that one commit has made too large is removed`() throws {
    let connection = try Connection(path, configuration: configuration)
    try connection.followLog()
    try connection.write { writer in
      try Self.create(writer)
      try writer.run("INSERT INTO pages (content) VALUES (zeroblob(1000000))")
    }
    var upkeep = LogUpkeep(RunningReads()) {}
    #expect(upkeep.run(on: connection) == .done)
    #expect(try logSize == 0)
    #expect(upkeep.run(on: connection) == .unneeded)
  }

  @Test func `After a failed attempt, the next one follows the end of the reads that ran`() throws {
    try withReader { writer, endRead in
      let (reads, retries) = (RunningReads(), Counter())
      var upkeep = LogUpkeep(reads) { retries.increase() }
      let read = reads.begin()
      for _ in 0..<2 { try writer.write { try Self.overwrite($0) } }
      #expect(upkeep.run(on: writer) == .failed)
      let later = reads.begin()
      for _ in 0..<9 {
        try writer.write { try Self.overwrite($0) }
        #expect(upkeep.run(on: writer) == .postponed)
      }
      #expect(retries.value == 0)
      endRead()
      reads.end(read)
      #expect(retries.value == 1)
      #expect(upkeep.run(on: writer) == .done)
      reads.end(later)
      #expect(retries.value == 1)
      #expect(try logSize == 0)
    }
  }

  @Test func `After reads elsewhere made an attempt fail, the log doubles before the next one`()
    throws
  {
    try withReader { writer, endRead in
      var upkeep = LogUpkeep(RunningReads()) {}
      for _ in 0..<2 { try writer.write { try Self.overwrite($0) } }
      #expect(upkeep.run(on: writer) == .failed)
      let size = try logSize
      endRead()
      // Another read, so that SQLite does not begin the log again.
      let reader = try Connection(path, configuration: configuration)
      try reader.begin(.read)
      _ = try reader.number("SELECT count(*) FROM pages")
      defer { reader.close() }
      var postponed = 0
      while try logSize < 2 * size {
        try writer.write { try Self.overwrite($0) }
        let outcome = upkeep.run(on: writer)
        if outcome == .failed { break }
        #expect(outcome == .postponed)
        postponed += 1
      }
      #expect(postponed > 0)
      #expect(try logSize >= 2 * size - 200_000)
    }
  }

  @Test func `Writes wait longer the larger the log is, for two seconds at most`() {
    #expect(LogUpkeep.patience(frames: 100, limit: 100) == .milliseconds(500))
    #expect(LogUpkeep.patience(frames: 200, limit: 100) == .seconds(1))
    #expect(LogUpkeep.patience(frames: .max, limit: 100) == .seconds(2))
    #expect(LogUpkeep.patience(frames: 100, limit: 0) == .seconds(2))
  }

  // MARK: - Limits

  @Test func `The app's automatic checkpoint determines the limit`() throws {
    let connection = try Connection(path, configuration: configuration)
    try connection.followLog()
    #expect(connection.log?.limit == Self.limit / 4096)
    let other = try Connection(path, configuration: configuration)
    try other.execute("PRAGMA wal_autocheckpoint = 10")
    try other.followLog()
    #expect(other.log?.limit == 20)
    let third = try Connection(path, configuration: configuration)
    try third.execute("PRAGMA wal_autocheckpoint = 0")
    try third.followLog()
    #expect(third.log == nil)
  }

  @Test func `From half of the limit on, the log is moved into the file`() throws {
    let connection = try Connection(path, configuration: configuration)
    try connection.followLog()
    var upkeep = LogUpkeep(RunningReads()) {}
    try connection.write { try $0.run("CREATE TABLE small (x)") }
    let size = { try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0 }
    #expect(upkeep.run(on: connection) == .unneeded)
    #expect(try size() <= 4096)
    try connection.write { try Self.create($0) }
    #expect(try size() <= 4096)
    #expect(upkeep.run(on: connection) == .unneeded)
    #expect(try size() > 100_000)
    #expect(try connection.checkpoint(.passive).isComplete)
  }

  @Test func `While the next attempt is postponed, the log is still moved into the file`() throws {
    try withReader { writer, endRead in
      let size = { try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0 }
      let reads = RunningReads()
      var upkeep = LogUpkeep(reads) {}
      let read = reads.begin()
      for _ in 0..<2 { try writer.write { try Self.overwrite($0) } }
      #expect(upkeep.run(on: writer) == .failed)
      let before = try size()
      endRead()
      try writer.write { try $0.run("INSERT INTO pages (content) VALUES (zeroblob(100000))") }
      #expect(upkeep.run(on: writer) == .postponed)
      #expect(try size() > before + 90_000)
      reads.end(read)
    }
  }
}
