import Foundation
import OffshoreCalendar
import OffshoreFiles
import ShiftScheduler

/// Saves 1,000 records as a file, against `JSONEncoder`, `fsync` and `rename` by hand.
struct SaveFile: Job {
  let name = "files-save"
  let goal = Goal.timeRatio(must: 1.2, aim: 1.1)

  private let count = 1_000
  private let limit = 20.0

  func measure(in folder: BenchFolder) async throws -> Measurement {
    var shifts = (0..<count).map { number in
      ScheduledShift(shiftTypeID: UUID(), date: .first + (740_000 + number), note: "Ward \(number)")
    }
    try FileManager.default.createDirectory(
      atPath: folder.file("hand"), withIntermediateDirectories: true)
    let collection = JSONCollection<ScheduledShift>(folder.file("files") + "/shifts.json")
    _ = try await collection.load()
    var round = 0
    var measurement = try await Measurement.interleaved {
      round += 1
      for index in shifts.indices { shifts[index].overtimeMinutes = round % 1_000 }
    } ours: {
      try await collection.replaceAll(shifts)
    } baseline: {
      try saveByHand(shifts, in: folder.file("hand"))
    }
    measurement.counts["median over \(Int(limit)) ms"] = .init(
      found: measurement.ours.median < limit ? 0 : 1, expected: 0)
    try expect(try await collection.reload() == shifts, "all shifts")
    return measurement
  }

  /// Replaces a file durably, and keeps a copy of it, as the collection does.
  private func saveByHand(_ shifts: [ScheduledShift], in folder: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    let data = try encoder.encode(shifts)
    try write(data, to: folder + "/shifts.json", isDurable: true)
    try write(data, to: folder + "/shifts.json.backup", isDurable: false)
  }

  private func write(_ data: Data, to path: String, isDurable: Bool) throws {
    let new = path + ".new"
    let file = open(new, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    let count = data.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
    try expect(count == data.count, "a written file")
    if isDurable { fsync(file) }
    rename(new, path)
    guard isDurable else { return }
    let folder = URL(filePath: path).deletingLastPathComponent().path
    let parent = open(folder, O_RDONLY | O_DIRECTORY)
    fsync(parent)
    close(parent)
  }
}
