import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Synchronization

@testable import MessAI

/// A server in this process, with the rules of the real one. A test delivers each message to it.
final class Post: Sendable {
  let manifest: Manifest
  private let push: PushRules
  private let pull: PullRules
  private let state = Mutex(MemoryState(epoch: 1))
  private let clock = Mutex(Int64(1_800_000_000_000))

  init() throws {
    manifest = try MessAISchema.current.manifest
    push = try PushRules(manifest)
    pull = PullRules(push.access)
  }

  /// The time on all clocks, in milliseconds since 1970. Each request takes one.
  var now: Int64 { clock.withLock { $0 } }

  func tick(_ milliseconds: Int64 = 1) { clock.withLock { $0 += milliseconds } }

  /// Creates an account, and its device.
  func makePhone(
    of name: String, schema: StoreSchema = MessAISchema.current, isLinked: Bool = true
  ) async throws -> Phone {
    let account = LinkedAccount(id: UUID(), name: name)
    let accountName = try AccountName(name)
    state.withLock {
      $0.setAccount(
        Account(id: AccountID(account.id), name: accountName, password: .none, created: 0))
    }
    let phone = try Phone(account, of: self, schema)
    if isLinked { try await phone.link() }
    return phone
  }

  func answer(_ request: PushRequest, of account: UUID) throws -> PushResponse {
    tick()
    let now = now
    return try state.withLock {
      try push.apply(request, of: AccountID(account), at: now, to: &$0)
    }
  }

  func answer(_ request: PullRequest, of account: UUID) throws -> PullResponse {
    tick()
    let now = now
    return try state.withLock {
      try pull.answer(request, of: AccountID(account), at: now, from: $0)
    }
  }

  /// Grants a role in a conversation, or ends it.
  func grant(_ role: Role, to phone: Phone, in conversation: String = "c1") throws {
    tick()
    let rows = MemberRows(personalKinds: manifest.personalKinds, at: now)
    let scope = try ScopeID.known(conversation)
    try state.withLock {
      _ = try rows.grant(role, to: AccountID(phone.account.id), in: scope, on: &$0)
    }
  }

  /// The ids of the living rows of a table that the server has in a conversation.
  func ids(of table: String, in conversation: String = "c1") throws -> [String] {
    let scope = try ScopeID.known(conversation)
    return state.withLock { $0.rows(in: scope, after: Int64(0), limit: .max) }
      .filter { $0.row.table == table && $0.state.isLiving }.map(\.row.id).sorted()
  }

  /// The text of a message on the server.
  func text(of id: String, in conversation: String = "c1") throws -> String? {
    let scope = try ScopeID.known(conversation)
    return state.withLock { $0.row(RowID(table: "messages", id: id), in: scope) }?
      .state.fields["text"]?.string
  }

  /// Lets phones push and pull until nothing changes.
  func settle(_ phones: Phone...) async throws { try await settle(phones) }

  func settle(_ phones: [Phone]) async throws {
    for _ in 0..<3 {
      for phone in phones {
        try await phone.pushAll()
        try await phone.pullAll()
      }
    }
  }
}
