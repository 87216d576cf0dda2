import Offshore

/// A failure during a write of a device.
enum Mishap {
  /// The device stops before the write is committed.
  case crash
  /// The disk is full.
  case fullDisk

  struct Crash: Error {}
}

extension Schedule {
  /// Runs a write of a device, which may fail.
  /// - Returns: The closure's result, or `nil` if the write failed as intended.
  func write<Result>(
    _ device: SimulatedDevice, _ mishap: Mishap?, _ body: (Writer) throws -> Result
  ) throws -> Result? {
    switch mishap {
    case nil: return try device.connection.write(body)
    case .crash:
      do {
        try device.connection.write { writer in
          _ = try body(writer)
          throw Mishap.Crash()
        }
      } catch is Mishap.Crash {}
      count("fault.crash")
      trace.add("  \(device.name) stops in a write, and starts again")
      try device.restart()
      return nil
    case .fullDisk:
      do {
        return try device.withFullDisk {
          try device.connection.write { writer in
            let result = try body(writer)
            // Makes the file grow: a write that fits into its existing pages succeeds on a full
            // disk.
            try SQL("CREATE TABLE filler AS SELECT zeroblob(65536)").run(writer)
            return result
          }
        }
      } catch let error as DatabaseError where error.code == .diskFull {
        count("fault.fullDisk")
        trace.add("  \(device.name) has no room for a write")
        return nil
      }
    }
  }
}
