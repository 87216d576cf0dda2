/// The percent-encoding of paths, forms, and cookies.
enum PercentEncoding {
  /// Decodes UTF-8 text.
  /// - Returns: `nil` if an escape is incomplete, or if the bytes are not UTF-8 or contain NUL.
  static func decode(_ bytes: some Collection<UInt8>) -> String? {
    guard bytes.contains(UInt8(ascii: "%")) else { return text(bytes) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var iterator = bytes.makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = iterator.next().flatMap(ASCII.hexadecimal),
        let low = iterator.next().flatMap(ASCII.hexadecimal)
      else { return nil }
      decoded.append(high << 4 | low)
    }
    return text(decoded)
  }

  /// Decodes any bytes: invalid escapes are retained, and bytes that are not UTF-8 become U+FFFD.
  static func decodeLeniently(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String {
    let bytes = Array(bytes)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = ASCII.hexadecimal(bytes[index + 1]),
        let low = ASCII.hexadecimal(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        let isSpace = plusIsSpace && bytes[index] == UInt8(ascii: "+")
        decoded.append(isSpace ? UInt8(ascii: " ") : bytes[index])
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Escapes each byte of a text that is not allowed unescaped.
  static func encode(_ text: String, allowed: (UInt8) -> Bool) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if allowed(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String? {
    bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }
}
