import Foundation
import Offshore
import OffshoreFiles
import Testing

private struct Charter: Codable, Identifiable, Equatable, Sendable {
  let id: String
  var name: String
}

private struct OldSettings: Codable { var charters: [String] }
private struct Settings: Codable, Equatable, Sendable { var lastCharter: String? }

private struct CharterRow: Record, Identifiable {
  let id: String
  var name: String
  var position: Int

  static let table = Table(
    "charters", CharterRow.init,
    Column("id", \.id).primaryKey(), Column("name", \.name), Column("position", \.position))
}

/// The examples of the article about files.
@Suite(.timeLimit(.minutes(1)))
struct FilesArticleTests {
  private let files: TestFolder
  private var folder: String { files.path }
  private let charter = Charter(id: "a", name: "Alma")
  private let sold = Charter(id: "b", name: "Bura")

  init() throws { files = try TestFolder() }

  @Test func `A collection is changed and loaded`() async throws {
    let charters = JSONCollection<Charter>(folder + "/charters.json")
    try await charters.upsert(sold)
    try await charters.upsert(charter)
    try await charters.remove(sold.id)
    #expect(try await charters.load() == [charter])
  }

  @Test func `A collection is observed`() async throws {
    let charters = JSONCollection<Charter>(folder + "/charters.json")
    var shown: [[Charter]] = []
    func show(_ charters: [Charter]) { shown.append(charters) }
    let writer = JSONCollection<Charter>(folder + "/charters.json")
    for try await charters in charters.values() {
      show(charters)
      if charters == [charter] { break }
      try await writer.upsert(charter)
    }
    #expect(shown == [[], [charter]])
  }

  @Test func `Several documents change together`() async throws {
    let documents = DocumentFolder(folder)
    let charters = documents.collection("charters.json", of: Charter.self)
    let settings = documents.document("settings.json", default: Settings())
    try await documents.update { update in
      try update.change(charters) { $0.upsert(charter) }
      try update.change(settings) { $0.lastCharter = charter.id }
    }
    #expect(try await charters.load() == [charter])
    #expect(try await settings.load().lastCharter == "a")
  }

  @Test func `A group of collections logs its changes`() async throws {
    let (documents, charter) = (DocumentFolder(folder), Boat(1))
    let group = FileGroup<FleetChange>(documents)
    try await group.perform(.save(charter))
    let changes = try await group.loadChanges()
    #expect(changes.map(\.edits) == [[.boat(nil, charter, at: 0)]])
    #expect(try await group.load(Boat.self) == [charter])
  }

  @Test func `A damaged file is restored`() async throws {
    let charters = JSONCollection<Charter>(folder + "/charters.json")
    try await charters.upsert(charter)
    try files.write("[", to: "charters.json")
    var shown: [Charter] = []
    func show(_ charters: [Charter]) { shown = charters }
    do {
      show(try await charters.load())
    } catch let error as FileError where error.code == .corrupted && error.lastGoodCopy != nil {
      show(try await charters.restoreLastGoodCopy())
    }
    #expect(shown == [charter])
    #expect(try files.names().contains { $0.hasPrefix("charters.json.damaged-") })
  }

  @Test func `A former version is upgraded`() async throws {
    try files.write(#"{"charters": ["a", "b"]}"#, to: "settings.json")
    let settings = JSONDocument(
      folder + "/settings.json", default: Settings(),
      upgrades: [
        DocumentUpgrade { (old: OldSettings) in Settings(lastCharter: old.charters.last) }
      ])
    #expect(try await settings.load() == Settings(lastCharter: "b"))
  }

  @Test func `A shared value is changed and stored`() async throws {
    let charter = charter
    let charters = Shared<[Charter]>(.file(folder + "/charters.json"), default: [])
    try await charters.load()
    charters.change { $0.append(charter) }
    try await charters.flush()
    #expect(try await JSONCollection<Charter>(folder + "/charters.json").load() == [charter])
  }

  @Test func `A collection is copied to a table`() async throws {
    let database = try Database.temporary(migrations: [
      Migration("v1", .create(CharterRow.table))
    ])
    let charters = JSONCollection<Charter>(folder + "/charters.json")
    try await charters.replaceAll([sold, charter])
    let rows = TableCollection(
      database, position: \CharterRow.position,
      makeRow: { CharterRow(id: $0.id, name: $0.name, position: $1) },
      makeElement: { Charter(id: $0.id, name: $0.name) })
    let count = try await charters.copy(to: rows)
    #expect(count == 2)
    #expect(try await rows.load() == [sold, charter])
  }
}
