import Foundation

/// The system's statistics of a socket.
enum SocketStatistics {
  /// Returns the number of bytes that have arrived since the connection began, read or unread.
  ///
  /// - Returns: `nil` if the system does not report it. Linux does
  ///   ([tcp(7)](https://man7.org/linux/man-pages/man7/tcp.7.html), `TCP_INFO`).
  static func receivedBytes(_ socket: Int32) -> UInt64? {
    #if os(Linux)
      // NB: The C library's `tcp_info` ends before this field, and the kernel's own header
      // conflicts with the C library's. The kernel only appends fields, so the offset of
      // `tcpi_bytes_received` is stable.
      let place = 128
      return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { information in
        var count = socklen_t(information.count)
        let result = getsockopt(
          socket, Int32(IPPROTO_TCP), TCP_INFO, information.baseAddress, &count)
        guard result == 0, Int(count) >= place + 8 else { return nil }
        return information.load(fromByteOffset: place, as: UInt64.self)
      }
    #else
      nil
    #endif
  }
}
