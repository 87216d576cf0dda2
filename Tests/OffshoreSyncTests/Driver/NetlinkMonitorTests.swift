#if os(Linux)
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  @testable import OffshoreSync

  @Suite(.timeLimit(.minutes(5)))
  struct NetlinkMonitorTests {
    private static let tool = "/usr/sbin/ip"
    /// Whether this process may change addresses, which not every superuser may.
    private static let mayChange = change("add") && change("delete")

    @Test func `The present state is reported at once`() async {
      for connection in NetworkConnection.allCases {
        var states = NetlinkMonitor { connection }.connections().makeAsyncIterator()
        #expect(await states.next() == connection)
      }
    }

    @Test(arguments: ["http://127.0.0.1:8080", "http://127.0.0.9", "http://localhost:9"])
    func `A server on the same machine is reached by the loopback`(server: String) async {
      let monitor = NetlinkMonitor(to: URL(string: server))
      #expect(await monitor.connection() == .loopback)
    }

    @Test(.enabled(if: mayChange, "It takes the superuser and ip to give a link an address."))
    func `A change of the route to the server is reported`() async throws {
      let server = URL(string: "http://192.0.2.78:8080")
      var states = NetlinkMonitor(to: server).connections().makeAsyncIterator()
      #expect(await states.next() != .loopback)
      #expect(Self.change("add", "192.0.2.78"))
      while await states.next() != .loopback {}
      #expect(Self.change("delete", "192.0.2.78"))
      while await states.next() == .loopback {}
    }

    @Test func `The kind of an interface is that of its device`() throws {
      let folder = try TemporaryFolder()
      let files = FileManager.default
      for name in ["wlan0/wireless", "wlp2s0/phy80211", "eth0", "wwan0", "usb0", "usb1"] {
        try files.createDirectory(
          atPath: folder.file(name), withIntermediateDirectories: true)
      }
      let mobile = Data("INTERFACE=usb0\nDEVTYPE=wwan\n".utf8)
      #expect(files.createFile(atPath: folder.file("usb0/uevent"), contents: mobile))
      let cable = Data("INTERFACE=usb1\n".utf8)
      #expect(files.createFile(atPath: folder.file("usb1/uevent"), contents: cable))
      let expected: [String: NetworkConnection] = [
        "wlan0": .wifi, "wlp2s0": .wifi, "eth0": .ethernet, "wwan0": .cellular, "usb0": .cellular,
        "usb1": .ethernet,
      ]
      for (name, kind) in expected {
        #expect(NetworkInterfaces.kind(ofInterface: name, in: folder.file("")) == kind)
      }
    }

    @Test(.enabled(if: mayChange, "It takes the superuser and ip to give a link an address."))
    func `Each added or removed address makes the monitor check the interfaces`() async throws {
      let looks = Counter()
      let monitor = NetlinkMonitor {
        looks.add()
        return .ethernet
      }
      var states = monitor.connections().makeAsyncIterator()
      _ = await states.next()
      for change in ["add", "delete"] {
        let before = looks.count
        #expect(Self.change(change))
        while looks.count == before { _ = await states.next() }
      }
    }

    @Test func `A cancelled observation closes its socket`() async throws {
      let before = try Self.openFiles()
      for _ in 0..<400 {
        let task = _Concurrency.Task { for await _ in NetlinkMonitor().connections() {} }
        task.cancel()
        await task.value
      }
      // Other tests open files meanwhile, and sockets are closed with a delay.
      while try Self.openFiles() > before + 200 { await _Concurrency.Task.yield() }
    }

    private static func openFiles() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    private static func change(_ change: String, _ address: String = "192.0.2.77") -> Bool {
      let arguments = ["address", change, "\(address)/32", "dev", "lo"]
      return (try? TestProcess(tool, arguments, errors: .null))?.wait() == .exit(0)
    }
  }

  /// A thread-safe counter.
  private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }
#endif
