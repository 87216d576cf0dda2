import OffshoreHTTP
import TestSupport
import Testing

/// The memory that bodies and responses occupy together.
struct MemoryBudgetTests {
  @Test func `A client has a share, and leaves the rest to others`() {
    let budget = MemoryBudget(bytes: 100 << 20, bytesPerClient: 40 << 20)
    let (first, second) = (budget.reservation(for: "a"), budget.reservation(for: "a"))
    #expect(first.resize(to: 30 << 20))
    #expect(!second.resize(to: 20 << 20))
    #expect(second.resize(to: 10 << 20))
    #expect(budget.reservation(for: "b").resize(to: 30 << 20))
  }

  @Test func `Small reservations succeed after large ones no longer do`() {
    let budget = MemoryBudget(bytes: 100 << 20, bytesPerClient: 100 << 20)
    let held = budget.reservation(for: "a")
    #expect(held.resize(to: 70 << 20))
    let other = budget.reservation(for: "b")
    #expect(!other.resize(to: 10 << 20))
    #expect(other.resize(to: 100 << 10))
  }

  @Test func `Bodies that arrive in small parts leave room for small requests`() {
    let budget = MemoryBudget(bytes: 100 << 20, bytesPerClient: 100 << 20)
    let slow = (0..<20).map { budget.reservation(for: "\($0)") }
    for count in stride(from: 1 << 16, through: 8 << 20, by: 1 << 16) {
      for reservation in slow { _ = reservation.resize(to: count) }
    }
    #expect(budget.reservedBytes > 70 << 20 && budget.reservedBytes <= 75 << 20)
    #expect(budget.reservation(for: "b").resize(to: 100 << 10))
  }

  @Test func `Bytes are free again when a reservation ends or shrinks`() {
    let budget = MemoryBudget(bytes: 10 << 20, bytesPerClient: 10 << 20)
    do {
      let reservation = budget.reservation(for: "a")
      #expect(reservation.resize(to: 5 << 20))
      #expect(reservation.resize(to: 1 << 20))
      #expect(budget.reservedBytes == 1 << 20)
    }
    #expect(budget.reservedBytes == 0)
  }

  @Test func `A server answers 503 to a body that exceeds a client's share, and goes on`()
    async throws
  {
    var configuration = HTTPServer.Configuration.forTests
    configuration.maximumHeldBytesPerClient = 100_000
    configuration.maximumHeldBytes = 1_000_000
    let statuses = try await serving(configuration) { _ in
      .noContent
    } _: { port in
      try await onThread {
        try [200_000, 50_000, 10].map { count in
          var client = try RawClient(port: port)
          client.send(Request(.post, "/", body: [UInt8](repeating: 65, count: count)))
          return try client.response().status
        }
      }
    }
    #expect(statuses == [.serviceUnavailable, .noContent, .noContent])
  }

  /// NB: The system buffers some MiB for a client that does not read, so a large answer stays held.
  @Test(.timeLimit(.minutes(1)))
  func `A server answers 503 when clients that do not read hold the memory of answers`()
    async throws
  {
    var configuration = HTTPServer.Configuration.forTests
    configuration.maximumHeldBytes = 64 << 20
    let server = HTTPServer(configuration) { _ in
      Response(.ok, body: .bytes([UInt8](repeating: 65, count: 12 << 20)))
    }
    try await serving(server) { port in
      try await onThread {
        let silent = (0..<6).compactMap { _ in Socket(to: port, receiveBuffer: 4_096, timeout: 60) }
        let starts = silent.map { socket in
          _ = socket.write(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
          return String(decoding: socket.read(upTo: 12), as: UTF8.self)
        }
        let (sent, refused) = ("HTTP/1.1 200", "HTTP/1.1 503")
        #expect(starts == [sent, sent, sent, sent, refused, refused])
        #expect(48 << 20...64 << 20 ~= server.heldBytes)
        var other = try RawClient(port: port)
        other.send(Request(.get, "/"))
        let response = try other.response()
        #expect(response.status == .serviceUnavailable && response.headers["Retry-After"] == "2")
        for socket in silent { socket.close() }
        var status = response.status
        while status == .serviceUnavailable {
          other.send(Request(.get, "/"))
          status = try other.response().status
        }
        #expect(status == .ok)
      }
    }
  }
}
