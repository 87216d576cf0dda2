import OffshoreWire
import ServerSupport

@testable import OffshoreServer

/// A server in memory. Account 1 owns lists 1 and 2, account 2 is a viewer of list 1, and account 3
/// has no grant.
struct TestServer {
  var log = MemoryState(epoch: 7)
  var pushRules: PushRules
  var pullRules = PullRules(.none)
  var now: Int64 = 1_000_000

  init() throws {
    pushRules = try PushRules(Lists.manifest())
    try log.grant(.owner, to: .sample(1), in: Lists.scope("1"))
    try log.grant(.owner, to: .sample(1), in: Lists.scope("2"))
    try log.grant(.viewer, to: .sample(2), in: Lists.scope("1"))
  }

  static func batch(_ number: Int64, in list: String = "1", _ ops: [Op]) throws -> Batch {
    Batch(
      try Lists.scope(list), number: number, id: .batch(number),
      ops: ops)
  }

  mutating func push(
    _ batches: [Batch], device: UInt8 = 1, account: UInt8 = 1, epoch: UInt64 = 7,
    version: Int = 1
  ) throws -> PushResponse {
    let request = PushRequest(
      device: .sample(device), epoch: epoch, manifestVersion: version, batches: batches)
    return try pushRules.apply(request, of: .sample(account), at: now, to: &log)
  }

  /// Pushes one batch.
  mutating func push(
    _ number: Int64, in list: String = "1", _ ops: [Op], device: UInt8 = 1, account: UInt8 = 1
  ) throws -> BatchResult.Outcome? {
    let batch = try Self.batch(number, in: list, ops)
    return try push([batch], device: device, account: account).results.first?.outcome
  }

  mutating func grant(_ role: Role, to account: UInt8, in list: String = "1") throws {
    try log.grant(role, to: .sample(account), in: Lists.scope(list))
  }

  func state(_ row: RowID, in list: String = "1") throws -> RowState? {
    log.row(row, in: try Lists.scope(list))?.state
  }

  func scope(_ list: String = "1") throws -> ScopeState { log.scope(try Lists.scope(list)) }

  func pull(
    _ position: PullCursor.Position, in list: String = "1", epoch: UInt64 = 7,
    conflictsAfter: Int64 = 0, limit: Int = 100, account: UInt8 = 1
  ) throws -> ScopeAnswer.Content? {
    let cursor = PullCursor(
      try Lists.scope(list), epoch: epoch, position: position, acknowledged: 0,
      conflictsAfter: conflictsAfter)
    return try pull([cursor], limit: limit, account: account).scopes.first?.content
  }

  func pull(
    _ cursors: [PullCursor], limit: Int = 100, device: UInt8 = 1, account: UInt8 = 1,
    version: Int = 1,
    capabilities: Capabilities = .all
  ) throws -> PullResponse {
    let request = PullRequest(
      device: .sample(device), manifestVersion: version, capabilities: capabilities, grantsAfter: 0,
      cursors: cursors, limit: limit)
    return try pullRules.answer(request, of: .sample(account), at: now, from: log)
  }
}

extension BatchResult.Outcome {
  /// The code of a rejection, or `nil` for another outcome.
  var rejection: Rejection.Code? {
    guard case .rejected(let rejection, _) = self else { return nil }
    return rejection.code
  }

  /// The change numbers of an applied batch.
  var range: SeqRange? {
    guard case .applied(let range) = self else { return nil }
    return range
  }
}

extension ScopeAnswer.Content {
  /// The page, if the answer has one.
  var page: ScopePage? {
    guard case .page(let page) = self else { return nil }
    return page
  }
}
