public import Foundation

/// The times and the size of an engine with a number of elements.
public struct EngineMeasurement: Equatable, Sendable {
  /// The measured engine.
  public let engine: StorageEngine
  /// The number of elements.
  public let count: Int
  /// The time to open the engine and to load all elements.
  public let load: Duration
  /// The time to save one of the elements.
  public let saveOne: Duration
  /// The time to load the elements of a month.
  public let month: Duration
  /// The size of all files.
  public let bytes: Int
}

/// The comparison of the engines of an app, as measured on this device.
///
/// ```swift
/// let comparison = EngineComparison(in: folder) { engine, folder, count in
///   try await fill(engine, folder, with: Trip.samples(count))
/// } load: { engine, folder in
///   let trips = try Trips(engine, in: folder)
///   let trip = try await trips.load()[0]
///   return EngineComparison.Steps { try await trips.save(trip.rated($0)) } month: {
///     _ = try await trips.load(in: trip.day.month)
///   }
/// }
/// let measured = try await comparison.measure(.files, count: 1_000)
/// ```
public struct EngineComparison: Sendable {
  /// The steps that are measured while an engine is open.
  public struct Steps: Sendable {
    fileprivate let saveOne: @Sendable (_ round: Int) async throws -> Void
    fileprivate let month: @Sendable () async throws -> Void

    /// Creates the steps.
    /// - Parameters:
    ///   - saveOne: Saves one of the elements, with another value in each round.
    ///   - month: Loads the elements of a month.
    public init(
      saveOne: @escaping @Sendable (_ round: Int) async throws -> Void,
      month: @escaping @Sendable () async throws -> Void
    ) {
      (self.saveOne, self.month) = (saveOne, month)
    }
  }

  /// The numbers of elements that apps compare.
  public static let counts = [10, 100, 1_000, 10_000]

  /// The number of measurements of which the median counts.
  private static let rounds = 5

  private let directory: URL
  private let clock: any Clock<Duration>
  private let fill: @Sendable (StorageEngine, URL, Int) async throws -> Void
  private let load: @Sendable (StorageEngine, URL) async throws -> Steps

  /// Creates a comparison.
  /// - Parameters:
  ///   - directory: A folder that does not exist. It is removed after each measurement.
  ///   - clock: The clock that measures.
  ///   - fill: Stores a number of elements in the folder, and closes the engine.
  ///   - load: Opens the engine, and loads all elements.
  public init(
    in directory: URL, clock: any Clock<Duration> = ContinuousClock(),
    fill: @escaping @Sendable (StorageEngine, URL, _ count: Int) async throws -> Void,
    load: @escaping @Sendable (StorageEngine, URL) async throws -> Steps
  ) {
    (self.directory, self.clock, self.fill, self.load) = (directory, clock, fill, load)
  }

  /// Measures an engine with a number of elements.
  /// - Throws: The error of a step, such as ``FileError`` or `DatabaseError`.
  public func measure(_ engine: StorageEngine, count: Int) async throws -> EngineMeasurement {
    defer { try? FileManager.default.removeItem(at: directory) }
    try await fill(engine, directory, count)
    let load = try await median { _ in _ = try await self.load(engine, directory) }
    let steps = try await self.load(engine, directory)
    let saveOne = try await median { try await steps.saveOne($0) }
    let month = try await median { _ in try await steps.month() }
    return EngineMeasurement(
      engine: engine, count: count, load: load, saveOne: saveOne, month: month, bytes: try size())
  }

  private func median(_ body: (_ round: Int) async throws -> Void) async throws -> Duration {
    var times: [Duration] = []
    for round in 1...Self.rounds {
      times.append(try await clock.measure { try await body(round) })
    }
    return times.sorted()[Self.rounds / 2]
  }

  private func size() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).reduce(0) { sum, name in
      let path = directory.appending(path: name).path
      return sum + (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
    }
  }
}
