import Offshore
import OffshorePresentation
import TestSupport
import Testing

private struct Port: Identifiable, Equatable, Sendable {
  let id: Int
  var name: String
}

extension Port: Record {
  static let table = Table(
    "ports", Port.init, Column("id", \.id).primaryKey(), Column("name", \.name))
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct PagedListDatabaseTests {
  private func list(_ database: Database) -> PagedList<Port> {
    PagedList(pageSize: 3, threshold: 1) {
      database.values { try Port.all.all($0) }
    } page: { last, size in
      let query = Port.order { $0.name }.limit(size)
      return try await database.read { try (last.map(query.after) ?? query).all($0) }
    }
  }

  private func database(_ names: [String]) async throws -> Database {
    let database = try Database.temporary()
    try await database.write { writer in
      try writer.create(Port.table)
      for (index, name) in names.enumerated() { try Port(id: index, name: name).insert(writer) }
    }
    return database
  }

  @Test func `A database's rows are read by key and read again at each commit`() async throws {
    let database = try await database(["A", "B", "C", "C", "C", "D", "E"])
    let list = list(database)
    await list.load()
    await list.loadMore()
    #expect(list.state.data?.map(\.id) == [0, 1, 2, 3, 4, 5])
    #expect(list.canLoadMore)
    try await database.write { try Port(id: 99, name: "AA").insert($0) }
    await waitUntil { list.state.data?.map(\.id) == [0, 99, 1, 2, 3, 4] }
    try await database.write { try SQL("DELETE FROM ports").run($0) }
    await waitUntil { list.state.isEmpty }
    #expect(!list.canLoadMore)
  }

  @Test func `The first page is read once if the observation of changes has begun`() async throws {
    let database = try await database(["A"])
    var reads = 0
    let list = PagedList<Port> {
      await database.values { try Port.all.all($0) }.running()
    } page: { _, size in
      reads += 1
      return try await database.read { try Port.order { $0.name }.limit(size).all($0) }
    }
    await list.load()
    #expect(list.state.data?.count == 1)
    try await database.write { try Port(id: 99, name: "B").insert($0) }
    await waitUntil { list.state.data?.count == 2 }
    #expect(reads == 2)
  }

  @Test func `The first page contains changes from before it is read`() async throws {
    let database = try await database(["A"])
    let list = PagedList<Port> {
      let changes = await database.values { try Port.all.all($0) }.running()
      _ = try? await database.write { try Port(id: 99, name: "B").insert($0) }
      return changes
    } page: { _, size in
      try await database.read { try Port.order { $0.name }.limit(size).all($0) }
    }
    await list.load()
    #expect(list.state.data?.map(\.id) == [0, 99])
  }

  @Test func `A closed database is reported once, beside the rows`() async throws {
    let database = try await database(["A"])
    let list = list(database)
    await list.load()
    await database.close()
    await waitUntil { list.refreshError != nil }
    #expect(list.state.data?.count == 1)
  }
}
