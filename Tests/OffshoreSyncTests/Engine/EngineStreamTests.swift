import OffshoreSync
import OffshoreWire
import Testing

/// The effects of the event stream and its hints.
struct EngineStreamTests {
  @Test func `An opened stream is followed by a pull, for changes without a hint`() {
    var run = EngineRun()
    _ = run.send(.started)
    _ = run.send(.pullAnswered(.complete))
    #expect(run.send(.streamOpened) == [.pull, .cancelTimer])
  }

  @Test func `With a stream, only slow polls are made`() {
    var run = EngineRun()
    _ = run.send(.started)
    _ = run.send(.streamOpened)
    #expect(run.send(.pullAnswered(.complete)) == [.pull])
    #expect(run.send(.pullAnswered(.complete)) == [.setTimer(after: 300_000)])
    #expect(run.send(.timerFired, after: 300_000) == [.pull])
  }

  @Test func `While no stream can be opened, polls are frequent again`() {
    var run = EngineRun.listening()
    #expect(
      run.send(.streamClosed(nil), after: 100_000) == [.openStream, .setTimer(after: 30_000)])
    #expect(run.send(.streamClosed(.broken)) == [.setTimer(after: 1_000)])
    #expect(run.send(.timerFired, after: 1_000) == [.openStream, .setTimer(after: 29_000)])
    #expect(run.send(.timerFired, after: 29_000) == [.pull])
  }

  @Test func `A poll that is due soon is not delayed when the stream ends`() {
    var run = EngineRun.listening()
    _ = run.send(.streamClosed(.busy(3_600)), after: 290_000)
    #expect(run.send(.timerFired, after: 10_000).first == .pull)
  }

  @Test func `A stream that cannot be opened is retried with growing delays`() {
    var run = EngineRun.idle()
    _ = run.send(.syncNow)
    var delays: [Int64] = []
    for _ in 0..<5 {
      guard case .setTimer(let delay)? = run.send(.streamClosed(.broken)).last else { break }
      delays.append(delay)
      #expect(run.send(.timerFired, after: delay).first == .openStream)
    }
    #expect(delays == [1_000, 2_000, 4_000, 8_000, 16_000])
  }

  @Test func `A stream that lasted is opened again at once, regardless of its end`() {
    var run = EngineRun.listening()
    for end in [nil, SyncEngine.Failure.unreachable, nil, .broken, nil] {
      #expect(run.send(.streamClosed(end), after: 1_000).first == .openStream)
      _ = run.send(.streamOpened)
      _ = run.send(.pullAnswered(.complete))
    }
  }

  @Test func `A stream that ends early is opened again at once, three times`() {
    var run = EngineRun.listening()
    _ = run.send(.syncNow)
    for _ in 1...3 {
      #expect(run.send(.streamClosed(nil), after: 999).contains(.openStream))
      _ = run.send(.streamOpened)
    }
    for delay in [Int64(1_000), 2_000, 4_000] {
      #expect(run.send(.streamClosed(nil), after: 999) == [.setTimer(after: delay)])
      #expect(run.send(.timerFired, after: delay).contains(.openStream))
      _ = run.send(.streamOpened)
    }
    #expect(run.send(.streamClosed(nil), after: 1_000) == [.openStream])
  }

  @Test func `The status shows whether the stream is open`() {
    var run = EngineRun.idle()
    #expect(!run.status.isListening)
    _ = run.send(.streamOpened)
    #expect(run.status.isListening)
    _ = run.send(.streamClosed(nil))
    #expect(!run.status.isListening)
  }

  @Test func `A failed stream is not a sync error`() {
    var run = EngineRun.listening()
    _ = run.send(.streamClosed(.unreachable))
    #expect(run.phase == .idle)
    #expect(run.status.lastError == nil && run.status.nextRetry == nil)
  }

  @Test func `A successful request opens the stream, too`() {
    var run = EngineRun()
    _ = run.send(.started)
    _ = run.send(.pushAnswered(.nothingToSend))
    #expect(run.send(.streamClosed(.unreachable)) == [.setTimer(after: 1_000)])
    run.random = 0
    #expect(run.send(.pullFailed(.unreachable)) == [.pull])
    #expect(run.send(.pullAnswered(.complete)).first == .openStream)
  }

  @Test func `New credentials get a new stream`() {
    var run = EngineRun.listening()
    #expect(run.send(.credentialsChanged) == [.closeStream, .push, .pull, .cancelTimer])
    #expect(run.send(.streamClosed(.unauthorized)) == [.openStream])
    #expect(run.phase == .syncing)
  }

  @Test func `A new stream is opened only after the former one has closed`() {
    var run = EngineRun.listening()
    _ = run.send(.reachabilityChanged(false))
    #expect(run.send(.reachabilityChanged(true)) == [.pull])
    #expect(run.send(.streamOpened) == [])
    #expect(run.send(.streamClosed(nil)) == [.openStream])
  }

  @Test func `New credentials without an open stream close none`() {
    var run = EngineRun.idle()
    #expect(run.send(.streamClosed(.busy(3_600))) == [])
    #expect(run.send(.credentialsChanged) == [.push, .pull, .setTimer(after: 3_600_000)])
    #expect(run.send(.timerFired, after: 3_600_000) == [.openStream])
    #expect(run.send(.changesCaptured) == [])
  }

  // MARK: - Hints

  @Test func `A hint is followed by a pull`() {
    var run = EngineRun.listening()
    #expect(run.send(.hint(.news(1))) == [.pull, .cancelTimer])
  }

  @Test func `A hint causes a pull even without a stream`() {
    var run = EngineRun.idle()
    #expect(run.send(.hint(.news(1))).first == .pull)
  }

  @Test func `A hint about pulled changes has no effect`() {
    var run = EngineRun.listening()
    _ = run.send(.syncNow)
    _ = run.send(.pullAnswered(.upTo(7)))
    #expect(run.send(.hint(.news(7))) == [])
    #expect(run.send(.hint(.news(8))).first == .pull)
  }

  @Test func `A hint during a pull that delivers its change causes no other pull`() {
    var run = EngineRun.listening()
    _ = run.send(.hint(.news(1)))
    #expect(run.send(.hint(.news(7))) == [])
    #expect(run.send(.hint(.news(5))) == [])
    #expect(run.send(.pullAnswered(.upTo(7))) == [.setTimer(after: 300_000)])
  }

  @Test func `A hint during a pull that does not deliver its change causes another pull`() {
    var run = EngineRun.listening()
    _ = run.send(.hint(.news(1)))
    _ = run.send(.hint(.news(7)))
    #expect(run.send(.pullAnswered(.upTo(6))) == [.pull])
    _ = run.send(.hint(.news(8)))
    #expect(run.send(.pullAnswered(.page)) == [.pull])
    #expect(run.send(.pullAnswered(.complete)) == [.pull])
    #expect(run.send(.pullAnswered(.upTo(8))) == [.setTimer(after: 300_000)])
  }

  @Test func `A hint of a scope whose numbers were reset counts after the next pull`() {
    var run = EngineRun.listening()
    _ = run.send(.syncNow)
    _ = run.send(.pullAnswered(.upTo(70)))
    #expect(run.send(.hint(.news(3))) == [])
    _ = run.send(.syncNow)
    _ = run.send(.pullAnswered(.upTo(2)))
    #expect(run.send(.hint(.news(3))).first == .pull)
  }

  @Test func `Hints of more scopes than the limit are not stored`() throws {
    var run = EngineRun.listening()
    _ = run.send(.hint(.news(1)))
    var heads: [ScopeID: Int64] = [:]
    for number in 0...10_000 {
      let scope = try ScopeID(kind: "charter", value: "\(number)")
      heads[scope] = 1
      #expect(run.send(.hint(Hint(scope, head: 1))) == [])
    }
    let summary = SyncEngine.PullSummary(
      isComplete: true, hasMore: false, hasAdvanced: true, needsPush: false, heads: heads)
    #expect(run.send(.pullAnswered(summary)) == [.pull])
    #expect(run.send(.pullAnswered(summary)) == [.setTimer(after: 300_000)])
  }

  @Test func `A hint ends the delay of a pull that had not reached the server`() {
    for failure in [SyncEngine.Failure.unreachable, .timedOut] {
      var run = EngineRun.listening()
      _ = run.send(.hint(.news(1)))
      _ = run.send(.pullFailed(failure))
      #expect(run.send(.hint(.news(2))).first == .pull)
    }
  }

  @Test func `A hint does not shorten the delay after a failure of the server or the disk`() {
    for failure in [SyncEngine.Failure.broken, .busy(5), .full] {
      var run = EngineRun.listening()
      _ = run.send(.hint(.news(1)))
      _ = run.send(.pullFailed(failure))
      #expect(run.send(.hint(.news(2))) == [])
    }
  }

  @Test func `A hint does not shorten the delay of a push`() {
    var run = EngineRun.listening()
    _ = run.send(.changesCaptured)
    _ = run.send(.pushFailed(.timedOut))
    #expect(run.send(.hint(.news(2))) == [.pull])
  }
}

extension Hint {
  /// Returns a hint about the charter.
  static func news(_ head: Int64) -> Hint { Hint(.charter, head: head) }
}

extension ScopeID {
  static let charter: ScopeID = {
    do { return try ScopeID(kind: "charter", value: "c1") } catch { fatalError("\(error)") }
  }()
}

extension SyncEngine.PullSummary {
  /// A complete pull that delivered a scope's changes up to a number.
  static func upTo(_ head: Int64) -> Self {
    Self(
      isComplete: true, hasMore: false, hasAdvanced: true, needsPush: false, heads: [.charter: head]
    )
  }
}
