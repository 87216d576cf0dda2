import Offshore

extension Booking {
  /// A file of ours and one of the baseline's, each with an empty table.
  ///
  /// Neither waits for the disk: that takes both the same time, and hides what differs.
  static func connections(
    in folder: BenchFolder
  ) throws -> (ours: Connection, baseline: BaselineConnection) {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    let ours = try Connection(folder.file("ours.sqlite"), configuration: configuration)
    try ours.execute(SQL(raw: creation))
    let baseline = try BaselineConnection(folder.file("baseline.sqlite"))
    try baseline.execute(creation)
    return (ours, baseline)
  }
}
