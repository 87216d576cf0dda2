import Foundation
import Offshore
import OffshoreLogging
import OffshoreSync
import TestSupport
import Testing

@testable import OffshorePresentation
@testable import OffshoreWire

/// The example of the article “Syncing” about conflicts, with the records that the article
/// declares; Tests/Gates holds the two to the same lines.
@Suite(.timeLimit(.minutes(1)))
struct HistoryArticleTests {
  private struct Charter: Record {
    let id: UUID
    var name: String
    static let table = Table(
      "charters", Charter.init, Column("id", \.id).primaryKey(), Column("name", \.name))
  }

  private struct Item: Record {
    let id: UUID
    var charterID: UUID
    var title: String
    var votes: Int
    var marks: String?
    var isExpanded: Bool
    static let table = Table(
      "items", Item.init, Column("id", \.id).primaryKey(),
      Column("charterID", \.charterID).references("charters", onDelete: .cascade),
      Column("title", \.title), Column("votes", \.votes), Column("marks", \.marks),
      Column("isExpanded", \.isExpanded).default(false))
  }

  private static let schema = StoreSchema(
    migrations: [
      Migration("v1") { writer in
        try writer.create(Charter.table)
        try writer.create(Item.table)
      }
    ],
    sync: try SyncSchema(
      version: 1, SyncTable(Charter.self, scope: .kind("charter", \.id), title: \.name),
      SyncTable(
        Item.self, scope: .kind("charter", \.charterID), .merged(\.votes, .counter),
        .merged(\.marks, .keyed), .local(\.isExpanded)),
      claimableKinds: ["charter"]))

  @Test func `The article's example compiles, and uses a losing value`() async throws {
    var environment = SyncedStore.Environment()
    environment.logger = AppLogger(.sync, to: .none)
    let store = try SyncedStore.temporary(schema: Self.schema, environment: environment)
    let (charter, id) = (Charter(id: UUID(), name: "Kornati"), UUID())
    let scope = try ScopeID(kind: "charter", value: charter.id.uuidString)
    try await store.link(LinkedAccount(id: UUID(), name: "ana"), token: nil)
    try await store.write { writer in
      try charter.insert(writer)
      try Item(
        id: id, charterID: charter.id, title: "Fenders", votes: 0, marks: nil, isExpanded: false
      ).insert(writer)
    }
    let row = RowID(table: Item.table.name, id: id.uuidString)
    try await store.lose(#""done""#, to: #""bought""#, "marks.ana", of: row, in: scope)
    try await store.lose("Four fenders", to: "Fenders", "title", of: row, in: scope)
    let tables = [
      HistoryTable(
        Item.self, name: LocalizedText(en: "Item", ru: "Пункт"),
        fields: [
          .text(\.title, label: LocalizedText(en: "Title", ru: "Название")),
          .keys(of: \.marks, label: LocalizedText(en: "Mark", ru: "Метка"), as: String.self) {
            $0.map { .text($0) } ?? .missing
          },
        ])
    ]
    let history = History(of: scope, in: LoggedStore(store), tables)
    for try await content in history.contents() {
      guard let entry = content?.entries.first else { continue }
      try await history.choose(.losing, of: entry.id)
      break
    }
    let item = try #require(try await store.read { try Item.all.first($0) })
    #expect(item.title == "Four fenders" && item.marks == nil)
    for try await content in history.contents() {
      #expect(content?.entries.map(\.losing.value) == [.text("Four fenders"), .text("done")])
      break
    }
  }
}
