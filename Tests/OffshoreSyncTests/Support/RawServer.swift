import Foundation
import OffshoreWire
import Synchronization

/// A server on a port of this machine that sends the same bytes to every client.
final class RawServer: Sendable {
  /// The server's action after it has sent the bytes.
  enum End { case close, hold }

  let port: UInt16
  private let listener: Int32
  private let held = Mutex<[Int32]>([])

  init(_ answer: [UInt8], then end: End) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    (self.listener, port) = (listener, UInt16(bigEndian: address.sin_port))
    Thread { [weak self] in
      while case let client = accept(listener, nil, nil), client >= 0 {
        Self.readHead(client)
        _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
        switch end {
        case .close: close(client)
        case .hold: self?.held.withLock { $0.append(client) }
        }
      }
      close(listener)
    }.start()
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    for client in held.withLock(\.self) { close(client) }
  }

  var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

  /// Reads to the end of the request's head, so that a close does not reset the connection.
  private static func readHead(_ client: Int32) {
    var (head, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
    while Data(head).range(of: Data("\r\n\r\n".utf8)) == nil {
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      head += buffer[..<count]
    }
  }
}
