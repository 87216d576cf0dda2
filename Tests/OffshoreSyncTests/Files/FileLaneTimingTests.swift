import Foundation
import Offshore
import OffshoreWire
import Synchronization
import Testing

@testable import OffshoreSync

/// The times at which the lane of files works, without a server.
@Suite(.timeLimit(.minutes(1)))
struct FileLaneTimingTests {
  private static let hour: Int64 = 3_600_000
  private let store: SyncedStore
  private let album = UUID()
  private let transport = AnsweringTransport()
  /// It begins after the files of the test were written.
  private let clock = SteppedClock(SyncDriver.Environment().now() + 60_000)

  init() async throws {
    store = try .temporary(schema: Gallery.schema)
    try await store.link(LinkedAccount(id: UUID(), name: "skipper"), token: "secret")
    try await store.write { [album] writer in
      try writer.applying { try Album(id: album, title: "Vis").insert(writer) }
      var cursor = ScopeCursor(try ScopeID(kind: "album", value: album.uuidString))
      cursor.role = .owner
      try cursor.save(writer)
    }
  }

  /// Returns a lane whose pauses end only when a test moves the clock.
  private func lane(_ replica: Replica? = nil) -> FileLane {
    var environment = SyncDriver.Environment()
    environment.now = { [clock] in clock.now }
    environment.sleep = { [clock] in try await clock.sleep(for: $0) }
    environment.random = { 0 }
    return lane(in: environment, replica)
  }

  private func lane(
    in environment: SyncDriver.Environment, _ replica: Replica? = nil
  ) -> FileLane {
    FileLane(store.database, store.files, replica ?? store.replica, over: transport, environment) {}
  }

  private func photo(of file: BlobReference) -> Photo {
    Photo(id: UUID(), albumID: album, image: file.text)
  }

  /// Inserts a photo of another device.
  private func receive(_ photo: Photo) async throws {
    try await store.write { writer in try writer.applying { try photo.insert(writer) } }
  }

  private func remove(_ photo: Photo) async throws {
    try await store.write { writer in
      try writer.applying { _ = try Photo.find(photo.id).delete(writer) }
    }
  }

  private func wait(for file: BlobReference, toBe expected: FileStatus) async throws {
    let values = store.values { [store] in try store.status(of: file, $0) }
    for try await status in values where status == expected { return }
  }

  private func waitForAttempts(_ count: Int64) async throws {
    for try await attempts in store.values({ try FileEntry.all.all($0).map(\.attempts) })
    where attempts.contains(count) { return }
  }

  // MARK: - Wake-ups

  @Test func `A file that is requested once more is fetched at once`() async throws {
    let file = BlobReference(ContentHash(of: [1]))
    try await receive(photo(of: file))
    let lane = lane()
    await lane.start(token: "secret")
    transport.isMissing = true
    try await store.fetch(file)
    try await waitForAttempts(1)
    transport.isMissing = false
    try await store.fetch(file)
    try await wait(for: file, toBe: .here)
    await lane.stop()
  }

  @Test func `A file is sent that is added by the commit that completes another one`() async throws
  {
    let lane = lane()
    await lane.start(token: "secret")
    transport.refusal = "tooLarge"
    let files = try await [store.files.add([1]), store.files.add([2])]
    let photos = files.map(photo)
    try await store.write { try photos[0].insertAccepted($0) }
    try await wait(for: files[0], toBe: .refused(code: "tooLarge"))
    transport.refusal = nil
    let scope = try ScopeID(kind: "album", value: album.uuidString)
    let now = clock.now
    try await store.write { writer in
      try FileQueue.complete(.send(files[0].hash, scope), at: now, writer)
      try photos[1].insertAccepted(writer)
    }
    try await wait(for: files[1], toBe: .here)
    await lane.stop()
  }

  /// The clock reaches the next attempt between any two of the moments at which the lane reads it: when it
  /// looks for a job, when it removes files, and when it begins to pause.
  @Test(arguments: 1...8, [false, true])
  func `An attempt that becomes due before the lane pauses is made`(readings: Int, isSent: Bool)
    async throws
  {
    let clock = LeapingClock(leapingAfter: readings)
    var environment = SyncDriver.Environment()
    environment.now = { clock.now() }
    environment.random = { 0 }
    environment.sleep = { _ in }
    let lane = lane(in: environment)
    transport.onAnswer = { clock.start() }
    let file: BlobReference
    if isSent {
      transport.isUnreachable = true
      file = try await store.files.add([1])
      let photo = photo(of: file)
      try await store.write { try photo.insertAccepted($0) }
    } else {
      transport.isMissing = true
      file = BlobReference(ContentHash(of: [1]))
      try await receive(photo(of: file))
      try await store.fetch(file)
    }
    transport.failsOnce = true
    await lane.start(token: "secret")
    try await wait(for: file, toBe: .here)
    await lane.stop()
  }

  // MARK: - Refusals

  @Test func `A refused file is sent as often as its limit allows, and then on request`()
    async throws
  {
    let replica = try Replica(store.replica.schema, attemptLimits: [.tooLarge: 3])
    let lane = lane(replica)
    transport.refusal = "tooLarge"
    let photo = photo(of: try await store.files.add([1]))
    try await store.write { writer in
      try photo.insertAccepted(writer)
      // The server has the row.
      try SQL("DELETE FROM _outbox").run(writer)
    }
    await lane.start(token: "secret")
    for (attempts, delay) in [(1, 500), (2, 1_000)] as [(Int64, Int64)] {
      try await waitForAttempts(attempts)
      let next = clock.now + delay
      await clock.waitForPauses { $0 == [next] }
      clock.advance(by: delay)
    }
    try await waitForAttempts(3)
    clock.advance(by: 30 * 24 * Self.hour)
    let states = try await store.read {
      try replica.sendingStates(of: [photo.id.uuidString], in: "photos", $0)
    }
    #expect(
      states.values.first
        == SendingState(
          status: .synced, attempts: 3, reason: .tooLarge, mayHaveLeft: true, hasUnsentFile: true))
    let time = clock.now
    #expect(try await store.read { try FileQueue(reader: $0).next(at: time) } == nil)
    #expect(try await store.read { try FileQueue(reader: $0).nextTime(after: 0) } == nil)
    transport.refusal = nil
    let row = RowID(table: "photos", id: photo.id.uuidString)
    #expect(try await store.write { try replica.retryFiles(of: [row], $0) })
    try await wait(for: BlobReference(ContentHash(of: [1])), toBe: .here)
    await lane.stop()
  }

  @Test func `A refused file without a limit is sent again after ten minutes`() async throws {
    let lane = lane()
    transport.refusal = "odd"
    let photo = photo(of: try await store.files.add([1]))
    try await store.write { try photo.insertAccepted($0) }
    await lane.start(token: "secret")
    for attempts in 1...3 as ClosedRange<Int64> {
      try await waitForAttempts(attempts)
      let next = clock.now + 600_000
      await clock.waitForPauses { $0 == [next] }
      clock.advance(by: 600_000)
    }
    await lane.stop()
  }

  // MARK: - Removal

  @Test(arguments: [false, true])
  func `A file stays for a day after its last row, also after an undo, and then goes`(
    isRestarted: Bool
  ) async throws {
    let file = try await store.files.add([1])
    let photo = photo(of: file)
    try await receive(photo)
    let lane = lane()
    await lane.start(token: "secret")
    try await remove(photo)
    let first = clock.now + FileQueue.grace
    await clock.waitForPauses { $0 == [first] }
    #expect(store.files.url(of: file) != nil)
    // The user undoes the removal, and the day passes.
    try await receive(photo)
    clock.advance(by: FileQueue.grace + Self.hour)
    try await remove(photo)
    let second = clock.now + FileQueue.grace
    await clock.waitForPauses { $0 == [second] }
    clock.advance(by: FileQueue.grace - 1)
    await clock.waitForPauses { $0 == [second] }
    #expect(store.files.url(of: file) != nil)
    if isRestarted { await lane.stop() }
    clock.advance(by: 1)
    if isRestarted { await lane.start(token: "secret") }
    for try await count in store.values({ try FileEntry.all.count($0) }) where count == 0 { break }
    #expect(store.files.url(of: file) == nil)
    await lane.stop()
  }

  @Test func `A lane that pauses for a day stops at once`() async throws {
    let file = try await store.files.add([1])
    let photo = photo(of: file)
    try await receive(photo)
    let lane = lane()
    await lane.start(token: "secret")
    try await remove(photo)
    await clock.waitForPauses { !$0.isEmpty }
    await lane.stop()
    #expect(clock.pauseEnds == [])
  }
}

/// A clock that stands still from a moment on, until it was read a number of times, and is an hour later then.
private final class LeapingClock: Sendable {
  private let state: Mutex<(time: Int64, readings: Int?)>
  private let limit: Int

  init(leapingAfter readings: Int) {
    limit = readings
    state = Mutex((SyncDriver.Environment().now(), nil))
  }

  /// Begins to count the readings, if it has not.
  func start() { state.withLock { $0.readings = $0.readings ?? 0 } }

  func now() -> Int64 {
    state.withLock { state in
      guard let readings = state.readings else { return state.time }
      state.readings = readings + 1
      return readings < limit ? state.time : state.time + 3_600_000
    }
  }
}

/// A transport to a server that has the file `[1]`, and stores each file with its first part.
private final class AnsweringTransport: FileTransport {
  private struct State {
    var isMissing = false
    var isUnreachable = false
    var refusal: String?
    var failsOnce = false
    var onAnswer: @Sendable () -> Void = {}
  }

  private let state = Mutex(State())

  /// Whether the server does not have the file yet.
  var isMissing: Bool {
    get { state.withLock(\.isMissing) }
    set { state.withLock { $0.isMissing = newValue } }
  }

  /// Whether there is no network for files that are sent.
  var isUnreachable: Bool {
    get { state.withLock(\.isUnreachable) }
    set { state.withLock { $0.isUnreachable = newValue } }
  }

  /// The code with which the server refuses files, if it does.
  var refusal: String? {
    get { state.withLock(\.refusal) }
    set { state.withLock { $0.refusal = newValue } }
  }

  /// Whether only the next request fails.
  var failsOnce: Bool {
    get { state.withLock(\.failsOnce) }
    set { state.withLock { $0.failsOnce = newValue } }
  }

  /// Called before each answer.
  var onAnswer: @Sendable () -> Void {
    get { state.withLock { $0.onAnswer } }
    set { state.withLock { $0.onAnswer = newValue } }
  }

  /// Returns the state for the next request.
  private func next() -> State {
    let next = state.withLock { state in
      defer { if state.failsOnce { (state.isMissing, state.isUnreachable) = (false, false) } }
      return state
    }
    next.onAnswer()
    return next
  }

  func send(
    _ part: [UInt8], at offset: Int, of length: Int, _ hash: ContentHash, to scope: ScopeID,
    token: String
  ) async throws(SyncEngine.Failure) -> SentPart {
    let state = next()
    if state.isUnreachable { throw SyncEngine.Failure(.unreachable, "There is no network.") }
    return state.refusal.map { .refused(code: $0) } ?? .stored
  }

  func fetch(
    _ range: Range<Int>, of hash: ContentHash, token: String
  ) async throws(SyncEngine.Failure) -> FetchedPart {
    next().isMissing ? .missing : .part([1], of: 1)
  }
}
