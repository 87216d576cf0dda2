#if os(Linux)
  import Foundation

  /// The route from this machine to a host.
  struct NetworkRoute: Sendable {
    /// The name or address of the host, or `nil` for any other host.
    private let host: String?

    init(to server: URL?) {
      host = server?.host()?.trimmingCharacters(in: ["[", "]"])
    }

    /// Returns the kind of the connection by which the kernel sends to the host.
    ///
    /// It may wait for the address of a name. If that is not known, the connection to other hosts counts.
    func connection() -> NetworkConnection {
      // If the interfaces cannot be listed, requests find out.
      guard let interfaces = NetworkInterfaces() else { return .ethernet }
      guard let host else { return interfaces.outward }
      if let known = connection(to: host, Int32(AI_NUMERICHOST), interfaces) { return known }
      let isLocal = host == "localhost" || host.hasSuffix(".localhost")
      guard isLocal || interfaces.outward.isAvailable else { return .none }
      return connection(to: host, 0, interfaces) ?? interfaces.outward
    }

    /// - Returns: `nil` if the host has no known address.
    private func connection(
      to host: String, _ flags: Int32, _ interfaces: NetworkInterfaces
    ) -> NetworkConnection? {
      var hints = addrinfo()
      hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
      hints.ai_flags = flags
      var list: UnsafeMutablePointer<addrinfo>?
      // Any port has the same route.
      guard getaddrinfo(host, "9", &hints, &list) == 0 else { return nil }
      defer { freeaddrinfo(list) }
      var next = list
      while let address = next?.pointee {
        if let source = Self.source(to: address), case let kind = interfaces.kind(with: source),
          kind.isAvailable
        {
          return kind
        }
        next = address.ai_next
      }
      return NetworkConnection.none
    }

    /// Returns the address of this machine from which the kernel would send to another one, or `nil` if there
    /// is no route. Nothing is sent: the socket is one of datagrams.
    private static func source(to target: addrinfo) -> [UInt8]? {
      let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      let descriptor = socket(target.ai_family, type, 0)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      guard connect(descriptor, target.ai_addr, target.ai_addrlen) == 0 else { return nil }
      var storage = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      return withUnsafeMutablePointer(to: &storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          getsockname(descriptor, address, &size) == 0 ? NetworkInterfaces.bytes(address) : nil
        }
      }
    }
  }

  /// The interfaces of this machine that are up, and their addresses.
  struct NetworkInterfaces {
    private struct Entry {
      let address: [UInt8]
      let kind: NetworkConnection
    }

    private var entries: [Entry] = []

    /// - Returns: `nil` if they cannot be listed.
    init?() {
      var list: UnsafeMutablePointer<ifaddrs>?
      guard getifaddrs(&list) == 0 else { return nil }
      defer { freeifaddrs(list) }
      var next = list
      while let interface = next?.pointee {
        if let entry = Self.entry(interface) { entries.append(entry) }
        next = interface.ifa_next
      }
    }

    private static func entry(_ interface: ifaddrs) -> Entry? {
      let flags = interface.ifa_flags
      guard flags & UInt32(IFF_UP) != 0, flags & UInt32(IFF_RUNNING) != 0,
        let address = interface.ifa_addr, let bytes = bytes(address)
      else { return nil }
      let isLoopback = flags & UInt32(IFF_LOOPBACK) != 0
      return Entry(
        address: bytes,
        kind: isLoopback ? .loopback : kind(ofInterface: String(cString: interface.ifa_name)))
    }

    /// The connection to other hosts: that of an interface with an address that reaches beyond its own link.
    var outward: NetworkConnection {
      entries.first { $0.kind != .loopback && !Self.isLinkLocal($0.address) }?.kind ?? .none
    }

    /// Returns the kind of the interface with an address.
    func kind(with address: [UInt8]) -> NetworkConnection {
      if let entry = entries.first(where: { $0.address == address }) { return entry.kind }
      // All addresses of 127/8 are those of the loopback, which lists only one.
      return address.count == 4 && address[0] == 127 ? .loopback : .none
    }

    /// Returns whether an address (fe80::/10) reaches only its own link
    /// (<https://www.rfc-editor.org/rfc/rfc4291#section-2.5.6>).
    private static func isLinkLocal(_ address: [UInt8]) -> Bool {
      address.count == 16 && address[0] == 0xFE && address[1] & 0xC0 == 0x80
    }

    /// Returns the bytes of an address of IP, or `nil` for one of another family.
    static func bytes(_ address: UnsafePointer<sockaddr>) -> [UInt8]? {
      switch Int32(address.pointee.sa_family) {
      case AF_INET:
        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
          withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }
        }
      case AF_INET6:
        address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
          withUnsafeBytes(of: pointer.pointee.sin6_addr) { Array($0) }
        }
      default: nil
      }
    }

    /// Returns the kind of an interface other than the loopback, as the kernel describes it
    /// (<https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-class-net>).
    /// - Parameter folder: the folder with the descriptions of interfaces.
    static func kind(
      ofInterface name: String, in folder: String = "/sys/class/net"
    ) -> NetworkConnection {
      let files = FileManager.default
      let path = "\(folder)/\(name)"
      if ["wireless", "phy80211"].contains(where: { files.fileExists(atPath: "\(path)/\($0)") }) {
        return .wifi
      }
      let description = (try? String(contentsOfFile: "\(path)/uevent", encoding: .utf8)) ?? ""
      let isMobile = description.split(separator: "\n").contains("DEVTYPE=wwan")
      return isMobile || name.hasPrefix("wwan") ? .cellular : .ethernet
    }
  }
#endif
