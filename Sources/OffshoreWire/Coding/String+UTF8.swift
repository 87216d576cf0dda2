extension String {
  /// Creates the text of some bytes, or `nil` if they are not UTF-8.
  ///
  /// `String(validating:as:)` has the same result. It is generic, and takes three times as long.
  init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    var text = String(decoding: bytes, as: UTF8.self)
    // Bytes that are not UTF-8 were repaired, so the text has other bytes.
    let isSame = text.withUTF8 { own in
      own.count == bytes.count && own.indices.reduce(0) { $0 | (own[$1] ^ bytes[$1]) } == 0
    }
    guard isSame else { return nil }
    self = text
  }
}
