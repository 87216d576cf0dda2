import Foundation
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

extension AttackTests {
  /// Rows beside a large file, over a slow link with a queue, as a modem has one: all bytes that a device
  /// or the server sends at once delay the bytes after them.
  struct FileDelayTests {
    private static let bytesPerSecond = 256_000
    private static let rows = isSoak ? 100 : 15
    private static let fileBytes = isSoak ? 48 << 20 : 10 << 20

    @Test(.timeLimit(.minutes(10)), arguments: [true, false])
    func `A file that is sent or fetched over a slow link delays rows by less than 100 ms`(
      isSent: Bool
    ) async throws {
      let server = try await AttackedServer(FilingDevice.schema.manifest)
      let person = try await server.signUp("ida")
      let link = try NarrowLink(
        to: server.port,
        NarrowLink.Properties(bytesPerSecond: Self.bytesPerSecond, queue: Self.bytesPerSecond))
      let writer = try await FilingDevice(isSent ? link.url : server.url, of: person)
      let reader = try await FilingDevice(isSent ? server.url : link.url, of: person)
      let cabinet = UUID()
      let file = try await writer.store.files.add(Self.content)
      if !isSent {
        try await writer.add(Sheet(id: UUID(), cabinetID: cabinet, scan: file.text))
        try await writer.wait(for: file, toBe: .here)
      }
      // The first row opens connections.
      _ = try await Self.durations(1, from: writer, to: reader, in: cabinet)
      let without = try await Self.durations(Self.rows, from: writer, to: reader, in: cabinet)

      if isSent {
        try await writer.add(Sheet(id: UUID(), cabinetID: cabinet, scan: file.text))
      } else {
        #expect(try await reader.store.fetch(file))
      }
      let with = try await Self.durations(Self.rows, from: writer, to: reader, in: cabinet)
      // Otherwise the file was too small for the test.
      let status = try await isSent ? writer.status(of: file) : reader.status(of: file)
      #expect(status == .sending || status == .arriving)
      print("rows: \(without.median) without a file, \(with.median) with one")
      #expect(with.median - without.median < .milliseconds(100))
      for device in [writer, reader] { await device.end() }
      try await server.stop()
    }

    /// Returns the times between the insertions of rows on a device and their arrivals on another.
    private static func durations(
      _ count: Int, from writer: FilingDevice, to reader: FilingDevice, in cabinet: UUID
    ) async throws -> [Duration] {
      var durations: [Duration] = []
      for _ in 0..<count {
        let sheet = Sheet(id: UUID(), cabinetID: cabinet)
        let start = ContinuousClock.now
        try await writer.add(sheet)
        try await reader.wait(for: sheet.id)
        durations.append(start.duration(to: .now))
      }
      return durations
    }

    private static var content: [UInt8] {
      var random = SeededRandom(seed: 3)
      let block = (0..<(64 << 10)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      return Array(repeatElement(block, count: fileBytes / block.count).joined())
    }
  }
}
