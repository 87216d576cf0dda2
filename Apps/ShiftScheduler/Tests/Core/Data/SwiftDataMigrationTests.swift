import Foundation
import Offshore
import OffshorePresentationTesting
import TestSupport
import Testing

@testable import ShiftScheduler

/// The import of stores of SwiftData and Core Data.
struct SwiftDataMigrationTests {
  private typealias Skipped = SwiftDataMigration.Report.Skipped

  private let folder: TemporaryFolder
  private var store: URL { URL(filePath: folder.file("copy/default.store")) }

  init() throws { folder = try TemporaryFolder() }

  /// Creates a store. Its rows are in the write-ahead log alone, except the tables.
  private func makeStore(_ statements: SQL...) throws {
    let path = folder.file("default.store")
    let connection = try Connection(path)
    try connection.execute(
      """
      CREATE TABLE ZLOCATION (
        Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZADDRESS VARCHAR,
        ZID BLOB);
      CREATE TABLE ZSHIFTTYPE (
        Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLOCATION INTEGER,
        ZSYMBOL VARCHAR, ZTITLE VARCHAR, ZSHIFTDESCRIPTION VARCHAR, ZDURATION BLOB, ZID BLOB,
        ZCREATED TIMESTAMP);
      """)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try connection.write { writer in for statement in statements { try statement.run(writer) } }
    try FileManager.default.createDirectory(
      atPath: folder.file("copy"), withIntermediateDirectories: true)
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(
        atPath: path + suffix, toPath: store.path(percentEncoded: false) + suffix)
    }
    connection.close()
  }

  /// The names, contents and dates of the files beside the store.
  private func files() throws -> [String: [String]] {
    let folder = store.deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let path = folder.appending(path: name).path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let bytes = try Data(contentsOf: URL(filePath: path))
        return (name, [bytes.base64EncodedString(), "\(attributes[.modificationDate] ?? "")"])
      })
  }

  private static func location(_ key: Int, _ id: Int, _ name: String?) -> SQL {
    """
    INSERT INTO ZLOCATION VALUES (\(key), 1, 1, \(name), 'Quay 7', \(UUID(number: id), as: .blob))
    """
  }

  private static func shiftType(
    _ key: Int, _ id: Int, _ duration: Data, location: Int? = nil, title: String? = "Early"
  ) -> SQL {
    """
    INSERT INTO ZSHIFTTYPE VALUES (
      \(key), 2, 1, \(location), '🌅', \(title), 'By the sea', \(duration),
      \(UUID(number: id), as: .blob), 700000000.5)
    """
  }

  private static let json = Data(
    #"{"scheduled":{"from":{"hour":6,"minute":0},"to":{"hour":14,"minute":0}}}"#.utf8)

  private static func plist(_ format: PropertyListSerialization.PropertyListFormat) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    return try encoder.encode(ShiftDuration.allDay)
  }

  @Test(arguments: TestEngine.allCases)
  func `Locations and shift types are imported with the write-ahead log`(
    _ engine: TestEngine
  ) async throws {
    try makeStore(
      Self.location(1, 1, "Harbor"), Self.location(4, 2, "City"),
      Self.shiftType(1, 11, Self.json, location: 4),
      Self.shiftType(2, 12, try Self.plist(.binary), location: 9),
      Self.shiftType(3, 13, try Self.plist(.xml)))
    let before = try files()
    let repository = try engine.makePlace().open()
    let report = try await SwiftDataMigration(store: store).migrate(to: repository)
    #expect(report.locations == 2 && report.shiftTypes == 3 && report.skipped == [])
    #expect(
      try await repository.loadLocations() == [
        Location(id: UUID(number: 1), name: "Harbor", address: "Quay 7"),
        Location(id: UUID(number: 2), name: "City", address: "Quay 7"),
      ])
    let types = try await repository.loadShiftTypes()
    #expect(types.map(\.duration) == [ShiftType.early.duration, .allDay, .allDay])
    #expect(types.map(\.locationID) == [UUID(number: 2), nil, nil])
    #expect(types.map(\.id) == [11, 12, 13].map { UUID(number: $0) })
    #expect(types.first?.title == "Early" && types.first?.description == "By the sea")
    #expect(try files() == before)

    var changed = types[0]
    changed.title = "Changed"
    try await repository.saveShiftType(changed)
    let again = try await SwiftDataMigration(store: store).migrate(to: repository)
    #expect(again == SwiftDataMigration.Report())
    #expect(try await repository.loadShiftTypes().first?.title == "Changed")
    #expect(try await repository.loadLocations().count == 2)
    #expect(try files() == before)
  }

  @Test func `Rows that cannot be read are reported with their keys and reasons`() async throws {
    try makeStore(
      Self.location(1, 1, "Harbor"), Self.location(2, 1, "Again"), Self.location(3, 3, nil),
      "INSERT INTO ZLOCATION VALUES (4, 1, 1, 'Pier', NULL, x'0102')",
      "INSERT INTO ZLOCATION VALUES (5, 1, 1, 'Text', NULL, 'not a UUID')",
      Self.shiftType(1, 11, Data("{".utf8)), Self.shiftType(2, 12, Data()),
      Self.shiftType(3, 13, Self.json, title: nil), Self.shiftType(4, 14, Self.json, location: 1),
      Self.shiftType(5, 14, Self.json))
    let repository = InMemoryRepository()
    let report = try await SwiftDataMigration(store: store).migrate(to: repository)
    #expect(report.locations == 1 && report.shiftTypes == 1)
    #expect(
      report.skipped == [
        Skipped(table: "ZLOCATION", key: 2, reason: .duplicateID),
        Skipped(table: "ZLOCATION", key: 3, reason: .missingName),
        Skipped(table: "ZLOCATION", key: 4, reason: .unreadableID),
        Skipped(table: "ZLOCATION", key: 5, reason: .unreadableID),
        Skipped(table: "ZSHIFTTYPE", key: 1, reason: .unreadableDuration),
        Skipped(table: "ZSHIFTTYPE", key: 2, reason: .unreadableDuration),
        Skipped(table: "ZSHIFTTYPE", key: 3, reason: .missingTitle),
        Skipped(table: "ZSHIFTTYPE", key: 5, reason: .duplicateID),
      ])
    #expect(try await repository.loadShiftTypes().first?.locationID == UUID(number: 1))
    #expect(try await repository.loadChanges().count == 1)
  }

  @Test func `A store that is in use is imported as it is`() async throws {
    try makeStore(Self.location(1, 1, "Harbor"))
    let connection = try Connection(store.path(percentEncoded: false))
    try connection.write { try Self.location(2, 2, "City").run($0) }
    let report = try await SwiftDataMigration(store: store).migrate(to: InMemoryRepository())
    #expect(report.locations == 2)
    connection.close()
  }

  @Test(arguments: ["", "no database, but a text that is long enough to have a header"])
  func `A file that is not a store is refused and stays`(_ text: String) async throws {
    let file = URL(filePath: folder.file("notes.txt"))
    try Data(text.utf8).write(to: file)
    await #expect(throws: SwiftDataMigration.Failure.notAStore) {
      try await SwiftDataMigration(store: file).migrate(to: InMemoryRepository())
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test func `A missing file, a folder and a database of another app are refused`() async throws {
    let other = folder.file("other.sqlite")
    let connection = try Connection(other)
    try connection.execute("CREATE TABLE ZLOCATION (id); CREATE TABLE ZSHIFTTYPE (id)")
    connection.close()
    for path in [folder.file("missing"), folder.path, other] {
      await #expect(throws: SwiftDataMigration.Failure.notAStore) {
        try await SwiftDataMigration(store: URL(filePath: path)).migrate(
          to: InMemoryRepository())
      }
    }
  }

  @Test func `Random damage never traps`() async throws {
    try makeStore(Self.location(1, 1, "Harbor"), Self.shiftType(1, 11, Self.json, location: 1))
    var random = SeededRandom(seed: 7)
    let content = try Data(contentsOf: store)
    for _ in 0..<Rounds.count(ofSoak: 10_000, else: 100) {
      var damaged = content
      for _ in 0..<(1 + random.number(below: 8)) {
        damaged[random.number(below: damaged.count)] = UInt8(random.number(below: 256))
      }
      try damaged.write(to: store)
      _ = try? await SwiftDataMigration(store: store).migrate(to: InMemoryRepository())
    }
  }
}
