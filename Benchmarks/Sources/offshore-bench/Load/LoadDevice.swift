import Foundation
import OffshoreWire

/// The pushes of one device, prepared in advance so that the load costs little beside the server.
struct LoadDevice {
  /// The number of devices.
  static let count = 64

  private let number: Int
  private let token: String
  private let device = DeviceID(UUID())
  private var lastBatch: Int64 = 0

  /// - Parameter number: The number of the device.
  init(_ number: Int, of server: LoadServer) {
    self.number = number
    token = server.tokens[number]
  }

  static func scope(_ number: Int) throws -> ScopeID {
    try ScopeID(kind: "charter", value: "charter-\(number)")
  }

  /// Returns the bytes of requests that insert this many rows each in the device's scope.
  mutating func requests(_ count: Int, rowsEach: Int) throws -> [[UInt8]] {
    try (0..<count).map { _ in
      lastBatch += 1
      return request([try batch(Self.scope(number), number: lastBatch, rowsEach)])
    }
  }

  /// Returns the bytes of requests that insert rows in many scopes, numbered from 0.
  func requests(scopes: Int, rowsEach: Int) throws -> [[UInt8]] {
    try stride(from: 0, to: scopes, by: 50).map { first in
      let numbers = first..<min(first + 50, scopes)
      return request(try numbers.map { try batch(Self.scope($0), number: 1, rowsEach) })
    }
  }

  private func batch(_ scope: ScopeID, number: Int64, _ rows: Int) throws -> Batch {
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let ops = Errand.rows(rows).map { errand in
      var errand = errand
      errand.charterID = scope.value
      return Op(
        .put, RowID(table: "errands", id: errand.id.uuidString),
        fields: errand.synced(seq: 1).state.fields, stamp: Stamp(milliseconds: now, device: device))
    }
    return Batch(scope, number: number, id: UUID(), ops: ops)
  }

  private func request(_ batches: [Batch]) -> [UInt8] {
    let body = PushRequest(device: device, epoch: 0, manifestVersion: 1, batches: batches).body
    let head = """
      POST /v1/push HTTP/1.1\r
      Host: 127.0.0.1\r
      Authorization: Bearer \(token)\r
      Content-Type: \(WireProtocol.contentType)\r
      Content-Length: \(body.count)\r
      \r

      """
    return Array(head.utf8) + body
  }
}
