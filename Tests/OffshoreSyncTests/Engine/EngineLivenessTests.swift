import OffshoreSync
import Testing

/// The delivery of all changes in the end, and the number of requests until then.
struct EngineLivenessTests {
  @Test(arguments: 1...60) func `All changes arrive when the disturbances end`(_ seed: UInt64) {
    var world = EngineWorld(seed: seed)
    world.send(.started)
    for _ in 0..<150 {
      Self.trouble(&world)
      world.run(for: Int64(world.draw(20_000)))
    }
    Self.mend(&world)
    let before = world.requestCount
    let pages = world.unsent / 5 + (Int(world.head - world.pulled) + world.unsent) / 10
    // The delay, the delay again after a clock step, a Retry-After, a request, and the slow poll.
    world.run(for: 2 * 300_000 + 60_000 + 20_000 + 300_000)
    #expect(world.unsent == 0)
    #expect(world.pulled == world.head)
    #expect(world.engine.status.phase == .idle)
    #expect(world.engine.status.lastError == nil)
    #expect(world.faults == [])
    #expect(world.requestCount - before < 40 + 2 * pages)
  }

  /// Performs a random disturbance, recovery or user action.
  private static func trouble(_ world: inout EngineWorld) {
    switch world.draw(16) {
    case 0, 1, 2: for _ in 0..<world.draw(12) { world.capture() }
    case 3, 4: for _ in 0..<world.draw(30) { world.changeElsewhere() }
    case 5, 6: world.setNetwork(false)
    case 7, 8: world.setNetwork(true)
    case 9: world.trouble = EngineWorld.Trouble.allCases[world.draw(4)]
    case 10: world.trouble = .none
    case 11: world.hasCredentials = false
    case 12: signIn(&world)
    case 13: world.skew += Int64(world.draw(172_800_000) - 86_400_000)
    case 14: world.send(.stopped)
    default: world.send(world.draw(2) == 0 ? .syncNow : .started)
    }
  }

  private static func mend(_ world: inout EngineWorld) {
    world.trouble = .none
    world.setNetwork(true)
    signIn(&world)
    world.send(.started)
  }

  private static func signIn(_ world: inout EngineWorld) {
    guard !world.hasCredentials else { return }
    world.hasCredentials = true
    world.send(.credentialsChanged)
  }

  @Test(arguments: 1...10) func `An idle device sends only its polls`(_ seed: UInt64) {
    var world = EngineWorld(seed: seed)
    world.send(.started)
    world.run(for: 60_000)
    let before = world.requestCount
    world.run(for: 3_600_000)
    #expect(11...12 ~= world.requestCount - before)
    #expect(world.faults == [])
  }

  @Test(arguments: EngineWorld.Trouble.allCases.filter { $0 != .none })
  func `A failing server does not get requests in a loop`(_ trouble: EngineWorld.Trouble) {
    var world = EngineWorld(seed: 3)
    world.trouble = trouble
    world.send(.started)
    world.capture()
    world.run(for: 3_600_000)
    // Two lanes with a delay of 150 seconds on average, after some shorter ones.
    #expect(20...140 ~= world.requestCount)
    #expect(world.faults == [])
  }

  @Test func `A device without a network sends no requests`() {
    var world = EngineWorld(seed: 2)
    world.send(.started)
    world.run(for: 60_000)
    world.setNetwork(false)
    let before = world.requestCount
    for _ in 0..<100 {
      world.capture()
      world.send(.syncNow)
      world.run(for: 60_000)
    }
    #expect(world.requestCount == before)
    world.setNetwork(true)
    world.run(for: 60_000)
    #expect(world.unsent == 0 && world.pulled == world.head)
  }

  @Test(arguments: 1...10) func `A remote change arrives at once by its hint`(_ seed: UInt64) {
    var world = EngineWorld(seed: seed)
    world.send(.started)
    world.run(for: 60_000)
    var prompt = 0
    for _ in 0..<100 {
      world.changeElsewhere()
      world.run(for: 1_000)
      prompt += world.pulled == world.head ? 1 : 0
    }
    // One hint in ten is lost, and its change arrives with the next.
    #expect(75..<100 ~= prompt)
  }
}
