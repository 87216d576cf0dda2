import OffshoreSync
import OffshoreWire
import Testing

/// The size of pushes over links of any quality.
struct EnginePushSizeTests {
  private static let tooLarge = SyncEngine.Failure(status: 413)

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

  @Test(arguments: [SyncEngine.Failure.unreachable, .timedOut, tooLarge])
  func `A push that does not arrive whole is followed by a smaller one`(
    _ failure: SyncEngine.Failure
  ) {
    var run = Self.pushing()
    for _ in 0..<10 {
      _ = run.send(.pushFailed(failure))
      _ = run.send(.syncNow)
    }
    #expect(run.engine.pushSize.bytes == PushSize.least)
  }

  @Test func `A failure of the server does not change the size`() {
    var run = Self.pushing()
    _ = run.send(.pushFailed(SyncEngine.Failure(status: 503)))
    #expect(run.engine.pushSize.bytes == PushSize.first)
  }

  @Test func `A size that was refused is tried again only after many pushes`() {
    var run = Self.pushing()
    _ = run.send(.pushFailed(Self.tooLarge))
    _ = run.send(.syncNow)
    var pushes = 0
    while run.engine.pushSize.bytes < PushSize.first, pushes < 100 {
      _ = run.send(.pushAnswered(.more))
      pushes += 1
    }
    #expect(pushes == 16)
  }
}
