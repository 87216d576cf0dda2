extension String {
  /// The text of some bytes, or `nil` where they are not UTF-8.
  ///
  /// `String(validating:as:)` says the same; it is generic, and takes three times as long.
  init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    var text = String(decoding: bytes, as: UTF8.self)
    // What is not UTF-8 was repaired, and has other bytes.
    let isSame = text.withUTF8 { own in
      own.count == bytes.count && own.indices.reduce(0) { $0 | (own[$1] ^ bytes[$1]) } == 0
    }
    guard isSame else { return nil }
    self = text
  }
}
