import Foundation
import OffshoreFiles
import TestSupport
import Testing

@testable import ShiftScheduler

/// The comparison of the engines.
struct EngineComparisonTests {
  @Test(arguments: StorageEngine.allCases)
  func `An engine is measured with its files, which are removed`(
    _ engine: StorageEngine
  ) async throws {
    let folder = try TemporaryFolder()
    let comparison = EngineComparison(ofShiftsIn: URL(filePath: folder.file("engines")))
    let few = try await comparison.measure(engine, count: 10)
    let many = try await comparison.measure(engine, count: 1_000)
    #expect(few.engine == engine && few.count == 10 && many.count == 1_000)
    #expect(many.bytes > few.bytes && few.bytes > 0)
    for time in [many.load, many.saveOne, many.month] { #expect(time > .zero) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }
}
