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

/// The classes of ASCII characters in the grammar of HTTP.
enum ASCII {
  static func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

  static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercased(byte)
  }

  /// Returns whether a byte may be in a token
  /// (<https://www.rfc-editor.org/rfc/rfc9110#name-tokens>).
  static func isTokenByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLetter(byte) || tokenMarks.contains(byte)
  }

  /// Returns a text without spaces and tabs at its ends.
  static func trimmed(_ text: Substring) -> String {
    String(decoding: trimmed(text.utf8), as: UTF8.self)
  }

  /// Returns bytes without spaces and tabs at their ends.
  static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
    var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return bytes
  }

  /// Returns the value of a hexadecimal digit, or `nil` for any other byte.
  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)
}
