public import Foundation

/// The hexadecimal text of UUIDs, converted without an allocation, eight digits at a time.
@usableFromInline
package enum HexText {
  /// Parses a UUID from 36 characters; returns `nil` if they are not a UUID.
  @inlinable
  package static func uuid(_ text: UnsafeBufferPointer<UInt8>) -> UUID? {
    guard text.count == 36, text[8] == 45, text[13] == 45, text[18] == 45, text[23] == 45 else {
      return nil
    }
    let text = UnsafeRawBufferPointer(text)
    var invalid: UInt64 = 0
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { bytes in
      store(packed(four(text, 0) | four(text, 4) &<< 32, &invalid), bytes, 0)
      store(packed(four(text, 9) | four(text, 14) &<< 32, &invalid), bytes, 4)
      store(packed(four(text, 19) | four(text, 24) &<< 32, &invalid), bytes, 8)
      store(packed(four(text, 28) | four(text, 32) &<< 32, &invalid), bytes, 12)
    }
    return invalid == 0 ? UUID(uuid: bytes) : nil
  }

  /// Calls a closure with the 36 uppercase characters of a UUID.
  @inlinable
  package static func withText(of value: UUID, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 36, alignment: 1) { text in
      withUnsafeBytes(of: value.uuid) { bytes in
        let parts = (
          spelled(four(bytes, 0)), spelled(four(bytes, 4)), spelled(four(bytes, 8)),
          spelled(four(bytes, 12))
        )
        store(parts.0, text, 0)
        store(parts.0 &>> 32, text, 4)
        store(parts.1, text, 9)
        store(parts.1 &>> 32, text, 14)
        store(parts.2, text, 19)
        store(parts.2 &>> 32, text, 24)
        store(parts.3, text, 28)
        store(parts.3 &>> 32, text, 32)
      }
      text[8] = 45
      text[13] = 45
      text[18] = 45
      text[23] = 45
      text.withMemoryRebound(to: UInt8.self) { body(UnsafeBufferPointer($0)) }
    }
  }

  /// Returns four bytes as a number, the first byte lowest.
  @inlinable @inline(__always)
  static func four(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// Stores four bytes, the lowest one first.
  @inlinable @inline(__always)
  static func store(_ four: UInt64, _ bytes: UnsafeMutableRawBufferPointer, _ offset: Int) {
    bytes.storeBytes(
      of: UInt32(truncatingIfNeeded: four).littleEndian, toByteOffset: offset, as: UInt32.self)
  }

  // MARK: - Eight digits at once

  /// Parses eight hexadecimal digits as four bytes. If one character is not a digit, a bit of
  /// `invalid` is set.
  @inlinable @inline(__always)
  static func packed(_ text: UInt64, _ invalid: inout UInt64) -> UInt64 {
    // No byte below 128 plus one of these constants carries into the next byte.
    let low = text & (ones &* 0x7F)
    let lower = low | (ones &* 0x20)
    let isDecimal = (low &+ (ones &* (0x80 - 0x30))) & ~(low &+ (ones &* (0x80 - 0x3A)))
    let isLetter = (lower &+ (ones &* (0x80 - 0x61))) & ~(lower &+ (ones &* (0x80 - 0x67)))
    let high = ones &* 0x80
    invalid |= (text & high) | (~(isDecimal | isLetter) & high)
    var bytes = (text & (ones &* 0x0F)) &+ ((isLetter & high) &>> 7) &* 9
    bytes = ((bytes &<< 4) | (bytes &>> 8)) & 0x00FF_00FF_00FF_00FF
    bytes = (bytes | (bytes &>> 8)) & 0x0000_FFFF_0000_FFFF
    return bytes | (bytes &>> 16)
  }

  /// Returns the eight uppercase digits of four bytes.
  @inlinable @inline(__always)
  static func spelled(_ four: UInt64) -> UInt64 {
    var bytes = (four | (four &<< 16)) & 0x0000_FFFF_0000_FFFF
    bytes = (bytes | (bytes &<< 8)) & 0x00FF_00FF_00FF_00FF
    let digits = ((bytes &>> 4) | (bytes &<< 8)) & (ones &* 0x0F)
    let isLetter = ((digits &+ (ones &* 0x76)) &>> 7) & ones
    return digits &+ (ones &* 0x30) &+ isLetter &* 7
  }

  /// A one in each byte.
  @inlinable @inline(__always)
  static var ones: UInt64 { 0x0101_0101_0101_0101 }
}
