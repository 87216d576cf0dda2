import Foundation
import Testing

@testable import Anyfleet

/// What passes by itself shows only where it lasts.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct SteadyIndicatorTests {
  private let gate = Gate()
  private let steady: SteadyIndicator

  init() {
    steady = SteadyIndicator { [gate] in await gate.pass() }
    steady.take(.synced)
  }

  @Test func `What passes at once is never shown`() async {
    for indicator in [SyncIndicator.waiting(1), .syncing, .waiting(2)] {
      steady.take(indicator)
      #expect(steady.shown == .synced)
    }
    let delay = steady.delay
    steady.take(.synced)
    gate.open()
    await delay?.value
    #expect(steady.shown == .synced && delay != nil)
  }

  @Test func `What lasts is shown as it is by then`() async {
    steady.take(.syncing)
    steady.take(.waiting(3))
    gate.open()
    await until { [steady] in steady.shown == .waiting(3) }
    steady.take(.waiting(2))
    #expect(steady.shown == .waiting(2))
    steady.take(.synced)
    #expect(steady.shown == .synced)
  }

  @Test(arguments: [
    SyncIndicator.offline(0), .offline(2), .failed(1), .airplane(1), .signInAgain, .updateApp,
    .notSynced,
  ])
  func `What does not pass by itself is shown at once`(indicator: SyncIndicator) {
    steady.take(indicator)
    #expect(steady.shown == indicator)
    steady.take(.syncing)
    #expect(steady.shown == .syncing)
  }

  @Test func `What somebody has to decide stays in sight while something passes`() {
    steady.take(.refused(1))
    steady.take(.waiting(1))
    #expect(steady.shown == .refused(1))
    steady.take(.refused(2))
    #expect(steady.shown == .refused(2))
  }
}
