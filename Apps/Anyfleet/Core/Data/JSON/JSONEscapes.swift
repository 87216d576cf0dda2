/// The escapes in strings of JSON: <https://www.rfc-editor.org/rfc/rfc8259#section-7>.
enum JSONEscapes {
  /// What a text between quotes, in UTF-8, stands for, or `nil` where an escape in it means nothing.
  static func resolved(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      guard let scalar = scalar(&rest), let encoded = UTF8.encode(scalar) else { return nil }
      result.append(contentsOf: encoded)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Consumes what follows a backslash.
  private static func scalar(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
    switch rest.popFirst() {
    case UInt8(ascii: "\""): "\""
    case UInt8(ascii: "\\"): "\\"
    case UInt8(ascii: "/"): "/"
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "f"): "\u{C}"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "t"): "\t"
    case UInt8(ascii: "u"): unicodeScalar(&rest)
    default: nil
    }
  }

  /// Consumes four digits, and the second half where they are the first one of a surrogate pair.
  private static func unicodeScalar(
    _ rest: inout Slice<UnsafeBufferPointer<UInt8>>
  ) -> Unicode.Scalar? {
    guard let unit = codeUnit(&rest) else { return nil }
    // Half of a pair alone is no scalar.
    guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
    guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
      let second = codeUnit(&rest), UTF16.isTrailSurrogate(second)
    else { return nil }
    return UTF16.decode(UTF16.EncodedScalar([unit, second]))
  }

  private static func codeUnit(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> UInt16? {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = rest.popFirst(),
        let value = Character(Unicode.Scalar(digit)).hexDigitValue
      else { return nil }
      unit = unit << 4 | UInt16(value)
    }
    return unit
  }
}
