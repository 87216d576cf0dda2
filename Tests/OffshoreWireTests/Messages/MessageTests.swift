import Foundation
import TestSupport
import Testing

@testable import OffshoreWire

struct MessageTests {
  private func expectSame<Message: WireMessage & Equatable>(
    _ message: Message, _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try Message(body: message.body) == message, sourceLocation: location)
  }

  @Test func `Messages are decoded as they were encoded`() throws {
    var random = SeededRandom(seed: 30)
    for _ in 0..<100 {
      try expectSame(random.pushRequest())
      try expectSame(random.pushResponse())
      try expectSame(random.pullRequest())
      try expectSame(random.pullResponse())
      try expectSame(random.problem())
    }
  }

  private let request = PullRequest(
    device: .sample(1), manifestVersion: 3, grantsAfter: 4, cursors: [], limit: 5)

  @Test func `A message begins with its mark, the version and its kind`() {
    #expect(
      request.body == Array("OFSW".utf8) + [1, 3] + Array(repeating: 0, count: 15) + [
        1, 3, 3, 8, 5, 0,
      ])
  }

  @Test func `Bytes of another format are refused`() throws {
    for bytes in [[], Array("<!do".utf8), Array("<!doctype html>".utf8), Array("OFSW".utf8)] {
      let code: WireError.Code =
        bytes.count < 4 || bytes.first == UInt8(ascii: "O") ? .truncated : .malformed
      try expect(code) { _ = try PullRequest(body: bytes) }
    }
  }

  @Test func `An unsupported version is refused before the rest is decoded`() throws {
    for version in [0, 2, 255] as [UInt8] {
      let error = try expect(.unsupportedVersion) {
        _ = try PullRequest(body: Array("OFSW".utf8) + [version])
      }
      #expect(WireProblem(error).code == .upgradeRequired)
      #expect(WireProblem(error).code.status == 426)
    }
  }

  @Test func `Unknown capabilities are preserved, and can be intersected with the server's`() throws
  {
    let newer: Capabilities = [.repair, Capabilities(rawValue: 1 << 63)]
    let request = PullRequest(
      device: .sample(1), manifestVersion: 3, capabilities: newer, grantsAfter: 4, cursors: [],
      limit: 5)
    let read = try PullRequest(body: request.body).capabilities
    #expect(read == newer)
    #expect(read.intersection(.all) == .repair)
  }

  @Test func `A message of another kind is refused`() throws {
    let body = request.body
    try expect(.malformed) { _ = try PushRequest(body: body) }
  }

  @Test func `Bytes after a message are refused`() throws {
    let body = request.body + [0]
    try expect(.malformed) { _ = try PullRequest(body: body) }
  }

  @Test func `A body that is too large is refused`() throws {
    let body = Array(repeating: 0 as UInt8, count: WireLimits.bodyBytes + 1)
    try expect(.tooLarge) { _ = try PullRequest(body: body) }
  }

  @Test func `A pull of too many rows or none is refused`() throws {
    for limit in [0, WireLimits.rowsPerPage + 1] {
      let request = PullRequest(
        device: .sample(1), manifestVersion: 1, grantsAfter: 0, cursors: [], limit: limit)
      try expect(.tooLarge) { _ = try PullRequest(body: request.body) }
    }
  }

  @Test func `A pull that names a scope twice is refused`() throws {
    let other = try ScopeID("charter/8")
    let cursor = PullCursor(other, epoch: 1, position: .changes(after: 1), acknowledged: 1)
    let again = PullCursor(
      other, epoch: 1, position: .snapshot(head: nil, after: nil), acknowledged: 0,
      wantsRangeDigests: true)
    let request = PullRequest(
      device: .sample(1), manifestVersion: 1, grantsAfter: 0, cursors: [cursor, again], limit: 1)
    try expect(.malformed) { _ = try PullRequest(body: request.body) }
  }

  @Test(arguments: [WireLimits.scopesPerPull, WireLimits.scopesPerPull + 1, 100_000])
  func `A pull of too many scopes is refused`(count: Int) throws {
    let cursors = try (0..<count).map {
      PullCursor(
        try ScopeID("charter/\($0)"), epoch: 1, position: .changes(after: 1), acknowledged: 1)
    }
    let request = PullRequest(
      device: .sample(1), manifestVersion: 1, grantsAfter: 0, cursors: cursors, limit: 1)
    if count <= WireLimits.scopesPerPull {
      #expect(try PullRequest(body: request.body) == request)
    } else {
      let error = try expect(.tooLarge) { _ = try PullRequest(body: request.body) }
      // It is refused before any cursor is decoded.
      #expect(try #require(error.offset) < 40)
    }
  }

  @Test func `Unknown cases are refused`() throws {
    try expect(.malformed) { _ = try PullCursor.Position(decoding: [4, 0]) }
    try expect(.malformed) { _ = try BatchResult.Outcome(decoding: [0]) }
    try expect(.malformed) { _ = try BatchResult.Outcome(decoding: [5]) }
    var grant = Grant(try ScopeID("a/b"), .owner, seq: 1).encoded()
    grant[4] = 6
    try expect(.malformed) { _ = try Grant(decoding: grant) }
    var answer = ScopeAnswer(try ScopeID("a/b"), epoch: 1, .notGranted).encoded()
    answer[5] = 4
    try expect(.malformed) { _ = try ScopeAnswer(decoding: answer) }
  }

  @Test func `A list whose count exceeds its bytes is refused in every message`() throws {
    // A count of 2⁶², at the position of each message's list.
    let count = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40] as [UInt8]
    func body(_ kind: WireKind, _ start: [UInt8]) -> [UInt8] {
      Array("OFSW".utf8) + [1, kind.rawValue] + start + count + Array(repeating: 0, count: 40)
    }
    let device = Array(repeating: 0 as UInt8, count: 16)
    try expect(.truncated) { _ = try PushRequest(body: body(.pushRequest, device + [0, 0])) }
    try expect(.truncated) { _ = try PushResponse(body: body(.pushResponse, [0, 0])) }
    try expect(.truncated) { _ = try PullRequest(body: body(.pullRequest, device + [0, 0, 0, 1])) }
    try expect(.truncated) { _ = try PullResponse(body: body(.pullResponse, [0, 0, 0])) }
    try expect(.truncated) { _ = try PullResponse(body: body(.pullResponse, [0, 0, 0, 0])) }
  }
}
