import Foundation
import Offshore
import OffshoreTesting
import TestSupport
import Testing

@testable import ShiftScheduler

/// The files of released versions.
///
/// `OFFSHORE_RECORD=1 swift test --filter ShiftSchedulerTests.MigrationTests` writes the schema of a version that
/// is not released yet. A released one never changes.
struct MigrationTests {
  private static let versions = ["1.0.0"]
  private static let isRecording = ProcessInfo.processInfo.environment["OFFSHORE_RECORD"] != nil

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func file(_ version: String) -> URL {
    URL(filePath: #filePath).appending(path: "../../../../Schemas/\(version).sql").standardized
  }

  private static func snapshot(_ version: String) throws -> SchemaSnapshot {
    SchemaSnapshot(try String(contentsOf: file(version), encoding: .utf8))
  }

  /// Inserts rows as version 1.0.0 does.
  private static func fill(_ version: String, _ writer: Writer) throws {
    let id = "00000000-0000-0000-0000-000000000001"
    try SQL(
      "INSERT INTO locations (id, name, position, userID) VALUES (\(id), 'Harbor', 0, \(id))"
    ).run(writer)
    try SQL(
      """
      INSERT INTO shiftTypes (id, symbol, duration, title, userID)
      VALUES (\(id), 'E', '{"allDay":{}}', 'Early', \(id))
      """
    ).run(writer)
    try SQL(
      """
      INSERT INTO shifts (id, shiftTypeID, date, userID)
      VALUES (\(id), \(id), '2027-06-01', \(id))
      """
    ).run(writer)
    try SQL(
      """
      INSERT INTO changes (id, moment, edits, position, userID)
      VALUES (\(id), 800000000, '[]', 0, \(id))
      """
    ).run(writer)
    try SQL("INSERT INTO teams (id, name) VALUES (\(id), 'Crew')").run(writer)
    try SQL(
      """
      INSERT INTO publishedShifts (
        id, teamID, shiftID, publisherID, date, duration, symbol, title, color, place, workerID,
        workerName)
      VALUES (
        'p1', \(id), \(id), \(id), '2027-06-01', '{"allDay":{}}', 'E', 'Early', 'blue', 'Harbor',
        \(id), 'ann')
      """
    ).run(writer)
    try SQL(
      """
      INSERT INTO swapOffers (id, teamID, publishedID, authorID, date)
      VALUES (\(id), \(id), 'p1', \(id), 800000000)
      """
    ).run(writer)
    try SQL(
      """
      INSERT INTO swapAnswers (id, teamID, offerID, authorID, kind, date)
      VALUES ('a1', \(id), \(id), \(id), 'withdrawn', 800000000)
      """
    ).run(writer)
    try SQL(
      """
      INSERT INTO swapDecisions (id, teamID, offerID, kind, workerID)
      VALUES ('d1', \(id), \(id), 'declined', \(id))
      """
    ).run(writer)
  }

  @Test(arguments: Array(versions.enumerated()).map { ($0.offset + 1, $0.element) })
  func `Each migration creates the schema of its release`(_ count: Int, _ version: String)
    async throws
  {
    let migrations = Migrations(Array(ShiftSchema.migrations.prefix(count)))
    let database = try Database.temporary(migrations: migrations)
    let made = try await database.read { try SchemaSnapshot($0) }
    if Self.isRecording, version == Self.versions.last {
      let folder = Self.file(version).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try made.text.write(to: Self.file(version), atomically: true, encoding: .utf8)
    }
    #expect(made == (try Self.snapshot(version)))
  }

  @Test func `Files of every released version are migrated to the declared schema`() throws {
    let snapshots = try Dictionary(
      uniqueKeysWithValues: Self.versions.map { ($0, try Self.snapshot($0)) })
    let problems = try MigrationProof(
      Migrations(ShiftSchema.migrations), records: ShiftSchema.records
    ).problems(startingFrom: snapshots, in: folder.path, fill: Self.fill)
    #expect(problems == [])
  }

  @Test func `The migrations have the names that files record`() {
    #expect(ShiftSchema.migrations.map(\.name) == ["v1.0.0_createSchedule"])
  }
}
