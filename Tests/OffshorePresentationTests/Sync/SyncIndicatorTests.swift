import Foundation
import OffshoreSync
import TestSupport
import Testing

@testable import OffshorePresentation

/// The state of syncing on every page, from the statuses of a real engine.
struct SyncIndicatorTests {
  private var engine = SyncEngine()

  private mutating func indicator(after events: SyncEngine.Event...) -> SyncIndicator {
    for event in events {
      _ = engine.handle(event, at: SyncEngine.Moment(milliseconds: 0, random: 0))
    }
    let status = engine.status
    return SyncIndicator(SyncService.Connection(status), status, SyncedStore.Status())
  }

  @Test mutating func `Synced is shown only while the event stream is open`() {
    let pulled = SyncEngine.Event.pullAnswered(
      SyncEngine.PullSummary(
        isComplete: true, hasMore: false, hasAdvanced: false, needsPush: false))
    #expect(indicator(after: .started) == .syncing)
    #expect(indicator(after: .pushAnswered(.nothingToSend), pulled) == .connecting)
    #expect(indicator(after: .streamOpened, pulled) == .synced)
    #expect(indicator(after: .streamClosed(nil)) == .connecting)
    #expect(indicator(after: .streamOpened, pulled) == .synced)
  }

  @Test mutating func `A device at rest beside refused changes is not shown as syncing`() {
    _ = indicator(after: .started, .pushAnswered(.nothingToSend), .streamOpened)
    let pulled = SyncEngine.Event.pullAnswered(
      SyncEngine.PullSummary(
        isComplete: true, hasMore: false, hasAdvanced: false, needsPush: false))
    _ = indicator(after: pulled, pulled)
    var (held, store) = (SyncEngine.HeldChanges(), SyncedStore.Status())
    held.areRefused = true
    #expect(indicator(after: .changesHeld(held)) == .synced)
    store.refusedCount = 1
    let status = engine.status
    #expect(SyncIndicator(SyncService.Connection(status), status, store) == .refused(1))
  }

  @Test mutating func `Changes that wait for a role are not shown as being sent`() {
    _ = indicator(after: .started, .pushAnswered(.nothingToSend), .streamOpened)
    var store = SyncedStore.Status()
    (store.pendingCount, store.waitsForGrant) = (2, true)
    let status = engine.status
    #expect(SyncIndicator(SyncService.Connection(status), status, store) == .waitingForGrant(2))
  }
}

/// Passing indicators are shown only if they last.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct DebouncedIndicatorTests {
  private let gate = Gate(isOpen: true)
  private let debounced: DebouncedIndicator

  init() {
    gate.close()
    debounced = DebouncedIndicator { [gate] in await gate.pass() }
    debounced.update(to: .synced)
  }

  @Test func `An indicator that passes at once is never shown`() async {
    for indicator in [SyncIndicator.pending(1), .syncing, .pending(2)] {
      debounced.update(to: indicator)
      #expect(debounced.shown == .synced)
    }
    let delay = debounced.delay
    debounced.update(to: .synced)
    gate.open()
    await delay?.value
    #expect(debounced.shown == .synced && delay != nil)
  }

  @Test func `An indicator that lasts is shown in its latest state`() async {
    debounced.update(to: .syncing)
    debounced.update(to: .pending(3))
    gate.open()
    await waitUntil { [debounced] in debounced.shown == .pending(3) }
    debounced.update(to: .pending(2))
    #expect(debounced.shown == .pending(2))
    debounced.update(to: .synced)
    #expect(debounced.shown == .synced)
  }

  @Test(arguments: [
    SyncIndicator.offline(0), .offline(2), .failed(1), .airplane(1), .signInAgain, .updateApp,
    .notSynced,
  ])
  func `An indicator that does not pass is shown at once`(indicator: SyncIndicator) {
    debounced.update(to: indicator)
    #expect(debounced.shown == indicator)
    debounced.update(to: .syncing)
    #expect(debounced.shown == .syncing)
  }

  @Test func `Refused changes stay shown during a passing state`() {
    debounced.update(to: .refused(1))
    debounced.update(to: .pending(1))
    #expect(debounced.shown == .refused(1))
    debounced.update(to: .refused(2))
    #expect(debounced.shown == .refused(2))
  }
}
