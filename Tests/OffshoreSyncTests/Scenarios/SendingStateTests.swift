import Foundation
import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// The states of rows on their way to the server.
struct SendingStateTests {
  private let harbour: Harbour
  private var anna: Ship { harbour.ships[0] }

  init() throws {
    harbour = try Harbour.withTask(
      schema: SyncSchema(
        version: 1, SyncTable(Charter.self, scope: .kind("charter", \.id)),
        SyncTable(
          Task.self, scope: .kind("charter", \.charterID), keepsRefused: true,
          .merged(\.votes, .counter), .merged(\.items, .keyed), .local(\.isOpen))),
      attemptLimits: [.forbidden: 2])
  }

  private func states(_ ids: String...) throws -> [String: SendingState] {
    try anna.device.connection.read {
      try anna.replica.sendingStates(of: Set(ids), in: "tasks", $0)
    }
  }

  private func pushRefused() throws {
    try harbour.grant(.viewer, to: anna, "c1")
    #expect(try anna.push()?.rejected == 1)
    try harbour.grant(.editor, to: anna, "c1")
  }

  @Test func `A row that the server has is left out, and so is an unknown one`() throws {
    #expect(try states("t1", "t9") == [:])
  }

  @Test func `A change is pending until it is pulled, and may leave with a request`() throws {
    try anna.run(Task.insertion("t2", "Lines"))
    #expect(try states("t1", "t2") == ["t2": SendingState(status: .pending)])
    // A pull seals it.
    try anna.pullAll()
    #expect(try states("t1", "t2") == ["t2": SendingState(status: .pending)])
    let request = try #require(try anna.nextPush())
    #expect(try states("t2") == ["t2": SendingState(status: .pending, mayHaveLeft: true)])
    _ = try anna.take(try harbour.answer(request, of: anna.account), to: request)
    #expect(try states("t2") == ["t2": SendingState(status: .pending, mayHaveLeft: true)])
    try anna.pullAll()
    #expect(try states("t2") == [:])
  }

  @Test func `A refused change has its attempts, the reason and the time of the next one`() throws {
    try anna.run(Task.insertion("t2", "Lines"))
    try pushRefused()
    let next = Date(milliseconds: harbour.now + 1_000)
    #expect(
      try states("t2") == [
        "t2": SendingState(status: .pending, attempts: 1, reason: .forbidden, nextTry: next)
      ])
    harbour.now += 10_000
    let request = try #require(try anna.nextPush())
    #expect(
      try states("t2") == [
        "t2": SendingState(status: .pending, attempts: 1, reason: .forbidden, mayHaveLeft: true)
      ])
    try harbour.grant(.viewer, to: anna, "c1")
    _ = try anna.take(try harbour.answer(request, of: anna.account), to: request)
    #expect(
      try states("t2") == [
        "t2": SendingState(status: .refused, attempts: 2, reason: .forbidden)
      ])
  }

  @Test func `The queue behind the batches that have left is not decoded`() throws {
    try anna.run(Task.insertion("t2", "Lines"))
    _ = try anna.nextPush()
    try anna.run(Task.insertion("t3", "Oars"))
    try anna.pullAll()
    let scope = "charter/c1"
    // Decoding it would fail.
    try anna.run(
      """
      UPDATE _batch SET content = x'00'
      WHERE number > (SELECT offered FROM _cursor WHERE scope = \(scope))
      """)
    #expect(try anna.device.number("SELECT count(*) FROM _batch WHERE content = x'00'") == 1)
    #expect(
      try states("t2", "t3") == [
        "t2": SendingState(status: .pending, mayHaveLeft: true),
        "t3": SendingState(status: .pending),
      ])
  }
}

/// The states of rows with files.
struct FileSendingStateTests {
  @Test func `A row whose file is not confirmed is not sent completely`() async throws {
    let store = try SyncedStore.temporary(schema: Gallery.schema)
    try await store.link(LinkedAccount(id: UUID(), name: "skipper"), token: "secret")
    let (file, album) = (BlobReference(ContentHash(of: [1])), Album(id: UUID(), title: "Vis"))
    let photo = Photo(id: UUID(), albumID: album.id, image: file.text)
    try await store.write { writer in
      try album.insert(writer)
      try photo.insert(writer)
    }
    func state() async throws -> SendingState? {
      try await store.read { try store.sendingStates(of: [photo.id.uuidString], in: "photos", $0) }[
        photo.id.uuidString]
    }
    #expect(try await state() == SendingState(status: .pending, hasUnsentFile: true))
    // The server has the row.
    try await store.write { writer in try SQL("DELETE FROM _outbox").run(writer) }
    #expect(
      try await state() == SendingState(status: .synced, mayHaveLeft: true, hasUnsentFile: true))
    let job = FileQueue.Job.send(
      file.hash, try ScopeID(kind: "album", value: album.id.uuidString))
    try await store.write { try FileQueue.postpone(job, until: 1, 1, because: "tooLarge", $0) }
    #expect(
      try await state()
        == SendingState(
          status: .synced, attempts: 1, reason: .tooLarge, nextTry: Date(milliseconds: 1),
          mayHaveLeft: true, hasUnsentFile: true))
    try await store.write { try FileQueue.complete(job, at: 1, $0) }
    #expect(try await state() == nil)
    await store.close()
  }
}
