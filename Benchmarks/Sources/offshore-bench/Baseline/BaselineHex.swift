import Foundation

/// UUIDs as text, encoded and decoded without a branch per digit and without an allocation.
enum BaselineHex {
  @inline(__always)
  static func uuid(_ text: UnsafeBufferPointer<UInt8>) -> UUID? {
    guard text.count == 36, text[8] == 45, text[13] == 45, text[18] == 45, text[23] == 45 else {
      return nil
    }
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    var invalid: UInt8 = 0
    withUnsafeMutableBytes(of: &bytes) { bytes in
      var position = 0
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 { position &+= 1 }
        let (high, low) = (value(text[position]), value(text[position &+ 1]))
        invalid |= (high | low) & 0xF0
        bytes[index] = high &<< 4 | low & 15
        position &+= 2
      }
    }
    return invalid == 0 ? UUID(uuid: bytes) : nil
  }

  @inline(__always)
  static func write(_ value: UUID, to text: UnsafeMutableBufferPointer<UInt8>) {
    withUnsafeBytes(of: value.uuid) { bytes in
      var position = 0
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          text[position] = 45
          position &+= 1
        }
        text[position] = digit(bytes[index] &>> 4)
        text[position &+ 1] = digit(bytes[index] & 15)
        position &+= 2
      }
    }
  }

  @inline(__always)
  private static func value(_ character: UInt8) -> UInt8 {
    let decimal = character &- 48
    let letter = (character | 0x20) &- 97
    let isDecimal: UInt8 = decimal < 10 ? 0xFF : 0
    let isLetter: UInt8 = letter < 6 ? 0xFF : 0
    return (decimal & isDecimal) | ((letter &+ 10) & isLetter) | ~(isDecimal | isLetter) & 0xF0
  }

  @inline(__always)
  private static func digit(_ value: UInt8) -> UInt8 {
    value &+ 48 &+ (((9 &- value) &>> 7) &* 7)
  }
}
