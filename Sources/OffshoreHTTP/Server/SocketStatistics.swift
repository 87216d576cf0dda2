import Foundation

/// What the system counts of a connection.
enum SocketStatistics {
  /// How many bytes have arrived since the connection began, whether or not somebody read them.
  ///
  /// - Returns: `nil` where the system does not say. Linux does
  ///   ([tcp(7)](https://man7.org/linux/man-pages/man7/tcp.7.html), `TCP_INFO`).
  static func receivedBytes(_ socket: Int32) -> UInt64? {
    #if os(Linux)
      // NB: The C library's `tcp_info` ends before the field, and the kernel's own header clashes
      // with it. The kernel only adds to the end, so the place of `tcpi_bytes_received` is for good.
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
