/// The numbers and texts in the bytes of a file. A place outside of the file has no value.
struct ByteReader {
  let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// The number of bytes.
  var count: Int { bytes.count }

  /// Returns the byte at a place, which counts from 0.
  func byte(at place: Int) -> Int? {
    guard place >= 0, place < count else { return nil }
    return Int(bytes[bytes.startIndex + place])
  }

  /// Returns a number of up to four bytes, the most significant one first.
  func bigEndian(_ size: Int, at place: Int) -> Int? {
    part(place, size)?.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns a number of up to four bytes, the least significant one first.
  func littleEndian(_ size: Int, at place: Int) -> Int? {
    part(place, size)?.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns whether a text of ASCII characters is at a place.
  func has(_ text: String, at place: Int) -> Bool {
    part(place, text.utf8.count)?.elementsEqual(text.utf8) ?? false
  }

  /// Returns bytes, if all of them exist.
  func part(_ place: Int, _ size: Int) -> ArraySlice<UInt8>? {
    guard place >= 0, size >= 0, place <= count - size else { return nil }
    let start = bytes.startIndex + place
    return bytes[start..<start + size]
  }
}
