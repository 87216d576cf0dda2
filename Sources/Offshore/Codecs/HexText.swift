public import Foundation

/// Hexadecimal text of UUIDs, without an allocation.
@usableFromInline
package enum HexText {
  /// The UUID that 36 characters spell, or `nil` where they spell none.
  @inlinable
  package static func uuid(_ text: UnsafeBufferPointer<UInt8>) -> UUID? {
    guard text.count == 36, text[8] == 45, text[13] == 45, text[18] == 45, text[23] == 45 else {
      return nil
    }
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    var invalid: UInt8 = 0
    withUnsafeMutableBytes(of: &bytes) { bytes in
      var position = 0
      for index in 0..<16 {
        if isAfterHyphen(index) { position &+= 1 }
        let high = value(of: text[position])
        let low = value(of: text[position &+ 1])
        invalid |= (high | low) & 0xF0
        bytes[index] = (high &<< 4) | (low & 0x0F)
        position &+= 2
      }
    }
    return invalid == 0 ? UUID(uuid: bytes) : nil
  }

  /// Calls a closure with the 36 upper-case characters of a UUID.
  @inlinable
  package static func withText(of value: UUID, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
      withUnsafeBytes(of: value.uuid) { bytes in
        var position = 0
        for index in 0..<16 {
          if isAfterHyphen(index) {
            text[position] = 45
            position &+= 1
          }
          text[position] = digit(for: bytes[index] &>> 4)
          text[position &+ 1] = digit(for: bytes[index] & 0x0F)
          position &+= 2
        }
      }
      body(UnsafeBufferPointer(text))
    }
  }

  @inlinable @inline(__always)
  static func isAfterHyphen(_ byte: Int) -> Bool {
    byte == 4 || byte == 6 || byte == 8 || byte == 10
  }

  /// The value of an ASCII character as a hexadecimal digit; above 15 where it is none.
  @inlinable @inline(__always)
  static func value(of character: UInt8) -> UInt8 {
    // Without a branch: which digit comes next cannot be predicted.
    let decimal = character &- 48
    let letter = (character | 0x20) &- 97
    let isDecimal: UInt8 = decimal < 10 ? 0xFF : 0
    let isLetter: UInt8 = letter < 6 ? 0xFF : 0
    return (decimal & isDecimal) | ((letter &+ 10) & isLetter) | ~(isDecimal | isLetter) & 0xF0
  }

  /// The upper-case hexadecimal digit for a value below 16.
  @inlinable @inline(__always)
  static func digit(for value: UInt8) -> UInt8 {
    value &+ 48 &+ (((9 &- value) &>> 7) &* 7)
  }
}
