import Dispatch
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// Requests that arrive while others of the account, or the readers of the storage, are occupied.
struct WaitingRequestTests {
  private let service: TestService

  init() throws { service = try TestService() }

  /// Runs a closure while readers of the storage are occupied, or until the test is cancelled.
  private func withOccupiedReaders<Result>(
    _ count: Int = SQLiteStorage.readerCount, _ body: () async throws -> Result
  ) async throws -> Result {
    let (begun, entries) = AsyncStream.makeStream(of: Void.self)
    let gate = DispatchSemaphore(value: 0)
    let reads = (0..<count).map { [storage = service.log] _ in
      Task {
        try await storage.read { _ in
          entries.yield()
          gate.wait()
        }
      }
    }
    var entered = begun.makeAsyncIterator()
    for _ in reads { _ = await entered.next() }
    defer { for _ in reads { gate.signal() } }
    return try await withTaskCancellationHandler {
      try await body()
    } onCancel: {
      for _ in reads { gate.signal() }
    }
  }

  /// Waits until a number of the account's requests wait for their turn.
  private func expectWaiting(_ count: Int, of account: AccountID) async throws {
    while service.server.turns.waitingCount(of: account) < count {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `A token is checked although all readers are occupied`() async throws {
    let ida = try await service.signUp("ida")
    let request = Request(
      .get, "/v1/account", headers: ["Authorization": "Bearer \(ida.token)"])
    let admission = try await withOccupiedReaders { await service.router.admit(request) }
    guard case .admitted(let admitted) = admission else {
      Issue.record("The request was refused.")
      return
    }
    #expect(admitted.client == "\(AccountID(ida.id))")
  }

  @Test(.timeLimit(.minutes(1)))
  func `An account leaves a reader of the storage to others`() async throws {
    let ida = try await service.signUp("ida")
    try await withOccupiedReaders(AccountTurns.defaultLimit) {
      _ = try await service.pull(["1"], device: 1, token: ida.token)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `A body stays compressed until it is the turn of its request`() async throws {
    let ida = try await service.signUp("ida")
    let account = AccountID(ida.id)
    let push = PushRequest(
      device: .sample(1), epoch: 0, manifestVersion: 1,
      batches: [try TestServer.batch(1, [.list(at: 900)])])
    let body = try #require(Gzip.compress(push.body))
    let reservation = MemoryBudget(bytes: 1 << 20, bytesPerClient: 1 << 20).reservation(for: "ida")
    let (pulls, pushed) = try await withOccupiedReaders {
      // Four pulls are in hand, and the fifth waits.
      let pulls = (1...5).map { number in
        Task { [service] in try await service.pull(["1"], device: number, token: ida.token) }
      }
      try await expectWaiting(1, of: account)
      let pushed = Task { [service] in
        await service.send(
          .post, "/v1/push", token: ida.token, headers: ["Content-Encoding": "gzip"], body: body,
          reservation: reservation)
      }
      try await expectWaiting(2, of: account)
      #expect(reservation.byteCount == 0)
      return (pulls, pushed)
    }
    for pull in pulls { _ = try await pull.value }
    #expect(await pushed.value.status == .ok)
    #expect(reservation.byteCount >= push.body.count)
  }
}
