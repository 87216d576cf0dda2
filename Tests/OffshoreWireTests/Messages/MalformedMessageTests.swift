import TestSupport
import Testing

@testable import OffshoreWire

/// Messages with random changes. Each is refused, or is decoded to the message that its bytes
/// encode.
struct MalformedMessageTests {
  /// Changes, removes or inserts a few bytes.
  private func changed(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0...random.number(below: 3) {
      let place = random.number(below: bytes.count + 1)
      let count = min(random.number(below: 5), bytes.count - place)
      switch random.number(below: 6) {
      case 0: bytes.removeSubrange(place...)
      case 1: bytes.removeSubrange(place..<(place + count))
      case 2: bytes.insert(contentsOf: random.bytes(upTo: 6), at: place)
      case 3: bytes.insert(contentsOf: bytes[place..<(place + count)], at: place)
      default:
        guard place < bytes.count else { continue }
        bytes[place] =
          switch random.number(below: 4) {
          case 0: bytes[place] ^ (1 << UInt8(random.number(below: 8)))
          case 1: [0, 1, 0x7F, 0x80, 0xFF][random.number(below: 5)]
          case 2: bytes[place] &+ 1
          default: UInt8.random(in: .min ... .max, using: &random)
          }
      }
    }
    return bytes
  }

  /// Decodes a message. Checks that it encodes to the same bytes and that its numbers are in range.
  /// - Returns: `true`.
  /// - Throws: `WireError` if the bytes are malformed.
  private func read<Message: WireMessage & Counted>(
    _: Message.Type, _ bytes: [UInt8]
  ) throws(WireError) -> Bool {
    let message = try Message(body: bytes)
    let written = message.body
    if written != bytes { Issue.record("\(Message.self) of \(bytes) is written as \(written)") }
    for page in pages(of: message) {
      var apart = page
      apart.source = nil
      if apart.encoded() != page.encoded() { Issue.record("A page of \(bytes) is written anew") }
    }
    let isCounted = message.numbers.allSatisfy { 0...WireLimits.number ~= $0 }
    if !isCounted { Issue.record("\(Message.self) of \(bytes) has numbers \(message.numbers)") }
    return true
  }

  /// Returns the pages of an answer, which encode to the bytes that they were decoded from.
  private func pages(of message: some WireMessage) -> [RowPage] {
    (message as? PullResponse)?.scopes.compactMap {
      if case .page(let page) = $0.content { page.rows } else { nil }
    } ?? []
  }

  private func read(_ bytes: [UInt8], _ kind: WireKind) -> Bool {
    do throws(WireError) {
      return switch kind {
      case .pushRequest: try read(PushRequest.self, bytes)
      case .pushResponse: try read(PushResponse.self, bytes)
      case .pullRequest: try read(PullRequest.self, bytes)
      case .pullResponse: try read(PullResponse.self, bytes)
      case .problem: try read(WireProblem.self, bytes)
      }
    } catch {
      #expect((error.offset ?? 0) <= bytes.count)
      return false
    }
  }

  private func messages(_ random: inout SeededRandom) throws -> [(WireKind, [UInt8])] {
    try (0..<6).flatMap { _ in
      [
        (.pushRequest, try random.pushRequest().body),
        (.pushResponse, try random.pushResponse().body),
        (.pullRequest, try random.pullRequest().body),
        (.pullResponse, try random.pullResponse().body),
        (.pullResponse, try random.pullResponse().body),
        (.problem, random.problem().body),
      ]
    }
  }

  @Test(arguments: 0..<10)
  func `Ten thousand changed messages are refused, or encode to the same bytes`(seed: UInt64) throws
  {
    var random = SeededRandom(seed: 1_000 + seed)
    var readCount = 0
    for _ in 0..<20 {
      let messages = try messages(&random)
      for _ in 0..<500 {
        let (kind, bytes) = messages[random.number(below: messages.count)]
        if read(changed(bytes, &random), kind) { readCount += 1 }
      }
    }
    // A change of a value may go unnoticed, but most bytes of a message are not values.
    #expect(readCount < 5_000)
  }

  @Test func `A truncated message is refused, wherever it ends`() throws {
    var random = SeededRandom(seed: 31)
    for (kind, bytes) in try messages(&random) {
      for count in bytes.indices { #expect(!read(Array(bytes.prefix(count)), kind)) }
    }
  }

  @Test func `Random bytes are refused, or encode to the same bytes`() {
    var random = SeededRandom(seed: 32)
    let kinds: [WireKind] = [.pushRequest, .pushResponse, .pullRequest, .pullResponse, .problem]
    for number in 0..<5_000 {
      let kind = kinds[number % kinds.count]
      let bytes = Array("OFSW".utf8) + [1, kind.rawValue] + random.bytes(upTo: 60)
      _ = read(bytes, kind)
    }
  }
}
