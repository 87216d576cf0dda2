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
}

/// Passing indicators are shown only if they last.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct SteadyIndicatorTests {
  private let gate = Gate(isOpen: true)
  private let steady: SteadyIndicator

  init() {
    gate.close()
    steady = SteadyIndicator { [gate] in await gate.pass() }
    steady.update(to: .synced)
  }

  @Test func `An indicator that passes at once is never shown`() async {
    for indicator in [SyncIndicator.pending(1), .syncing, .pending(2)] {
      steady.update(to: indicator)
      #expect(steady.shown == .synced)
    }
    let delay = steady.delay
    steady.update(to: .synced)
    gate.open()
    await delay?.value
    #expect(steady.shown == .synced && delay != nil)
  }

  @Test func `An indicator that lasts is shown in its latest state`() async {
    steady.update(to: .syncing)
    steady.update(to: .pending(3))
    gate.open()
    await until { [steady] in steady.shown == .pending(3) }
    steady.update(to: .pending(2))
    #expect(steady.shown == .pending(2))
    steady.update(to: .synced)
    #expect(steady.shown == .synced)
  }

  @Test(arguments: [
    SyncIndicator.offline(0), .offline(2), .failed(1), .airplane(1), .signInAgain, .updateApp,
    .notSynced,
  ])
  func `An indicator that does not pass is shown at once`(indicator: SyncIndicator) {
    steady.update(to: indicator)
    #expect(steady.shown == indicator)
    steady.update(to: .syncing)
    #expect(steady.shown == .syncing)
  }

  @Test func `Refused changes stay shown during a passing state`() {
    steady.update(to: .refused(1))
    steady.update(to: .pending(1))
    #expect(steady.shown == .refused(1))
    steady.update(to: .refused(2))
    #expect(steady.shown == .refused(2))
  }
}
