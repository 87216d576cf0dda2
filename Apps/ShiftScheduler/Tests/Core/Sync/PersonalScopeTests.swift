import Foundation
import Offshore
import OffshoreFiles
import OffshorePresentation
import OffshoreSync
import ServerSupport
import Testing

@testable import ShiftScheduler

/// The records of a user on two devices, over a real server.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct PersonalScopeTests {
  private let server: LoopbackServer
  private let phone: TeamDevice
  private let tablet: TeamDevice

  init() async throws {
    server = try LoopbackServer(try ShiftSchema.current.manifest)
    phone = try await TeamDevice(of: "ann", on: server)
    tablet = try await TeamDevice(of: "ann", on: server)
  }

  private func end() async {
    await phone.service.stop()
    await tablet.service.stop()
    await server.stop()
  }

  private func makeStore(
    _ device: TeamDevice
  ) -> Store<ChangeLogFeature.State, ChangeLogFeature.Action> {
    Store(initialState: ChangeLogFeature.State()) {
      ChangeLogFeature()
    } withDependencies: {
      $0.persistence = PersistenceClient(repository: device.repository)
    }
  }

  /// Waits until both devices have the same log of a length.
  private func waitForLog(of count: Int) async throws {
    for device in [phone, tablet] {
      try await device.wait(for: ChangeRow<ScheduleChange>.all) { $0.count == count }
    }
    #expect(try await phone.repository.loadChanges() == tablet.repository.loadChanges())
  }

  private func expectEqualRecords(_ location: SourceLocation = #_sourceLocation) async throws {
    let (one, other) = (phone.repository, tablet.repository)
    #expect(try await one.loadLocations() == other.loadLocations(), sourceLocation: location)
    #expect(try await one.loadShiftTypes() == other.loadShiftTypes(), sourceLocation: location)
    #expect(try await one.loadShifts() == other.loadShifts(), sourceLocation: location)
  }

  @Test func `Records and their log reach the other device`() async throws {
    try await phone.saveShift(.june(1))
    try await phone.repository.saveShift(.june(1, status: .done))
    try await waitForLog(of: 4)
    try await expectEqualRecords()
    #expect(try await tablet.repository.loadShifts() == [.june(1, status: .done)])
    await end()
  }

  @Test func `A change is undone on the other device, and redone on the first`() async throws {
    try await phone.repository.saveShifts([.june(1), .june(2)])
    try await phone.repository.deleteShift(id: ScheduledShift.june(1).id)
    try await waitForLog(of: 2)
    let undoing = makeStore(tablet)
    await undoing.send(.undo).finish()
    #expect(undoing.state.refusal == nil && undoing.state.error == nil)
    #expect(try await tablet.repository.loadShifts() == [.june(1), .june(2)])
    try await waitForLog(of: 3)
    try await expectEqualRecords()
    let redoing = makeStore(phone)
    await redoing.send(.redo).finish()
    try await waitForLog(of: 4)
    try await expectEqualRecords()
    #expect(try await tablet.repository.loadShifts() == [.june(2)])
    await end()
  }

  @Test func `A change whose row was changed elsewhere meanwhile is shown, and not undone`()
    async throws
  {
    try await phone.repository.saveShift(.june(1))
    try await waitForLog(of: 1)
    // Both change the shift without knowing of each other; each field has its own last writer.
    try await tablet.service.setAirplane(true)
    var noted = ScheduledShift.june(1)
    noted.note = "Swap with Ben"
    try await phone.repository.saveShift(noted)
    try await phone.service.drain()
    try await tablet.repository.saveShift(.june(1, status: .done))
    try await tablet.service.setAirplane(false)
    try await waitForLog(of: 3)
    var merged = noted
    merged.status = .done
    for device in [phone, tablet] {
      try await device.wait(for: ElementRow<ScheduledShift>.all) { $0.map(\.element) == [merged] }
    }
    let store = makeStore(phone)
    await store.send(.undo).finish()
    let difference = try #require(store.state.refusal?.differences.first)
    #expect(store.state.refusal?.differences.count == 1)
    #expect(ScheduledShift.values(of: difference)?.after == merged)
    #expect(try await phone.repository.loadShifts() == [merged])
    #expect(try await phone.repository.loadChanges().count == 3)
    await end()
  }

  @Test func `50 changes are undone on the other device, and redone on the first`() async throws {
    try await phone.repository.saveShift(.june(30))
    for number in 1...50 {
      switch number % 4 {
      case 0: try await phone.repository.deleteShift(id: ScheduledShift.june(number - 3).id)
      case 1: try await phone.saveShift(.june(number), number % 8 == 1 ? .night : .early)
      default: try await phone.repository.saveShift(.june(number, .night))
      }
    }
    let before = try await phone.repository.loadChanges().count
    let end = try await phone.repository.loadShifts()
    try await waitForLog(of: before)
    let undoing = makeStore(tablet)
    for _ in 0..<50 { await undoing.send(.undo).finish() }
    #expect(undoing.state.refusal == nil && undoing.state.error == nil)
    try await waitForLog(of: before + 50)
    try await expectEqualRecords()
    #expect(try await phone.repository.loadShifts() != end)
    let redoing = makeStore(phone)
    for _ in 0..<50 { await redoing.send(.redo).finish() }
    #expect(redoing.state.refusal == nil && redoing.state.error == nil)
    try await waitForLog(of: before + 100)
    try await expectEqualRecords()
    #expect(try await tablet.repository.loadShifts() == end)
    await self.end()
  }
}
