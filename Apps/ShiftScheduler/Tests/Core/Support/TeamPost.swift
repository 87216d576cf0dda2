import Foundation
import Offshore
import OffshoreCalendar
import OffshorePresentation
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Synchronization
import TestSupport

@testable import ShiftScheduler

/// A server in this process, with the rules of the real one. A test delivers each message to it.
final class TeamPost: Sendable {
  let team = UUID()
  private let manifest: Manifest
  private let push: PushRules
  private let pull: PullRules
  private let state = Mutex(MemoryState(epoch: 1))
  private let clock = Mutex(Int64(1_800_000_000_000))

  init() throws {
    manifest = try ShiftSchema.current.manifest
    push = try PushRules(manifest)
    pull = PullRules(push.access)
  }

  /// The time on all clocks, in milliseconds since 1970.
  var now: Int64 { clock.withLock { $0 } }

  private func tick() -> Int64 {
    clock.withLock { clock in
      clock += 1
      return clock
    }
  }

  /// Creates an account, and its device.
  func makeDevice(of name: String) async throws -> PostedDevice {
    let account = LinkedAccount(id: UUID(), name: name)
    let accountName = try AccountName(name)
    state.withLock {
      $0.setAccount(
        Account(id: AccountID(account.id), name: accountName, password: .none, created: 0))
    }
    return try await PostedDevice(account, self)
  }

  /// Grants a role in the team.
  func grant(_ role: Role, to device: PostedDevice) throws {
    let rows = MemberRows(personalKinds: manifest.personalKinds, at: tick())
    let scope = try ScopeID.team(team)
    try state.withLock {
      _ = try rows.grant(role, to: AccountID(device.account.id), in: scope, on: &$0)
    }
  }

  func answer(_ request: PushRequest, of account: UUID) throws -> PushResponse {
    let now = tick()
    return try state.withLock {
      try push.apply(request, of: AccountID(account), at: now, to: &$0)
    }
  }

  func answer(_ request: PullRequest, of account: UUID) throws -> PullResponse {
    let now = tick()
    return try state.withLock {
      try pull.answer(request, of: AccountID(account), at: now, from: $0)
    }
  }

  /// Lets devices push and pull until nothing changes.
  func settle(_ devices: [PostedDevice]) async throws {
    for _ in 0..<3 {
      for device in devices {
        while try await device.push() {}
        while try await device.pull() {}
      }
    }
  }
}

/// A device whose requests a test delivers, or loses the answers to.
final class PostedDevice: Sendable {
  let account: LinkedAccount
  let store: SyncedStore
  private let post: TeamPost

  fileprivate init(_ account: LinkedAccount, _ post: TeamPost) async throws {
    var environment = SyncedStore.Environment()
    environment.now = { Date(timeIntervalSince1970: Double(post.now) / 1_000) }
    (self.account, self.post) = (account, post)
    store = try .temporary(schema: ShiftSchema.current, environment: environment)
    try await store.link(account, token: "token")
  }

  private var times: RequestTimes { RequestTimes(sent: post.now, received: post.now) }

  /// Sends the next changes.
  /// - Returns: Whether there were any.
  @discardableResult
  func push(losingAnswer: Bool = false) async throws -> Bool {
    let (replica, now, times) = (store.replica, post.now, times)
    let request = try await store.write {
      try replica.nextPush($0, at: now, makeID: { UUID() })
    }
    guard let request else { return false }
    let response = try post.answer(request, of: account.id)
    guard !losingAnswer else { return true }
    _ = try await store.write {
      try replica.apply(
        response, to: request, at: times, $0, newDevice: { DeviceID(UUID()) }, makeID: { UUID() })
    }
    return true
  }

  /// - Returns: Whether there is more.
  @discardableResult
  func pull() async throws -> Bool {
    let (replica, times) = (store.replica, times)
    let request = try await store.read { try replica.nextPull($0) }
    let response = try post.answer(request, of: account.id)
    return try await store.write {
      try replica.apply(response, to: request, at: times, $0, makeID: { UUID() })
    }.hasMore
  }

  func perform(_ command: TeamCommand) async throws {
    let store = store
    try await store.write { writer in
      try TeamWriter(writer, store, .utc, keepsOverlaps: true).perform(command)
    }
  }

  func board() async throws -> TeamBoard {
    let (store, team) = (store, post.team)
    return try await store.read {
      try TeamBoard(of: team, in: CalendarMonth(containing: .june).days, store, $0)
    }
  }

  func refusals() async throws -> [Rejection.Code] {
    let replica = store.replica
    return try await store.read { try replica.deadLetters($0).map(\.rejection.code) }
  }
}
