import Foundation
import OffshoreWire

/// A request that was sound before something of it was changed.
struct MutatedRequest {
  let bytes: [UInt8]
  /// Whether its head may be changed, so that a server may not even find its end.
  let isRaw: Bool

  /// A sound request.
  struct Sound {
    let method: String
    let path: String
    let type: String
    let body: [UInt8]

    init(_ method: String, _ path: String, json: String) {
      (self.method, self.path, type, body) = (method, path, "application/json", Array(json.utf8))
    }

    init(_ path: String, _ message: some WireMessage) {
      (method, self.path, type) = ("POST", path, WireProtocol.contentType)
      body = message.body
    }
  }

  /// Bytes that parsers treat in their own ways.
  private static let awkward: [UInt8] =
    Array("%+&=;:,\"\\/?# \t\r\n\0{}[]0-".utf8) + [0x7F, 0x80, 0xC0, 0xFF]

  /// - Parameter address: where it says that it comes from.
  init(
    _ sound: Sound, token: String, address: String, using random: inout SeededRandom
  ) {
    var (body, token, address) = (sound.body, Array(token.utf8), Array(address.utf8))
    let kind = random.number(below: 10)
    isRaw = kind == 9
    switch kind {
    case 0..<7: Self.mutate(&body, &random)
    case 7: Self.mutate(&token, &random)
    case 8: Self.mutate(&address, &random)
    default: break
    }
    let lineEnds = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    token.removeAll(where: lineEnds.contains)
    address.removeAll(where: lineEnds.contains)
    var bytes = Array(
      """
      \(sound.method) \(sound.path) HTTP/1.1\r
      Host: localhost\r
      Connection: close\r
      Content-Type: \(sound.type)\r
      Content-Length: \(body.count)\r
      Authorization: Bearer 
      """.utf8)
    bytes += token + lineEnds + Array("X-Forwarded-For: ".utf8) + address + lineEnds + lineEnds
    bytes += body
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
