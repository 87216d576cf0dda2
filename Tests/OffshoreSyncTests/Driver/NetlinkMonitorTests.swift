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
      for isReachable in [true, false] {
        var states = NetlinkMonitor { isReachable }.reachability().makeAsyncIterator()
        #expect(await states.next() == isReachable)
      }
    }

    @Test(.enabled(if: mayChange, "It takes the superuser and ip to give a link an address."))
    func `Each added or removed address makes the monitor check the interfaces`() async throws {
      let looks = Counter()
      let monitor = NetlinkMonitor {
        looks.add()
        return true
      }
      var states = monitor.reachability().makeAsyncIterator()
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
        let task = _Concurrency.Task { for await _ in NetlinkMonitor().reachability() {} }
        task.cancel()
        await task.value
      }
      // Other tests open files meanwhile, and sockets are closed with a delay.
      while try Self.openFiles() > before + 200 { await _Concurrency.Task.yield() }
    }

    private static func openFiles() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    private static func change(_ change: String) -> Bool {
      let arguments = ["address", change, "192.0.2.77/32", "dev", "lo"]
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
