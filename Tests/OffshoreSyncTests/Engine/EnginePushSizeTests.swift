import OffshoreWire
import Testing

@testable import OffshoreSync

/// The size of pushes over links of any quality.
struct EnginePushSizeTests {
  private static let tooLarge = SyncEngine.Failure(status: 413)
  /// The answers of proxies to requests that take too long.
  private static let timeouts = [SyncEngine.Failure(status: 408), SyncEngine.Failure(status: 504)]

  /// Returns a started engine whose first push is under way.
  private static func pushing() -> EngineRun {
    var run = EngineRun()
    _ = run.send(.started)
    return run
  }

  @Test func `A size that passes with changes left over doubles up to the largest`() {
    var run = Self.pushing()
    var sizes: [Int] = []
    for _ in 0..<5 {
      _ = run.send(.pushAnswered(.more))
      sizes.append(run.engine.pushSize.bytes)
    }
    let first = PushSize.first
    #expect(sizes.prefix(3) == [2 * first, 4 * first, 8 * first])
    #expect(sizes.suffix(2) == [PushSize.largest, PushSize.largest])
  }

  @Test func `A push with room left says nothing about larger ones`() {
    var run = Self.pushing()
    _ = run.send(.pushAnswered(.done))
    #expect(run.engine.pushSize.bytes == PushSize.first)
  }

  @Test(
    arguments: [SyncEngine.Failure.unreachable, .timedOut, tooLarge] + timeouts)
  func `A push that does not arrive whole is followed by a smaller one, down to one batch`(
    _ failure: SyncEngine.Failure
  ) {
    var run = Self.pushing()
    _ = run.send(.pushFailed(failure))
    #expect(run.engine.pushSize.bytes == PushSize.first / 2)
    for _ in 0..<30 {
      _ = run.send(.syncNow)
      _ = run.send(.pushFailed(failure))
    }
    #expect(run.engine.pushSize.bytes == 1)
  }

  @Test func `A push with room left that fails because of its size is followed by half of it`() {
    var size = PushSize()
    size.limit(to: 1_000)
    size.fail(Self.tooLarge)
    #expect(size.bytes == 500)
    size.limit(to: 1_000)
    #expect(size.bytes == 500)
  }

  @Test func `A failure of the server does not change the size`() {
    var run = Self.pushing()
    _ = run.send(.pushFailed(SyncEngine.Failure(status: 503)))
    #expect(run.engine.pushSize.bytes == PushSize.first)
  }

  @Test func `A divided batch is no reason for larger pushes`() {
    var run = Self.pushing()
    var report = PushReport()
    (report.isDivided, report.hasMore) = (true, true)
    _ = run.send(.pushAnswered(SyncEngine.PushSummary(report)))
    #expect(run.engine.pushSize.bytes == PushSize.first && run.engine.push.isRunning)
  }

  @Test(arguments: timeouts)
  func `A proxy that waits too long is not a missing network`(_ failure: SyncEngine.Failure) {
    #expect(failure.code == .timedOut && !failure.isOfNetwork)
  }

  @Test(arguments: [tooLarge, .timedOut] + timeouts)
  func `A size that was refused or took too long is tried again only after many pushes`(
    _ failure: SyncEngine.Failure
  ) {
    var run = Self.pushing()
    _ = run.send(.pushFailed(failure))
    _ = run.send(.syncNow)
    var pushes = 0
    while run.engine.pushSize.bytes < PushSize.first, pushes < 100 {
      _ = run.send(.pushAnswered(.more))
      pushes += 1
    }
    #expect(pushes == 16)
  }
}
