import Foundation

/// The bytes of a file, of which only a part is in memory at a time.
final class ByteInput {
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  private var position = 0
  private var end = 0
  /// The number of the current line, from 1.
  private(set) var line = 1

  /// Opens a file.
  /// - Throws: ``DatabaseError`` with code `cannotOpen` if it does not exist or is not readable.
  init(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw DatabaseError(
        .cannotOpen, "The file to import cannot be opened. Check that it exists and is readable.")
    }
    try skipByteOrderMark()
  }

  deinit { close(descriptor) }

  /// Returns the next byte without consuming it; `nil` at the end.
  func peek() throws -> UInt8? {
    if position == end { try fill() }
    return position < end ? buffer[position] : nil
  }

  /// Consumes the next byte and returns it; `nil` at the end.
  func next() throws -> UInt8? {
    guard let byte = try peek() else { return nil }
    position += 1
    if byte == 0x0A { line += 1 }
    return byte
  }

  /// Consumes and appends bytes until a closure rejects one, or a line ends. It stops at the end of
  /// the buffer, too.
  func consume(into bytes: inout [UInt8], while isPart: (UInt8) -> Bool) throws {
    guard try peek() != nil else { return }
    let start = position
    while position < end, buffer[position] != 0x0A, isPart(buffer[position]) { position += 1 }
    bytes.append(contentsOf: buffer[start..<position])
  }

  /// Consumes and appends the bytes before a given byte or a line's end. It stops at the end of the
  /// buffer, too.
  func consume(into bytes: inout [UInt8], before byte: UInt8) throws {
    guard try peek() != nil else { return }
    buffer.withUnsafeBytes { buffer in
      let rest = UnsafeRawBufferPointer(rebasing: buffer[position..<end])
      let line = rest[..<Self.offset(of: 0x0A, in: rest)]
      let found = line[..<Self.offset(of: byte, in: UnsafeRawBufferPointer(rebasing: line))]
      bytes.append(contentsOf: found)
      position += found.count
    }
  }

  private static func offset(of byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int {
    guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count) else {
      return bytes.count
    }
    return UnsafeRawPointer(found) - start
  }

  private func skipByteOrderMark() throws {
    try fill()
    if buffer[..<end].starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private func fill() throws {
    position = 0
    end = 0
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw DatabaseError(
          .inputOutput,
          "The file to import cannot be read (\(String(cString: strerror(errno)))). Check the disk."
        )
      }
      end = count
      return
    }
  }
}
