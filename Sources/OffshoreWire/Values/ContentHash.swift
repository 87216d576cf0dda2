import CSodium

/// The BLAKE2b hash of some bytes, 32 bytes long.
///
/// See <https://www.rfc-editor.org/rfc/rfc7693>. No two contents with the same hash are known.
public struct ContentHash: Hashable, Sendable {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// The number of bytes of a hash.
  package static let byteCount = 32

  /// Hashes some bytes.
  public init(of content: [UInt8]) { bytes = BLAKE2b.hash(content, byteCount: Self.byteCount) }

  /// Creates a hash from its 32 bytes.
  /// - Throws: `WireError` with the code `invalidName` if there are not 32 bytes.
  public init(bytes: [UInt8]) throws(WireError) {
    guard bytes.count == Self.byteCount else {
      throw WireError(.invalidName, "A content hash has 32 bytes, not \(bytes.count).")
    }
    self.bytes = bytes
  }
}

extension ContentHash {
  /// Parses the text that ``description`` returns.
  /// - Returns: `nil` for anything but 64 hexadecimal digits in lower case.
  package init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      default: nil
      }
    }
    guard text.utf8.count == 2 * Self.byteCount, digits.count == text.utf8.count else { return nil }
    bytes = (0..<Self.byteCount).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
  }
}

extension ContentHash: CustomStringConvertible {
  /// The bytes as 64 hexadecimal digits.
  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// The hash function of libsodium.
enum BLAKE2b {
  /// Whether libsodium has chosen the fastest code for this processor, which it does once.
  private static let isReady = sodium_init() >= 0

  /// Returns the hash of some bytes.
  /// - Precondition: `byteCount` is 16 to 64.
  static func hash(_ content: [UInt8], byteCount: Int) -> [UInt8] {
    // The hash is the same if libsodium could not be initialized, only slower.
    _ = isReady
    var hash = [UInt8](repeating: 0, count: byteCount)
    let code = crypto_generichash(&hash, byteCount, content, UInt64(content.count), nil, 0)
    precondition(code == 0, "BLAKE2b makes 16 to 64 bytes. Ask for as many.")
    return hash
  }

  /// Returns the first eight bytes of the 16-byte hash, as a little-endian number.
  static func hash64(_ content: [UInt8]) -> UInt64 {
    hash(content, byteCount: 16).withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self))
    }
  }
}

/// The encoding has the 32 bytes.
extension ContentHash: WireCodable {
  package static var leastByteCount: Int { byteCount }

  package func encode(into writer: inout WireWriter) { writer.raw(bytes) }

  package init(from reader: inout WireReader) throws(WireError) {
    try self.init(bytes: try reader.raw(Self.byteCount))
  }
}
