public import Foundation

extension UUID {
  /// Derives a UUID from a name in a namespace. The result is the same on every device.
  ///
  /// Use it if a specification names such ids, or if the id column is a UUID; otherwise ``DerivedID``.
  ///
  /// If two devices can create the same row independently, they derive its id from the columns that
  /// identify it. Declare these columns as `idSource` of its ``SyncTable``:
  ///
  /// ```swift
  /// let seat = Seat(id: UUID(name: personID.uuidString, in: charterID), …)
  /// SyncTable(Seat.self, scope: …, idSource: [\.charterID, \.personID])
  /// ```
  ///
  /// It is a UUID of version 5: SHA-1 over the namespace's 16 bytes and the name's UTF-8
  /// (<https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-5>). The case of the name counts:
  /// `uuidString` is in upper case.
  public init(name: String, in namespace: UUID) {
    let space = withUnsafeBytes(of: namespace.uuid) { Array($0) }
    var bytes = Array(SHA1.digest(of: space + Array(name.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

/// The hash function of version 5 UUIDs. It must not be used for secrets.
///
/// See <https://www.rfc-editor.org/rfc/rfc3174>.
enum SHA1 {
  private static let blockSize = 64

  /// Returns the 20-byte digest of a message.
  static func digest(of message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    let padded = padded(message)
    for start in stride(from: 0, to: padded.count, by: blockSize) {
      add(block: padded[start..<(start + blockSize)], to: &state)
    }
    return state.flatMap { bytes(of: $0) }
  }

  /// Returns the message, followed by a 1 bit, zeros, and the message's length in bits as 64 bits.
  private static func padded(_ message: [UInt8]) -> [UInt8] {
    var bytes = message + [0x80]
    while bytes.count % blockSize != blockSize - 8 { bytes.append(0) }
    let bitCount = UInt64(message.count) * 8
    return bytes + Self.bytes(of: UInt32(bitCount >> 32))
      + Self.bytes(of: UInt32(truncatingIfNeeded: bitCount))
  }

  private static func bytes(of word: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
  }

  private static func add(block: ArraySlice<UInt8>, to state: inout [UInt32]) {
    let words = schedule(block)
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for (index, word) in words.enumerated() {
      let (mixed, constant) = round(index, b, c, d)
      let next = rotate(a, 5) &+ mixed &+ e &+ constant &+ word
      (a, b, c, d, e) = (next, a, rotate(b, 30), c, d)
    }
    for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
  }

  private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
      block[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<80 {
      words.append(
        rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
    }
    return words
  }

  private static func round(
    _ index: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32
  ) -> (mixed: UInt32, constant: UInt32) {
    switch index {
    case ..<20: (b & c | ~b & d, 0x5A82_7999)
    case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
    case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
    default: (b ^ c ^ d, 0xCA62_C1D6)
    }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
