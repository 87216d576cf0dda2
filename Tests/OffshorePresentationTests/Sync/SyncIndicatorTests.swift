import OffshoreSync
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
