import OffshorePresentation
import Synchronization
import Testing

/// Signals of changes, and values that are loaded after them.
@Suite(.timeLimit(.minutes(1)))
struct ChangeSignalsTests {
  private let value = Stored(0)

  /// A value that can be changed from any task.
  private final class Stored: Sendable {
    private let content: Mutex<Int>
    init(_ value: Int) { content = Mutex(value) }
    var value: Int {
      get { content.withLock { $0 } }
      set { content.withLock { $0 = newValue } }
    }
  }

  @Test func `Each observer receives a signal at once and after a change`() async {
    let signals = ChangeSignals()
    var (first, second) = (
      signals.stream().makeAsyncIterator(), signals.stream().makeAsyncIterator()
    )
    await first.next()
    await second.next()
    signals.notify()
    await first.next()
    await second.next()
  }

  @Test func `Signals that are not consumed are one`() async {
    let signals = ChangeSignals()
    let stream = signals.stream()
    for _ in 0..<10 { signals.notify() }
    let values = AsyncStream(loadedAfter: stream) { [value] in value.value }
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    value.value = 1
    signals.notify()
    #expect(await iterator.next() == 1)
  }

  @Test func `A value that has not changed, and a failure, are left out`() async {
    struct Failed: Error {}
    let signals = ChangeSignals()
    let values = AsyncStream(loadedAfter: signals.stream()) { [value] in
      value.value += 1
      switch value.value {
      case 1: return 0
      case 2:
        signals.notify()
        return 0
      case 3:
        signals.notify()
        throw Failed()
      default: return 2
      }
    }
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    signals.notify()
    #expect(await iterator.next() == 2)
    #expect(value.value == 4)
  }

  @Test func `A sequence leads to a signal for each element`() async {
    let (numbers, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
    var signals = AsyncStream(following: numbers).makeAsyncIterator()
    continuation.yield(1)
    #expect(await signals.next() != nil)
    continuation.finish()
    while await signals.next() != nil {}
  }
}
