import Foundation
import OffshoreHTTP

/// The time and the identifier of a request.
struct Arrival: Sendable {
  /// The client's `X-Request-ID` if it is well-formed, or else a random UUID.
  let id: String
  let time: ContinuousClock.Instant

  init(_ request: Request) {
    time = .now
    id =
      request.headers["X-Request-ID"].flatMap { Self.isWellFormed($0) ? $0 : nil }
      ?? UUID().uuidString.lowercased()
  }

  private static func isWellFormed(_ id: String) -> Bool {
    1...64 ~= id.utf8.count
      && id.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_.".utf8.contains(byte)
      }
  }
}
