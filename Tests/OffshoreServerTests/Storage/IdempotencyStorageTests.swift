import OffshoreWire
import Testing

@testable import OffshoreServer

/// The behaviour of idempotency records that all storages share.
struct IdempotencyStorageTests {
  @Test(arguments: StorageKind.allCases)
  func `Records are found by their keys, replaced, and removed once they expire`(kind: StorageKind)
    async throws
  {
    let log = try kind.storage()
    try await log.write { log in
      let records = try (0..<3).map { (number: UInt8) in
        IdempotencyRecord(
          key: Secret.sample(number).hash, request: Secret.sample(9).hash,
          scope: try Lists.scope(), row: Lists.task("\(number)"), expires: 500 + Int64(number))
      }
      for record in records { try log.setIdempotencyRecord(record) }
      for record in records { #expect(try log.idempotencyRecord(record.key) == record) }
      let other = IdempotencyRecord(
        key: records[2].key, request: Secret.sample(8).hash, scope: try Lists.scope("2"),
        row: Lists.list("2"), expires: 900)
      try log.setIdempotencyRecord(other)
      try log.removeIdempotencyRecords(at: 501)
      #expect(try log.idempotencyRecord(records[0].key) == nil)
      #expect(try log.idempotencyRecord(records[1].key) == nil)
      #expect(try log.idempotencyRecord(other.key) == other)
    }
  }
}
