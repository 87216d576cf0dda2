import Foundation
import Offshore
import OffshoreHost
import OffshoreSync
import OffshoreWire

/// A list that its members share.
struct SharedList: Record, Equatable, Identifiable {
  let id: UUID
  var title: String
  static let table = Table(
    "lists", SharedList.init, Column("id", \.id).primaryKey(), Column("title", \.title))
  static let scopeKind = "list"
}

/// The sample content of an app of memos: one shared list.
struct SampleMemos: Demonstration {
  let store: SyncedStore
  let reported: ReportedRows? = ReportedRows(
    timedTable: SharedList.table.name, textColumn: (table: SharedList.table.name, column: "title")
  ) { _ in [] }

  init(_ store: SyncedStore) { self.store = store }

  func createContent() async throws {
    try await store.write { writer in
      guard try SharedList.all.all(writer).isEmpty else { return }
      try SharedList(id: UUID(), title: "Sample").insert(writer)
    }
  }

  func scope() async throws -> ScopeID? {
    let list = try await store.read { try SharedList.all.all($0).first }
    return try list.map { try ScopeID(kind: SharedList.scopeKind, value: $0.id.uuidString) }
  }

  func firstAddress() async throws -> String? { try await scope() == nil ? nil : "/memos" }
}
