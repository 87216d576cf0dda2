import Foundation
import OffshoreWire
import TestSupport

/// A valid request with one part changed at random.
struct MutatedRequest {
  let bytes: [UInt8]
  /// Whether the head may be changed too, so that a server may not even find its end.
  let isRaw: Bool

  /// A valid request.
  struct Sound {
    let method: String
    let path: String
    private(set) var headers: [(name: String, value: [UInt8])] = []
    private(set) var body: [UInt8] = []

    init(_ method: String, _ path: String, body: [UInt8] = []) {
      (self.method, self.path, self.body) = (method, path, body)
    }

    init(_ method: String, _ path: String, json: String) {
      self.init(method, path, body: Array(json.utf8))
      headers = [("Content-Type", Array("application/json".utf8))]
    }

    init(_ path: String, _ message: some WireMessage) {
      self.init("POST", path, body: message.body)
      headers = [("Content-Type", Array(WireProtocol.contentType.utf8))]
    }

    /// Returns the request with an additional header field.
    func with(_ name: String, _ value: String) -> Sound {
      var request = self
      request.headers.append((name, Array(value.utf8)))
      return request
    }

    /// The request with its body compressed.
    var compressed: Sound {
      var request = with("Content-Encoding", "gzip")
      request.body = Gzip.compress(body) ?? []
      return request
    }

    mutating func mutate(
      _ part: Part, _ change: (inout [UInt8]) -> Void, at place: Int
    ) {
      switch part {
      case .body: change(&body)
      case .header: change(&headers[place % headers.count].value)
      }
    }

    enum Part { case body, header }
  }

  /// Bytes with a special meaning for some parsers.
  private static let awkward: [UInt8] =
    Array("%+&=;:,\"\\/?# \t\r\n\0{}[]0-".utf8) + [0x7F, 0x80, 0xC0, 0xFF]

  /// - Parameter address: The client's address in `X-Forwarded-For`.
  init(
    _ sound: Sound, token: String, address: String, using random: inout SeededRandom
  ) {
    var (sound, token, address) = (sound, Array(token.utf8), Array(address.utf8))
    let kind = random.number(below: 12)
    isRaw = kind == 11
    switch kind {
    case 9: Self.mutate(&token, &random)
    case 10: Self.mutate(&address, &random)
    case 11: break
    default:
      let isBody = sound.headers.isEmpty || !sound.body.isEmpty && kind < 6
      let place = random.number(below: 8)
      sound.mutate(isBody ? .body : .header, { Self.mutate(&$0, &random) }, at: place)
    }
    var bytes = Array("\(sound.method) \(sound.path) HTTP/1.1\r\n".utf8)
    let fields: [(String, [UInt8])] =
      sound.headers + [
        ("Authorization", Array("Bearer ".utf8) + token), ("X-Forwarded-For", address),
        ("Host", Array("localhost".utf8)), ("Connection", Array("close".utf8)),
        ("Content-Length", Array("\(sound.body.count)".utf8)),
      ]
    for (name, value) in fields {
      let line = value.filter { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
      bytes += Array("\(name): ".utf8) + line + Array("\r\n".utf8)
    }
    bytes += Array("\r\n".utf8) + sound.body
    if isRaw { Self.mutate(&bytes, &random) }
    self.bytes = bytes
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    for _ in 0...random.number(below: 4) {
      let index = random.number(below: bytes.count + 1)
      switch random.number(below: 6) {
      case 0: bytes.insert(awkward[random.number(below: awkward.count)], at: index)
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
      case 2 where index < bytes.count: bytes[index] ^= 1 << random.number(below: 8)
      case 3 where index < bytes.count: bytes.remove(at: index)
      case 4: bytes.removeLast(bytes.count - index)
      default:
        let part = bytes[index...].prefix(random.number(below: 20))
        bytes.insert(contentsOf: part, at: random.number(below: bytes.count + 1))
      }
    }
  }
}
