import CZlib

/// The gzip format (<https://www.rfc-editor.org/rfc/rfc1952>), in which HTTP encodes bodies.
package enum Gzip {
  /// The minimum number of bytes for which a body is compressed.
  package static let threshold = 1_024

  /// Compresses bytes, by default for speed rather than size.
  /// - Parameter room: the maximum number of bytes of the result, or `nil` for no limit.
  /// - Returns: `nil` if memory is short, or if the result has more bytes than `room`.
  package static func compress(
    _ bytes: [UInt8], level: Int32 = 1, room: Int? = nil
  ) -> [UInt8]? {
    var stream = z_stream()
    guard bytes.count <= Int(UInt32.max), offshore_deflate_init(&stream, level) == Z_OK else {
      return nil
    }
    defer { deflateEnd(&stream) }
    let room = room ?? Int(deflateBound(&stream, UInt(bytes.count)))
    var result = Z_OK
    let compressed = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      result = bytes.withUnsafeBufferPointer { input in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(clamping: room)
        return deflate(&stream, Z_FINISH)
      }
      count = room - Int(stream.avail_out)
    }
    return result == Z_STREAM_END ? compressed : nil
  }

  /// Returns the length that the last four bytes announce for the content, from 0 to 4 GiB, or 0 if
  /// there are none (<https://www.rfc-editor.org/rfc/rfc1952>, ISIZE).
  package static func announcedLength(of bytes: [UInt8]) -> Int {
    bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Decompresses bytes.
  /// - Parameter limit: the maximum number of bytes of the result, beyond which decompression
  ///   stops.
  /// - Throws: `WireError` with the code `tooLarge` if the result exceeds the limit or memory is
  ///   short, `malformed` if the bytes are not in the gzip format.
  package static func decompress(_ bytes: [UInt8], limit: Int) throws(WireError) -> [UInt8] {
    var stream = z_stream()
    guard bytes.count <= Int(UInt32.max), offshore_inflate_init(&stream) == Z_OK else {
      throw WireError(.tooLarge, "There is no memory for the body. Send less at once.")
    }
    defer { inflateEnd(&stream) }
    var output: [UInt8] = []
    var isAtEnd = false
    while !isAtEnd {
      // One byte beyond the limit shows whether the content exceeds it.
      let room = min(max(4 * bytes.count, output.count, 4_096), limit + 1 - output.count)
      let (part, result) = inflated(bytes, &stream, room)
      output += part
      guard output.count <= limit else {
        throw WireError(
          .tooLarge, "A body has \(limit) bytes at the most, once it is decompressed.")
      }
      isAtEnd = result == Z_STREAM_END
      guard isAtEnd || result == Z_OK && !part.isEmpty else { throw damaged }
    }
    guard stream.avail_in == 0, stream.total_in == bytes.count else { throw damaged }
    return output
  }

  /// Decompresses the next part, from the current place of the stream.
  private static func inflated(
    _ bytes: [UInt8], _ stream: inout z_stream, _ room: Int
  ) -> (part: [UInt8], result: Int32) {
    var result = Z_OK
    let part = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      bytes.withUnsafeBufferPointer { input in
        let rest = input.dropFirst(Int(stream.total_in))
        stream.next_in = UnsafeMutablePointer(
          mutating: rest.isEmpty
            ? input.baseAddress : UnsafeBufferPointer(rebasing: rest).baseAddress)
        stream.avail_in = UInt32(rest.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(room)
        result = inflate(&stream, Z_NO_FLUSH)
      }
      count = room - Int(stream.avail_out)
    }
    return (part, result)
  }

  private static var damaged: WireError {
    WireError(.malformed, "The body is not gzip from beginning to end. Send it again.")
  }
}
