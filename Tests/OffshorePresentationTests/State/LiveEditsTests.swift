import Foundation
import Observation
import Offshore
import Synchronization
import TestSupport
import Testing

@testable import OffshorePresentation

private struct Refused: Error {}

/// A day, free or not.
private struct Day: Record, Equatable {
  var id: Int
  var isFree: Bool

  static let table = Table(
    "days", Day.init, Column("id", \.id).primaryKey(), Column("isFree", \.isFree))
}

private struct DayEdit: Identifiable {
  let id: Int
  let isFree: Bool
}

/// Days in a database. A test can delay reads and writes or make them fail.
private final class Days: Sendable {
  let database: Database
  let beforeStore = Mutex<Gate?>(nil)
  let afterStore = Mutex<Gate?>(nil)
  let stores = Mutex<[Bool]>([])
  let isUnreadable = Mutex(false)
  private let held = Mutex<(reading: DispatchSemaphore, mayReturn: DispatchSemaphore)?>(nil)
  let reads = Mutex(0)

  init() async throws {
    database = try Database.temporary(
      migrations: [Migration("v1") { try $0.create(Day.table) }])
  }

  /// Delays the next read after it has read.
  /// - Returns: A closure that waits for the read, and one that makes it return.
  func holdNextRead() -> (haveRead: @Sendable () async -> Void, go: @Sendable () -> Void) {
    let (reading, mayReturn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    held.withLock { $0 = (reading, mayReturn) }
    return (
      {
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async {
            reading.wait()
            continuation.resume()
          }
        }
      }, { mayReturn.signal() }
    )
  }

  func values() -> ObservedValues<[Int]> {
    database.values { [self] reader in
      let free = try Day.where { $0.isFree }.order { $0.id }.all(reader).map(\.id)
      reads.withLock { $0 += 1 }
      if let (reading, mayReturn) = held.withLock({ held in
        defer { held = nil }
        return held
      }) {
        reading.signal()
        mayReturn.wait()
      }
      if isUnreadable.withLock({ $0 }) { throw Refused() }
      return free
    }
  }

  /// Stores a value without using the screen.
  func set(_ id: Int, _ isFree: Bool) async throws {
    try await database.write { try Day(id: id, isFree: isFree).save($0) }
  }

  @MainActor func edits() -> LiveEdits<[Int], DayEdit> {
    LiveEdits { [self] in
      values()
    } apply: { edit, free in
      free.removeAll { $0 == edit.id }
      if edit.isFree { free = (free + [edit.id]).sorted() }
    } store: { [self] edit in
      await beforeStore.withLock { $0 }?.pass()
      try await set(edit.id, edit.isFree)
      stores.withLock { $0.append(edit.isFree) }
      await afterStore.withLock { $0 }?.pass()
    }
  }

  @MainActor func loaded() async -> LiveEdits<[Int], DayEdit> {
    let edits = edits()
    await edits.load()
    #expect(edits.state.isKnown)
    return edits
  }

  /// Makes every write of a day fail.
  func refuse() async throws {
    try await database.write {
      try SQL(
        """
        CREATE TRIGGER refused BEFORE INSERT ON days BEGIN SELECT raise(ABORT, 'refused'); END
        """
      ).run($0)
    }
  }
}

/// Counts how often a screen is drawn.
@MainActor private final class Screen {
  private(set) var draws = 0
  private let edits: LiveEdits<[Int], DayEdit>

  init(_ edits: LiveEdits<[Int], DayEdit>) {
    self.edits = edits
    draw()
  }

  private func draw() {
    draws += 1
    withObservationTracking {
      _ = edits.state
    } onChange: {
      Task { @MainActor [weak self] in self?.draw() }
    }
  }
}

/// Counts how often a day is not shown as free.
@MainActor private final class Losses {
  private(set) var count = 0
  private let edits: LiveEdits<[Int], DayEdit>
  private let day: Int

  init(of day: Int, _ edits: LiveEdits<[Int], DayEdit>) {
    (self.edits, self.day) = (edits, day)
    watch()
  }

  private func watch() {
    let isFree = withObservationTracking {
      edits.state.data?.contains(day) ?? false
    } onChange: {
      Task { @MainActor [weak self] in self?.watch() }
    }
    if !isFree { count += 1 }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct LiveEditsTests {
  private let days: Days

  init() async throws { days = try await Days() }

  @Test func `An edit shows at once, and is stored when it has settled`() async throws {
    let edits = await days.loaded()
    edits.submit(DayEdit(id: 1, isFree: true))
    #expect(edits.state.data == [1])
    #expect(Set(edits.unsettled.keys) == [1])
    await edits.settled()
    #expect(edits.unsettled.isEmpty)
    #expect(edits.state.data == [1])
    #expect(try await days.database.read { try Day.all.all($0) } == [Day(id: 1, isFree: true)])
  }

  @Test func `After an edit the value is read once, and a screen is drawn once`() async throws {
    let edits = await days.loaded()
    let screen = Screen(edits)
    edits.submit(DayEdit(id: 1, isFree: true))
    await edits.settled()
    await edits.catchUp()
    while screen.draws < 2 { await Task.yield() }
    #expect(days.reads.withLock { $0 } == 2)
    try await days.set(2, true)
    while screen.draws < 3 { await Task.yield() }
    #expect(days.reads.withLock { $0 } == 3)
  }

  @Test func `After rapid edits with one id the last is stored, in order`() async throws {
    let edits = await days.loaded()
    let gate = Gate()
    days.beforeStore.withLock { $0 = gate }
    for isFree in [true, false, true, false] {
      edits.submit(DayEdit(id: 1, isFree: isFree))
      await gate.waitForArrivals()
    }
    #expect(edits.state.data == [])
    gate.open()
    await edits.settled()
    #expect(days.stores.withLock { $0 } == [true, false])
    #expect(edits.state.data == [])
  }

  @Test func `An edit is stored even if the value shows it already`() async throws {
    try await days.set(1, true)
    let edits = await days.loaded()
    edits.submit(DayEdit(id: 1, isFree: true))
    await edits.settled()
    #expect(days.stores.withLock { $0 } == [true])
  }

  @Test(arguments: [true, false])
  func `A value that was read before an edit was stored does not revert it`(
    returnsBeforeStore: Bool
  ) async throws {
    let edits = await days.loaded()
    let stored = Gate()
    days.afterStore.withLock { $0 = stored }
    let (haveRead, go) = days.holdNextRead()
    try await days.set(2, true)
    await haveRead()
    edits.submit(DayEdit(id: 1, isFree: true))
    await stored.waitForArrivals()
    let losses = Losses(of: 1, edits)
    if returnsBeforeStore { go() }
    stored.open()
    await edits.settled()
    if !returnsBeforeStore { go() }
    await edits.catchUp()
    #expect(edits.state.data == [1, 2])
    #expect(losses.count == 0)
  }

  @Test func `Changes by others show, even if they were read before the edit was stored`()
    async throws
  {
    let edits = await days.loaded()
    let stored = Gate()
    days.afterStore.withLock { $0 = stored }
    edits.submit(DayEdit(id: 1, isFree: true))
    await stored.waitForArrivals()
    // The value equals the one before the edit, so its observers receive none.
    try await days.set(1, false)
    var values = days.values().makeAsyncIterator()
    #expect(try await values.next() == [])
    #expect(edits.state.data == [1])
    stored.open()
    await edits.settled()
    await waitUntil { edits.state.data == [] }
  }

  @Test func `An edit stays while others change the value`() async throws {
    let edits = await days.loaded()
    let gate = Gate()
    days.beforeStore.withLock { $0 = gate }
    edits.submit(DayEdit(id: 1, isFree: true))
    await gate.waitForArrivals()
    try await days.set(2, true)
    await waitUntil { edits.state.data == [1, 2] }
    gate.open()
    await edits.settled()
    await edits.catchUp()
    #expect(edits.state.data == [1, 2])
  }

  @Test func `An edit that cannot be stored is replaced by the stored value`() async throws {
    let edits = await days.loaded()
    edits.submit(DayEdit(id: 1, isFree: true))
    await edits.settled()
    try await days.refuse()
    edits.submit(DayEdit(id: 2, isFree: true))
    #expect(edits.state.data == [1, 2])
    await edits.settled()
    #expect(edits.state.data == [1])
    #expect(edits.failures.keys.sorted() == [2])
    #expect(edits.failures[2]?.edit.isFree == true)
    try await days.database.write { try SQL("DROP TRIGGER refused").run($0) }
    edits.submit(DayEdit(id: 2, isFree: true))
    #expect(edits.failures.isEmpty)
    await edits.settled()
    #expect(edits.state.data == [1, 2])
  }

  @Test func `A refused edit changes nothing`() async throws {
    let edits = await days.loaded()
    edits.reject(DayEdit(id: 1, isFree: true), because: .auth(.forbidden))
    #expect(edits.failures[1]?.error == .auth(.forbidden))
    #expect(edits.state.data == [])
    edits.clearFailures()
    #expect(edits.failures.isEmpty)
  }

  @Test func `An edit stays if the value cannot be read again`() async throws {
    let edits = await days.loaded()
    days.isUnreadable.withLock { $0 = true }
    edits.submit(DayEdit(id: 1, isFree: true))
    await edits.settled()
    await waitUntil { edits.refreshError != nil }
    #expect(edits.state.data == [1])
    days.isUnreadable.withLock { $0 = false }
    edits.submit(DayEdit(id: 1, isFree: false))
    await waitUntil { edits.refreshError == nil }
    #expect(edits.state.data == [])
  }

  @Test func `Loading again reads later changes`() async throws {
    let edits = await days.loaded()
    edits.submit(DayEdit(id: 1, isFree: true))
    await edits.settled()
    try await days.set(1, false)
    await edits.load()
    #expect(edits.state.data == [])
  }

  @Test func `Catching up ends if the database is closed`() async throws {
    let edits = await days.loaded()
    await days.database.close()
    await edits.catchUp()
    await waitUntil { edits.refreshError != nil }
    await edits.catchUp()
    #expect(edits.state.data == [])
  }

  @Test func `The value is released while it observes, and its edits are stored`() async throws {
    let gate = Gate()
    days.beforeStore.withLock { $0 = gate }
    weak var released: LiveEdits<[Int], DayEdit>?
    do {
      let edits = await days.loaded()
      edits.submit(DayEdit(id: 1, isFree: true))
      released = edits
    }
    await gate.waitForArrivals()
    gate.open()
    for try await free in days.values() where free == [1] { break }
    // The task that worked for it ends later.
    while released != nil { await Task.yield() }
  }
}
