import Synchronization
import TestSupport
import Testing

@testable import OffshoreFiles

private struct Refused: Error {}

/// A box that counts how often it is stored, and may refuse it.
private final class CountedBox: StorableBox {
  struct Counts: Equatable {
    var begun = 0
    var stored = 0
    var failed = 0
  }

  private let state = Mutex((counts: Counts(), refusals: 0))
  /// The gate that each storing passes.
  let gate: Gate
  private let log: @Sendable (String) -> Void

  init(_ gate: Gate = Gate(isOpen: true), log: @escaping @Sendable (String) -> Void = { _ in }) {
    (self.gate, self.log) = (gate, log)
  }

  var counts: Counts { state.withLock { $0.counts } }

  /// Refuses the next storings.
  func refuse(_ count: Int) { state.withLock { $0.refusals = count } }

  private func requireAllowed() throws {
    let isRefused = state.withLock { state in
      guard state.refusals > 0 else { return false }
      state.refusals -= 1
      return true
    }
    if isRefused { throw Refused() }
  }

  private func didStore() { state.withLock { $0.counts.stored += 1 } }

  func beginStoring() { state.withLock { $0.counts.begun += 1 } }

  func store(in update: FolderUpdate) throws -> @Sendable () -> Void {
    try requireAllowed()
    return { self.didStore() }
  }

  func storeAlone() async throws {
    log("begin")
    await gate.pass()
    log("end")
    try requireAllowed()
    didStore()
  }

  func didFail(_ error: any Error) {
    if error is Refused { state.withLock { $0.counts.failed += 1 } }
  }
}

/// The pause after a change, and the storing at its end. The tests end the pause.
@Suite(.timeLimit(.minutes(1)))
struct SharedSaverTests {
  /// A pause that only `flush()` ends.
  private let untilFlush: @Sendable () async throws -> Void = { try await waitUntilCancelled() }

  // MARK: - The pause

  @Test func `The changes of a pause are stored once at its end, and later ones after the next`()
    async
  {
    let (pause, box) = (Gate(), CountedBox())
    let saver = SharedSaver(nil)
    for round in 1...3 {
      for _ in 0..<5 { saver.add(box) { await pause.pass() } }
      await pause.waitForArrivals(round)
      #expect(box.counts.begun == round - 1)
      pause.open()
      await box.gate.waitForArrivals(round)
      pause.close()
      #expect(box.counts.begun == round)
    }
  }

  @Test func `The first pause to end stores the boxes of a folder, and ends the other pauses`()
    async
  {
    let (short, ended) = (Gate(), Gate())
    let boxes = [CountedBox(), CountedBox()]
    let saver = SharedSaver(.inMemory())
    saver.add(boxes[0]) {
      defer { ended.open() }
      try await waitUntilCancelled()
    }
    saver.add(boxes[1]) { await short.pass() }
    await short.waitUntilHeld()
    for box in boxes { #expect(box.counts == .init()) }
    short.open()
    await ended.pass()
    try? await saver.flush()
    for box in boxes { #expect(box.counts == .init(begun: 1, stored: 1)) }
  }

  @Test func `A flush stores at once, and ends the pause`() async throws {
    let (ended, box) = (Gate(), CountedBox())
    let saver = SharedSaver(nil)
    saver.add(box) {
      defer { ended.open() }
      try await waitUntilCancelled()
    }
    try await saver.flush()
    #expect(box.counts == .init(begun: 1, stored: 1))
    await ended.pass()
    // The ended pause does not store again.
    try await saver.flush()
    #expect(box.counts.begun == 1)
  }

  @Test func `A flush without changes stores nothing`() async throws {
    let folder = DocumentFolder.inMemory()
    for saver in [SharedSaver(nil), SharedSaver(folder)] { try await saver.flush() }
    #expect(folder.storage.names(withPrefix: "") == [])
  }

  // MARK: - Failures

  @Test func `A failed storing is thrown, recorded in the box, and repeated by the next flush`()
    async throws
  {
    let (box, saver) = (CountedBox(), SharedSaver(nil))
    box.refuse(2)
    saver.add(box, after: untilFlush)
    for failed in 1...2 {
      await #expect(throws: Refused.self) { try await saver.flush() }
      #expect(box.counts == .init(begun: failed, failed: failed))
    }
    try await saver.flush()
    try await saver.flush()
    #expect(box.counts == .init(begun: 3, stored: 1, failed: 2))
  }

  @Test func `A change after a failed storing is stored with those that failed`() async throws {
    let (one, two) = (CountedBox(), CountedBox())
    let saver = SharedSaver(.inMemory())
    one.refuse(1)
    saver.add(one, after: untilFlush)
    await #expect(throws: Refused.self) { try await saver.flush() }
    saver.add(two, after: untilFlush)
    saver.add(one, after: untilFlush)
    try await saver.flush()
    #expect(one.counts == .init(begun: 2, stored: 1, failed: 1))
    #expect(two.counts == .init(begun: 1, stored: 1))
  }

  @Test func `A failed storing at the end of a pause is recorded, and begins no other`()
    async throws
  {
    let (pause, box) = (Gate(isOpen: true), CountedBox())
    let saver = SharedSaver(nil)
    box.refuse(1)
    saver.add(box) { await pause.pass() }
    await box.gate.waitForArrivals()
    // This storing follows the failed one.
    try await saver.flush()
    #expect(box.counts == .init(begun: 2, stored: 1, failed: 1))
  }

  @Test func `The boxes of a folder are stored together or not at all`() async throws {
    let boxes = [CountedBox(), CountedBox(), CountedBox()]
    let saver = SharedSaver(.inMemory())
    for box in boxes { saver.add(box, after: untilFlush) }
    boxes[2].refuse(1)
    await #expect(throws: Refused.self) { try await saver.flush() }
    for box in boxes { #expect(box.counts == .init(begun: 1, failed: 1)) }
    try await saver.flush()
    for box in boxes { #expect(box.counts == .init(begun: 2, stored: 1, failed: 1)) }
  }

  // MARK: - Order

  @Test func `A flush during a storing waits for it, and stores the changes since`() async throws {
    let log = Log()
    let slow = CountedBox(Gate()) { log.append("slow \($0)") }
    let next = CountedBox { log.append("next \($0)") }
    let saver = SharedSaver(nil)
    saver.add(slow, after: untilFlush)
    let first = Task { try await saver.flush() }
    await slow.gate.waitUntilHeld()
    saver.add(next, after: untilFlush)
    saver.add(slow, after: untilFlush)
    let second = Task { try await saver.flush() }
    for _ in 0..<100 { await Task.yield() }
    #expect(log.lines == ["slow begin"])
    slow.gate.open()
    try await first.value
    try await second.value
    #expect(
      log.lines == ["slow begin", "slow end", "next begin", "next end", "slow begin", "slow end"])
    #expect(slow.counts == .init(begun: 2, stored: 2))
    #expect(next.counts == .init(begun: 1, stored: 1))
  }

  @Test func `A flush after a failed one is not failed by it`() async throws {
    let (slow, saver) = (CountedBox(Gate()), SharedSaver(nil))
    slow.refuse(1)
    saver.add(slow, after: untilFlush)
    let first = Task { try await saver.flush() }
    await slow.gate.waitUntilHeld()
    let second = Task { try await saver.flush() }
    slow.gate.open()
    await #expect(throws: Refused.self) { try await first.value }
    try await second.value
    #expect(slow.counts == .init(begun: 2, stored: 1, failed: 1))
  }

  @Test func `A flush of a cancelled task stores all the same`() async throws {
    let (box, saver) = (CountedBox(), SharedSaver(nil))
    saver.add(box, after: untilFlush)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await saver.flush()
    }
    try await task.value
    #expect(box.counts == .init(begun: 1, stored: 1))
  }
}

/// The lines that several tasks write.
private final class Log: Sendable {
  private let written = Mutex<[String]>([])
  var lines: [String] { written.withLock { $0 } }
  func append(_ line: String) { written.withLock { $0.append(line) } }
}
