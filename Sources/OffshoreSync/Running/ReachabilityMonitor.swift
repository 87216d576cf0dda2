/// A source of the network's state, as far as the system knows it.
public protocol ReachabilityMonitor: Sendable {
  /// Returns a stream of whether a network is available: the current state, then each change.
  ///
  /// The stream ends with the task that reads it.
  func reachability() -> AsyncStream<Bool>
}

#if os(Linux)
  import Dispatch
  import Foundation

  /// A monitor for Linux, which checks the network interfaces after each change of links, addresses
  /// or routes.
  ///
  /// The kernel reports the changes (<https://man7.org/linux/man-pages/man7/rtnetlink.7.html>). A
  /// network is available if an interface other than the loopback is up and has an address that
  /// reaches beyond its own link. Whether the server can be reached is left to requests.
  public struct NetlinkMonitor: ReachabilityMonitor {
    private let look: @Sendable () -> Bool

    /// Creates a monitor of this machine's interfaces.
    public init() { look = Interfaces.hasNetwork }

    /// Creates a monitor that calls a closure instead of checking the interfaces, for tests.
    init(look: @escaping @Sendable () -> Bool) { self.look = look }

    public func reachability() -> AsyncStream<Bool> {
      let (states, continuation) = AsyncStream.makeStream(
        of: Bool.self, bufferingPolicy: .bufferingNewest(1))
      guard let socket = RouteSocket() else {
        // Without reports of changes the state would become outdated. So the network counts as
        // available, and requests find out.
        continuation.yield(true)
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

  private enum Interfaces {
    /// Returns whether an interface reaches beyond its own link.
    @Sendable static func hasNetwork() -> Bool {
      var list: UnsafeMutablePointer<ifaddrs>?
      // If the interfaces cannot be listed, requests find out.
      guard getifaddrs(&list) == 0 else { return true }
      defer { freeifaddrs(list) }
      var next = list
      while let interface = next?.pointee {
        if reachesOtherHosts(interface) { return true }
        next = interface.ifa_next
      }
      return false
    }

    private static func reachesOtherHosts(_ interface: ifaddrs) -> Bool {
      let flags = interface.ifa_flags
      guard flags & UInt32(IFF_UP) != 0, flags & UInt32(IFF_RUNNING) != 0,
        flags & UInt32(IFF_LOOPBACK) == 0, let address = interface.ifa_addr
      else { return false }
      switch Int32(address.pointee.sa_family) {
      case AF_INET: return true
      case AF_INET6:
        // A link-local address (fe80::/10) reaches only its own link
        // (<https://www.rfc-editor.org/rfc/rfc4291#section-2.5.6>).
        return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
          withUnsafeBytes(of: pointer.pointee.sin6_addr) {
            !($0[0] == 0xFE && $0[1] & 0xC0 == 0x80)
          }
        }
      default: return false
      }
    }
  }
#endif
