import Foundation
import TestSupport

@testable import OffshoreWire

/// Random messages, small enough to make many of them.
extension SeededRandom {
  mutating func scope() throws -> ScopeID { try ScopeID("charter/\(number(below: 100))") }

  mutating func uuid() -> UUID { DeviceID(high: next(), low: next()).uuid }

  mutating func batch() throws -> Batch {
    let ops = try (0..<number(below: 4)).map { _ in try op() }
    return Batch(try scope(), number: Int64(number(below: 1_000)), id: uuid(), ops: ops)
  }

  mutating func pushRequest() throws -> PushRequest {
    PushRequest(
      device: DeviceID(uuid()), epoch: next(), manifestVersion: number(below: 50),
      batches: try (0..<number(below: 3)).map { _ in try batch() })
  }

  mutating func outcome() throws -> BatchResult.Outcome {
    switch number(below: 5) {
    case 0: .applied(SeqRange(first: Int64(number(below: 1_000)), count: Int64(number(below: 9))))
    case 1: .rejected(Rejection(.gone, "It is gone.", row: Fleet.charter), current: nil)
    case 2: .rejected(Rejection(.forbidden, "Ask.", field: "a"), current: syncedRow(table: "t"))
    case 3: .forked
    default: .gap(expected: Int64(1 + number(below: 1_000)))
    }
  }

  mutating func pushResponse() throws -> PushResponse {
    let results = try (0..<number(below: 4)).map { _ in
      BatchResult(
        scope: try scope(), number: Int64(number(below: 1_000)), outcome: try outcome(),
        isRepeated: number(below: 2) == 0)
    }
    return PushResponse(epoch: next(), serverTime: Int64(number(below: 1 << 42)), results: results)
  }

  mutating func position() -> PullCursor.Position {
    switch number(below: 4) {
    case 0: .changes(after: Int64(number(below: 1_000)))
    case 1: .snapshot(head: nil, after: nil)
    case 2: .repair(ranges: ranges(), head: number(below: 2) == 0 ? nil : 7, after: nil)
    default: .snapshot(head: Int64(number(below: 1_000)), after: Fleet.charter)
    }
  }

  mutating func ranges() -> RangeSet {
    RangeSet((0..<number(below: 20)).map { _ in UInt8(number(below: 256)) })
  }

  mutating func rangeDigests() -> RangeDigests? {
    guard number(below: 4) == 0 else { return nil }
    return (0..<number(below: 9)).reduce(into: RangeDigests()) { digests, _ in
      digests.add(hash: next(), of: RowID(table: "t", id: "\(next())"))
    }
  }

  mutating func pullRequest() throws -> PullRequest {
    let cursors = try (0..<number(below: 4)).map { index in
      PullCursor(
        try ScopeID("charter/\(index)-\(number(below: 9))"), epoch: next(), position: position(),
        acknowledged: Int64(number(below: 1_000)), conflictsAfter: Int64(number(below: 99)),
        wantsRangeDigests: number(below: 2) == 0, answeredBatch: Int64(number(below: 99)))
    }
    return PullRequest(
      device: DeviceID(uuid()), manifestVersion: number(below: 50),
      capabilities: Capabilities(rawValue: next()), grantsAfter: Int64(number(below: 99)),
      cursors: cursors, limit: 1 + number(below: 5_000))
  }

  mutating func conflict() -> NumberedConflict {
    let reasons: [Conflict.Reason] = [.later, .arrival, .rule, .ended]
    let conflict = Conflict(
      row: Fleet.charter, field: "note", losing: value(), losingStamp: stamp(),
      winning: number(below: 2) == 0 ? nil : value(), winningStamp: stamp(),
      reason: reasons[number(below: 4)])
    return NumberedConflict(number: Int64(number(below: 1_000)), conflict)
  }

  mutating func decidedBatch() -> DecidedBatch {
    DecidedBatch(
      number: Int64(number(below: 1_000)), hash: ContentHash(of: [UInt8(number(below: 256))]),
      isApplied: number(below: 2) == 0)
  }

  mutating func page() -> ScopePage {
    let rows = (0..<number(below: 6)).map { _ in syncedRow(table: "t\(number(below: 2))") }
    return ScopePage(
      rows: RowPage(rows), conflicts: (0..<number(below: 3)).map { _ in conflict() },
      isFull: number(below: 2) == 0, next: position(),
      head: Int64(number(below: 1_000)), digest: Digest(value: next()),
      rangeDigests: rangeDigests(),
      minSeq: Int64(number(below: 9)), lastBatch: Int64(number(below: 9)),
      batches: (0..<number(below: 3)).map { _ in decidedBatch() })
  }

  mutating func pullResponse() throws -> PullResponse {
    let roles: [Role] = [.owner, .editor, .viewer, .revoked, .left]
    let grants = try (0..<number(below: 3)).map { _ in
      Grant(try scope(), roles[number(below: 5)], seq: Int64(number(below: 99)))
    }
    let scopes = try (0..<number(below: 3)).map { _ in
      let content: [ScopeAnswer.Content] = [
        .page(page()), .page(page()), .resync(minSeq: 7), .notGranted,
      ]
      return ScopeAnswer(try scope(), epoch: next(), content[number(below: 4)])
    }
    return PullResponse(
      serverTime: Int64(number(below: 1 << 42)), epoch: next(),
      capabilities: Capabilities(rawValue: next()), grants: grants, scopes: scopes)
  }

  mutating func problem() -> WireProblem {
    let codes: [WireProblem.Code] = [.malformed, .unavailable, .init(rawValue: "newer")]
    return WireProblem(
      codes[number(below: 3)], "Öl \(number(below: 9))", versions: 1...UInt8(1 + number(below: 9)),
      retryAfter: number(below: 2) == 0 ? nil : Int64(number(below: 100)))
  }
}
