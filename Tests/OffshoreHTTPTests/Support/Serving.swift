import OffshoreHTTP
import TestSupport
import Testing

/// Starts a server, runs a test with its port, and stops it.
func serving<Result>(
  _ configuration: HTTPServer.Configuration = .forTests, _ handler: @escaping Handler,
  _ body: (UInt16) async throws -> Result
) async throws -> Result {
  try await serving(HTTPServer(configuration, handler: handler), body)
}

func serving<Result>(
  _ server: HTTPServer, _ body: (UInt16) async throws -> Result
) async throws -> Result {
  let port = try server.start()
  do {
    let result = try await body(port)
    await server.stop()
    return result
  } catch {
    await server.stop()
    throw error
  }
}

extension HTTPServer.Configuration {
  /// Long deadlines, so that a busy machine does not fail an unrelated test.
  static var forTests: HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration()
    configuration.headerDeadline = .seconds(60)
    configuration.bodyDeadline = .seconds(60)
    return configuration
  }
}

/// The two ways to a router: the same tests pass for both.
enum Transport: CaseIterable, CustomTestStringConvertible {
  case inProcess
  case loopback

  var testDescription: String { self == .inProcess ? "in process" : "over loopback" }

  func respond(_ router: Router, to request: Request) async throws -> Response {
    switch self {
    case .inProcess: await router.respond(to: request)
    case .loopback:
      try await serving(HTTPServer(.forTests, router: router)) { port in
        try await onThread {
          var client = try RawClient(port: port)
          client.send(request)
          return try client.response(isHead: request.method == .head)
        }
      }
    }
  }
}

/// Malformed versions of valid inputs, the same in every run with the same seed.
struct Mutations {
  private var random: SeededRandom
  private let seeds: [[UInt8]]

  /// Bytes that parsers treat differently.
  private static let awkward: [UInt8] =
    Array("%+&=;:,\"\\/?# \t\r\n\0".utf8) + [0x7F, 0x80, 0xC0, 0xFF]

  init(seed: UInt64, of seeds: [String]) {
    random = SeededRandom(seed: seed)
    self.seeds = seeds.map { Array($0.utf8) }
  }

  mutating func next() -> [UInt8] {
    var bytes = random.pick(seeds)
    for _ in 0..<(1 + random.number(below: 6)) { mutate(&bytes) }
    return bytes
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let index = random.number(below: bytes.count + 1)
    switch random.number(below: 6) {
    case 0: bytes.insert(random.pick(Self.awkward), at: index)
    case 1: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
    case 2 where index < bytes.count: bytes[index] = random.pick(Self.awkward)
    case 3 where index < bytes.count: bytes.remove(at: index)
    case 4: bytes.removeLast(bytes.count - index)
    default:
      bytes.insert(
        contentsOf: bytes[index...].prefix(random.number(below: 20)),
        at: random.number(below: bytes.count + 1))
    }
  }
}
