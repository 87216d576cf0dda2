import OffshorePresentation
import Testing

struct ViewStateTests {
  private let failed = ViewState<Int>.error(.database(.busy))

  @Test func `Each state has exactly one appearance`() {
    let states: [ViewState<Int>] = [.idle, .loading, .loaded(3), .empty, failed]
    #expect(states.map(\.isIdle) == [true, false, false, false, false])
    #expect(states.map(\.isLoading) == [false, true, false, false, false])
    #expect(states.map(\.data) == [nil, nil, 3, nil, nil])
    #expect(states.map(\.isEmpty) == [false, false, false, true, false])
    #expect(states.map(\.isKnown) == [false, false, true, true, false])
    #expect(states.map(\.errorValue) == [nil, nil, nil, nil, .database(.busy)])
  }

  @Test func `An error can be retried if a retry may help, and no other state can`() {
    #expect(failed.isRetryable)
    #expect(!ViewState<Int>.error(.database(.migrationFailed)).isRetryable)
    #expect(!ViewState<Int>.loaded(3).isRetryable)
  }

  @Test func `Mapping transforms the value and preserves every other state`() {
    #expect(ViewState.loaded(3).map { "\($0)" } == .loaded("3"))
    let others: [ViewState<Int>] = [.idle, .loading, .empty, failed]
    let mapped: [ViewState<String>] = others.map { $0.map { "\($0)" } }
    #expect(mapped == [.idle, .loading, .empty, .error(.database(.busy))])
  }

  @Test func `A collection without elements is empty`() {
    #expect(ViewState([Int]()) == .empty)
    #expect(ViewState([1]) == .loaded([1]))
  }
}
