import Testing

@testable import OffshorePresentation

private struct Refused: Error {}

/// Storage whose writes a test completes one by one.
@MainActor
private final class Storage {
  private(set) var begun: [String] = []
  private(set) var stored: [String: Int] = [:]
  private var waiting: [(key: String, resume: CheckedContinuation<Bool, Never>)] = []
  private var watchers: [CheckedContinuation<Void, Never>] = []

  func persist(_ key: String, _ value: Int) async throws {
    begun.append("\(key)=\(value)")
    let isAccepted = await withCheckedContinuation { continuation in
      waiting.append((key, continuation))
      for watcher in watchers { watcher.resume() }
      watchers = []
    }
    guard isAccepted else { throw Refused() }
    stored[key] = value
  }

  /// Ends the oldest write of a key, if it exists.
  func end(_ key: String, accepting: Bool = true) async {
    while true {
      if let index = waiting.firstIndex(where: { $0.key == key }) {
        return waiting.remove(at: index).resume.resume(returning: accepting)
      }
      await withCheckedContinuation { watchers.append($0) }
    }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct OptimisticChangesTests {
  private let storage = Storage()
  private let ends = Ends()

  @MainActor private final class Ends {
    var list: [String] = []
  }

  private func changes() -> OptimisticChanges<String, Int> {
    OptimisticChanges { [storage] in
      try await storage.persist($0, $1)
    } completion: { [ends] key, value, outcome in
      switch outcome {
      case .stored: ends.list.append("\(key)=\(value) stored")
      case .failed: ends.list.append("\(key)=\(value) failed")
      }
    }
  }

  @Test func `A value that is requested when a change ends is stored too`() async {
    var changes: OptimisticChanges<String, Int>?
    var stored: [Int] = []
    changes = OptimisticChanges { _, value in
      if stored.isEmpty, value == 1 {
        stored.append(0)
        throw Refused()
      }
      stored.append(value)
    } completion: { key, value, outcome in
      if case .failed = outcome { changes?.change(key, to: value + 1) }
    }
    changes?.change("a", to: 1)
    await changes?.settled()
    #expect(stored == [0, 2])
    #expect(changes?.unsettled == [:])
  }

  @Test func `A change shows at once, and ends when it is stored`() async {
    let changes = changes()
    changes.change("a", to: 1)
    #expect(changes.unsettled == ["a": 1])
    #expect(storage.stored.isEmpty)
    await storage.end("a")
    await changes.settled()
    #expect(changes.unsettled.isEmpty)
    #expect(storage.stored == ["a": 1])
    #expect(ends.list == ["a=1 stored"])
  }

  @Test func `Fast changes of one key are stored in order, without the intermediate ones`() async {
    let changes = changes()
    changes.change("a", to: 1)
    await storage.end("a", accepting: true)
    for value in 2...5 { changes.change("a", to: value) }
    #expect(changes.unsettled == ["a": 5])
    await storage.end("a")
    await changes.settled()
    #expect(storage.begun == ["a=1", "a=5"])
    #expect(storage.stored == ["a": 5])
  }

  @Test func `A failed change is reverted and reported`() async {
    let changes = changes()
    changes.change("a", to: 1)
    await storage.end("a", accepting: false)
    await changes.settled()
    #expect(changes.unsettled.isEmpty)
    #expect(ends.list == ["a=1 failed"])
  }

  @Test func `A failure of an outdated change is not reported`() async {
    let changes = changes()
    changes.change("a", to: 1)
    while storage.begun.isEmpty { await Task.yield() }
    changes.change("a", to: 2)
    await storage.end("a", accepting: false)
    await storage.end("a")
    await changes.settled()
    #expect(ends.list == ["a=2 stored"])
    #expect(storage.stored == ["a": 2])
  }

  @Test func `Changes of different keys are stored at the same time`() async {
    let changes = changes()
    changes.change("a", to: 1)
    changes.change("b", to: 2)
    await storage.end("b")
    while storage.stored["b"] == nil { await Task.yield() }
    #expect(storage.begun.sorted() == ["a=1", "b=2"])
    #expect(changes.unsettled["a"] == 1)
    await storage.end("a", accepting: false)
    await changes.settled()
    #expect(storage.stored == ["b": 2])
  }

  @Test func `Returning to the first value during a change stores that value`() async {
    let changes = changes()
    changes.change("a", to: 1)
    while storage.begun.isEmpty { await Task.yield() }
    changes.change("a", to: 0)
    await storage.end("a")
    await storage.end("a")
    await changes.settled()
    #expect(storage.begun == ["a=1", "a=0"])
    #expect(storage.stored == ["a": 0])
  }

  @Test func `Settling without changes returns at once`() async {
    await changes().settled()
  }

  @Test func `A requested value is stored even if the changes are not referenced any more`() async {
    weak var released: OptimisticChanges<String, Int>?
    do {
      let changes = changes()
      changes.change("a", to: 1)
      released = changes
    }
    await storage.end("a")
    while released != nil { await Task.yield() }
    #expect(storage.stored == ["a": 1])
  }

  @Test func `The changes are released when all are settled`() async {
    weak var released: OptimisticChanges<String, Int>?
    do {
      let changes = changes()
      changes.change("a", to: 1)
      await storage.end("a")
      await changes.settled()
      released = changes
    }
    #expect(released == nil)
  }
}
