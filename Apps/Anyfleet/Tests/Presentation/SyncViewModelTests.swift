import Foundation
import Offshore
import OffshoreCalendar
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import Testing

@testable import Anyfleet

/// What a person sees of changes that wait, and does about them.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct SyncViewModelTests {
  private let fleet: SyncedFleet
  private let app: AppDependencies
  private let sync: SyncViewModel

  /// A phone in airplane mode, of which the server has everything.
  init() async throws {
    fleet = try await SyncedFleet()
    app = try await fleet.makeApp(of: "skipper")
    try await app.waitUntilSent()
    await until { [app] in app.sync.indicator == .synced }
    sync = app.makeSync()
    #expect(await sync.setAirplane(true))
    await sync.load()
  }

  private var changes: [UnsentChange] { sync.changes.data?.shown ?? [] }

  private func makeCharter(_ name: String = "Kornati") async throws -> CharterModel {
    var charter = CharterModel.sample(name, from: .day(6, 6))
    charter.boatName = "Alma"
    let checklist = try #require(try await app.local.fetchUserChecklists().first)
    try await app.local.createCharter(charter, assigning: [checklist.id])
    return charter
  }

  private func waitForChanges(_ isMet: @escaping @MainActor @Sendable ([UnsentChange]) -> Bool)
    async
  {
    await until { [sync] in isMet(sync.changes.data?.shown ?? []) }
  }

  @Test func `Switched off nothing waits at first, and what is changed then is listed in words`()
    async throws
  {
    #expect(sync.connection == .airplane && app.sync.indicator == .airplane(0))
    #expect(sync.accountName == "skipper" && changes.isEmpty && sync.lastSuccess != nil)
    let charter = try await makeCharter()
    await waitForChanges { !$0.isEmpty }
    let change = try #require(changes.first)
    #expect(changes.count == 1 && change.companionCount == 1)
    #expect(change.thing == SyncedThing(.charter, title: "Kornati") && change.action == .added)
    #expect(!change.isOnItsWay && change.id == "charters-\(charter.id)" && change.date != nil)
    // The count is that of the list.
    await until { [app, sync] in app.sync.indicator == .airplane(1) && sync.waitingCount == 1 }
    _ = try await app.local.deleteCharter(charter.id)
    await waitForChanges(\.isEmpty)
    await until { [app, sync] in app.sync.indicator == .airplane(0) && sync.waitingCount == 0 }
    let pending = try await app.database.database.read { [replica = app.database.replica] in
      try replica.status($0).pending
    }
    #expect(pending == 0, "what was undone waits for nothing")
    await fleet.end(app)
  }

  @Test func `Things are named by what they are and where they belong`() async throws {
    let charter = try await makeCharter()
    let checklist = try #require(try await app.local.fetchUserChecklists().first)
    #expect(await sync.setAirplane(false))
    try await app.waitUntilSent()
    #expect(await sync.setAirplane(true))
    let items = checklist.items
    try await app.local.saveItemState(
      checklistID: checklist.id, charterID: charter.id, itemID: items[0].id, isChecked: true)
    try await app.local.saveItemNote(
      checklistID: checklist.id, charterID: charter.id, itemID: items[1].id, note: "Stiff")
    try await app.local.setActiveCharter(charter.id)
    try await app.local.deleteChecklist(checklist.id)
    await waitForChanges { $0.count == 4 }
    #expect(
      Set(changes.map(\.thing)) == [
        SyncedThing(.ticks, title: checklist.title, charterName: "Kornati"),
        SyncedThing(.note, title: items[1].title, charterName: "Kornati"),
        SyncedThing(.activeCharter, title: "Kornati"),
        SyncedThing(.checklist, title: checklist.title),
      ])
    #expect(changes.first { $0.thing.kind == .checklist }?.action == .removed)
    await fleet.end(app)
  }

  @Test func `A new charter that is cancelled is gone, with what it had`() async throws {
    let charter = try await makeCharter()
    await waitForChanges { $0.count == 1 }
    #expect(await sync.cancel(changes[0].id))
    #expect(try await app.local.fetchCharter(id: charter.id) == nil)
    await until { [sync] in sync.waitingCount == 0 && sync.changes.data?.shown == [] }
    #expect(await !sync.cancel("charters-\(charter.id)"))
    #expect(sync.problem == .notCancelled)
    await fleet.end(app)
  }

  @Test
  func `A deletion that is cancelled brings back all, and what was changed before waits again`()
    async throws
  {
    var charter = try await makeCharter()
    #expect(await sync.setAirplane(false))
    try await app.waitUntilSent()
    #expect(await sync.setAirplane(true))
    charter.name = "Šibenik"
    try await app.local.saveCharter(charter)
    _ = try await app.local.deleteCharter(charter.id)
    await waitForChanges { $0.count == 1 && $0[0].action == .removed }
    #expect(changes[0].thing.title == "Šibenik" || changes[0].thing.title == "Kornati")
    #expect(changes[0].companionCount == 1)
    #expect(await sync.cancel(changes[0].id))
    #expect(try await app.local.fetchCharter(id: charter.id)?.name == "Šibenik")
    #expect(try await app.local.fetchCharterChecklists(charter.id).count == 1)
    await waitForChanges { $0.count == 1 && $0[0].action == .changed }
    #expect(await sync.cancel(changes[0].id))
    #expect(try await app.local.fetchCharter(id: charter.id)?.name == "Kornati")
    // What this device works out of a charter is right again, too.
    let found = try await app.local.fetchCharters(
      [.list(.notArchived)], on: CalendarDay(containing: .day(6, 7)),
      matching: "kornati", limit: 10)
    #expect(found.charters.map(\.id) == [charter.id])
    await fleet.end(app)
  }

  @Test func `What is sealed is on its way, and cannot be cancelled`() async throws {
    let charter = try await makeCharter()
    await fleet.end()
    #expect(await sync.setAirplane(false))
    await waitForChanges { $0.first?.isOnItsWay == true }
    #expect(changes.count == 1 && changes[0].id == "charters-\(charter.id)-sealed")
    #expect(await !sync.cancel(changes[0].id))
    #expect(sync.problem == .notCancelled)
    await until { [app, sync] in
      app.sync.indicator == .offline(1) && sync.connection == .offline
    }
    #expect(sync.lastError == .network(.offline) && sync.nextTry != nil)
    await app.sync.stop()
  }

  @Test func `A change that was set aside says why, and is made once more or forgotten`()
    async throws
  {
    let charter = try await makeCharter()
    #expect(await sync.setAirplane(false))
    try await app.waitUntilSent()
    let fields: [String: WireValue] = ["name": "Vis"]
    try await setAside(charter.id, .forbidden, fields)
    await until { [sync] in sync.refused.data?.count == 1 }
    let letter = try #require(sync.refused.data?.first)
    #expect(letter.reason == .forbidden && letter.canRetry)
    #expect(letter.thing == SyncedThing(.charter, title: "Kornati"))
    await until { [app] in app.sync.indicator == .refused(1) }
    #expect(await sync.retry(letter.id))
    #expect(try await app.local.fetchCharter(id: charter.id)?.name == "Vis")
    await until { [sync] in sync.refused.data?.isEmpty ?? true }
    try await setAside(charter.id, .limitReached, fields)
    await until { [sync] in sync.refused.data?.first?.reason == .limitReached }
    #expect(await sync.discard(sync.refused.data?.first?.id ?? 0))
    await until { [sync] in sync.refused.data?.isEmpty ?? true }
    try await setAside(UUID(), .gone, fields)
    await until { [sync] in sync.refused.data?.count == 1 }
    let other = try #require(sync.refused.data?.first)
    #expect(await !sync.retry(other.id))
    #expect(sync.problem == .notRetried)
    #expect(await sync.discard(other.id))
    #expect(sync.problem == nil)
    await until { [sync] in sync.refused.data?.isEmpty ?? true }
    await until { [app] in app.sync.indicator == .synced }
    await fleet.end(app)
  }

  /// Sets a change aside as the answer of a server does.
  private func setAside(
    _ id: UUID, _ code: Rejection.Code, _ fields: [String: WireValue]
  ) async throws {
    let row = RowID(table: "charters", id: id.uuidString)
    let op = Op(
      .patch, row, fields: fields, stamp: Stamp(milliseconds: 1, device: DeviceID(UUID())))
    let bytes = Data(op.encoded())
    try await app.database.database.write {
      _ = try SQL(
        """
        INSERT INTO _dead (at, tbl, id, scope, code, message, op) VALUES (
          1, \(row.table), \(row.id), \("charter/\(row.id)"), \(code.rawValue), 'No.', \(bytes))
        """
      ).run($0)
    }
  }
}
