#if os(Linux)
  import Dispatch
  public import Foundation

  /// A monitor for Linux, which looks for the route to the server after each change of links, addresses
  /// or routes.
  ///
  /// The kernel reports the changes (<https://man7.org/linux/man-pages/man7/rtnetlink.7.html>). A route
  /// leads over an interface that is up. Whether the server answers is left to requests.
  public struct NetlinkMonitor: ReachabilityMonitor {
    private let look: @Sendable () -> NetworkConnection

    /// Creates a monitor of this machine's interfaces.
    /// - Parameter server: the server. By default, any network counts, except the loopback: an interface
    ///   that has an address which reaches beyond its own link.
    public init(to server: URL? = nil) {
      let route = NetworkRoute(to: server)
      look = { route.connection() }
    }

    /// Creates a monitor that calls a closure instead of looking for a route, for tests.
    init(look: @escaping @Sendable () -> NetworkConnection) { self.look = look }

    public func connections() -> AsyncStream<NetworkConnection> {
      let (states, continuation) = AsyncStream.makeStream(
        of: NetworkConnection.self, bufferingPolicy: .bufferingNewest(1))
      guard let socket = RouteSocket() else {
        // Without reports of changes the state would become outdated. So the network counts as
        // available, and requests find out.
        continuation.yield(.ethernet)
        return states
      }
      let watch = RouteWatch(socket) { [look] in continuation.yield(look()) }
      // After the subscription, so that no change in between is missed.
      watch.reportNow()
      continuation.onTermination = { _ in watch.cancel() }
      return states
    }
  }

  /// A socket that the kernel writes to when links, addresses or routes change.
  private struct RouteSocket {
    let descriptor: Int32

    /// The groups of <linux/rtnetlink.h>: links, and the addresses and routes of both versions of
    /// IP.
    private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400

    init?() {
      let type =
        Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      descriptor = socket(AF_NETLINK, type, 0)
      guard descriptor >= 0 else { return nil }
      // A `sockaddr_nl`: the family and two bytes of padding, 0 for a port that the kernel chooses,
      // and the groups.
      var address: [UInt32] = [UInt32(UInt16(AF_NETLINK)).littleEndian, 0, Self.groups]
      let size = socklen_t(address.count * MemoryLayout<UInt32>.size)
      let isBound = address.withUnsafeMutableBytes { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) { pointer in
          pointer.baseAddress.map { bind(descriptor, $0, size) == 0 } ?? false
        }
      }
      guard isBound else {
        close()
        return nil
      }
    }

    /// Reads and discards all messages. They may be outdated, so the interfaces are checked
    /// instead.
    func drain() {
      var buffer = [UInt8](repeating: 0, count: 8_192)
      while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
    }

    func close() { Glibc.close(descriptor) }
  }

  /// A subscription to a socket, which calls a closure whenever the socket becomes readable.
  private struct RouteWatch: @unchecked Sendable {  // Any thread may use a dispatch source.
    private let source: any DispatchSourceRead
    private let queue: DispatchQueue
    private let changed: @Sendable () -> Void

    init(_ socket: RouteSocket, _ changed: @escaping @Sendable () -> Void) {
      queue = DispatchQueue(label: "offshore.network")
      self.changed = changed
      source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
      source.setEventHandler {
        socket.drain()
        changed()
      }
      source.setCancelHandler { socket.close() }
      source.activate()
    }

    /// Calls the closure as for a change, in order with other calls.
    func reportNow() { queue.async(execute: changed) }

    func cancel() { source.cancel() }
  }
#endif
