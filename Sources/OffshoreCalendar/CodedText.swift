/// Functions that code values as their texts.
enum CodedText {
  /// Decodes a value from its text.
  static func decode<Value: LosslessStringConvertible>(
    from decoder: any Decoder, expected: String
  ) throws -> Value {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Value(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "Expected \(expected), found “\(text)”.")
    }
    return value
  }

  /// Encodes a value as its text.
  static func encode(_ value: some LosslessStringConvertible, to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value.description)
  }
}

/// Functions for numbers of fixed widths in texts such as `2027-06-12`.
enum Digits {
  /// Formats a number with leading zeros.
  static func text(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Parses the numbers in a text, which must have exactly these widths and a separator in between;
  /// `nil` for any other text.
  static func numbers(
    _ text: String, _ widths: [Int], separator: Character
  ) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == widths.count else { return nil }
    var numbers: [Int] = []
    for (part, width) in zip(parts, widths) {
      // NB: `Int` also parses a sign.
      guard part.utf8.count == width, part.utf8.allSatisfy({ (48...57).contains($0) }),
        let number = Int(part)
      else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}
