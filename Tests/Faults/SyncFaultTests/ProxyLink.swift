import Foundation
import Synchronization
import TestSupport

/// A connection through a proxy: two sockets, with a thread for each direction.
final class ProxyLink: Sendable {
  private let client: Socket
  private let server: Socket
  private let fate: Fate
  private let replay: @Sendable ([UInt8]) -> Void
  /// The number of open directions. The last one closes the sockets, so descriptors are not reused
  /// early.
  private let open = Mutex(2)

  init(
    _ client: Socket, _ server: Socket, _ fate: Fate, replay: @escaping @Sendable ([UInt8]) -> Void
  ) {
    (self.client, self.server, self.fate, self.replay) = (client, server, fate, replay)
  }

  /// Forwards bytes in both directions until either side ends.
  func start(_ ended: @escaping @Sendable () -> Void) {
    Thread { [self] in
      var requests = RequestReader()
      carry(client, server, limit: fate.limitUp, ended) { bytes in
        guard fate.isReplayed else { return }
        for request in requests.take(bytes) { replay(request) }
      }
    }.start()
    Thread { [self] in carry(server, client, limit: fate.limitDown, ended) { _ in } }.start()
  }

  /// Ends the connection at once.
  func cut() {
    open.withLock { count in
      guard count > 0 else { return }
      client.shut()
      server.shut()
    }
  }

  private func carry(
    _ source: Socket, _ target: Socket, limit: Int, _ ended: () -> Void,
    _ note: ([UInt8]) -> Void
  ) {
    var left = limit
    while case let bytes = source.read(), !bytes.isEmpty {
      // The delay is the injected fault; the test does not depend on its length.
      if fate.delay > 0 { Thread.sleep(forTimeInterval: Double(fate.delay) / 1_000) }
      guard target.write(bytes.prefix(left)), bytes.count <= left else { break }
      left -= bytes.count
      note(bytes)
    }
    cut()
    end(ended)
  }

  private func end(_ ended: () -> Void) {
    let isLast = open.withLock { count in
      count -= 1
      if count == 0 {
        client.close()
        server.close()
      }
      return count == 0
    }
    if isLast { ended() }
  }
}

/// A parser that finds complete POST requests in the bytes of a client.
struct RequestReader {
  private var bytes: [UInt8] = []

  /// Appends bytes.
  /// - Returns: the POST requests that these bytes complete.
  mutating func take(_ more: [UInt8]) -> [[UInt8]] {
    bytes += more
    var found: [[UInt8]] = []
    while let end = Data(bytes).range(of: Data("\r\n\r\n".utf8))?.upperBound {
      let head = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
      let length =
        head.split(separator: "\r\n")
        .first { $0.hasPrefix("content-length:") }
        .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
      guard bytes.count >= end + length else { break }
      if head.hasPrefix("post") { found.append(Array(bytes[..<(end + length)])) }
      bytes.removeFirst(end + length)
    }
    return found
  }
}
