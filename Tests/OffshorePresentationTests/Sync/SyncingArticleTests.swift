import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

// The first example of the article “Syncing”; Tests/Gates holds the two to the same lines.

private struct PackingList: Record {
  let id: UUID
  var name: String
  static let table = Table(
    "lists", PackingList.init, Column("id", \.id).primaryKey(), Column("name", \.name))
}

private struct Item: Record {
  let id: UUID
  var listID: UUID
  var name: String
  static let table = Table(
    "items", Item.init, Column("id", \.id).primaryKey(),
    Column("listID", \.listID).references("lists", onDelete: .cascade), Column("name", \.name))
}

private struct Template: Record {
  let id: UUID
  var ownerID: UUID
  var name: String
  static let table = Table(
    "templates", Template.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID),
    Column("name", \.name))
}

private enum AppMigrations {
  static let all: Migrations = [
    Migration(
      "v1_createLists", .create(PackingList.table), .create(Item.table), .create(Template.table))
  ]
}

private enum AppSchema {
  static let current = StoreSchema(
    migrations: AppMigrations.all,
    sync: try SyncSchema(
      version: 1,
      SyncTable(PackingList.self, scope: .kind("list", \.id), title: \.name),
      SyncTable(
        Item.self, scope: .kind("list", \.listID), title: \.name,
        partOf: (PackingList.self, \.listID)),
      SyncTable(Template.self, scope: .kind("person", \.ownerID), title: \.name),
      claimableKinds: ["list"], personalKinds: ["person"]))
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct SyncingArticleTests {
  @Test func `A file is opened, and synced after signing in`() async throws {
    let folder = try TemporaryFolder()
    let (path, password) = (folder.file("lists.sqlite"), "correct horse")
    let running = try LoopbackServer(AppSchema.current.manifest)
    let server: URL? = running.url

    let store = try SyncedStore(path, schema: AppSchema.current)  // database, migrations, replica
    let sync = try await store.sync(with: server)  // account, driver, status
    try await sync.signUp(name: "skipper", password: password)
    try await sync.signOut()
    try await sync.signIn(name: "skipper", password: password)

    try await sync.signOut(erasing: true)

    await sync.stop()
    await store.close()
    await running.stop()
  }

  @Test func `Two accounts share a list by an invitation, and change it together`() async throws {
    let running = try LoopbackServer(AppSchema.current.manifest)
    let client = AccountClient(HTTPTransport(running.url))
    let (first, second) = (
      try SyncedStore.temporary(schema: AppSchema.current),
      try SyncedStore.temporary(schema: AppSchema.current)
    )
    let owner = try await first.sync(with: running.url)
    let guest = try await second.sync(with: running.url)
    try await owner.signUp(name: "skipper", password: "correct horse")
    try await guest.signUp(name: "mate", password: "correct horse")

    let list = PackingList(id: UUID(), name: "Kornati")
    try await first.write { writer in
      try list.insert(writer)
      try Item(id: UUID(), listID: list.id, name: "Torch").insert(writer)
    }
    try await owner.drain()
    let scope = try ScopeID(kind: "list", value: list.id.uuidString)
    let invitation = try await client.invite(
      to: scope, as: .editor, token: try #require(owner.session.token))
    _ = try await client.accept(invitation.code, token: try #require(guest.session.token))
    try await second.wait(for: "SELECT name FROM items", toBe: ["Torch"])
    try await second.write { try Item(id: UUID(), listID: list.id, name: "Rope").insert($0) }
    try await first.wait(for: "SELECT name FROM items ORDER BY name", toBe: ["Rope", "Torch"])

    for sync in [owner, guest] { await sync.stop() }
    await running.stop()
  }
}
