import Testing

@testable import Offshore

struct ObservationScheduleTests {
  private func effect(
    rows: Set<String> = [], columns: [String: Set<String>] = [:], onlyAdds: Bool = false,
    schema: Bool = false
  ) -> Effect {
    Effect(
      rows: rows, columns: columns, onlyAdds: onlyAdds, changesSchema: schema, hidesRows: false)
  }

  private func update(_ number: UInt64, _ column: String, rows: [Int64]? = nil) -> ChangeSet {
    ChangeSet(
      number: number,
      [
        UncommittedChange(
          effect: effect(columns: ["charters": [column]]),
          rows: rows.map { [TouchedTable(name: "charters", rowIDs: $0)] })
      ])
  }

  private func insertion(_ number: UInt64, into table: String = "charters") -> ChangeSet {
    ChangeSet(
      number: number, [UncommittedChange(effect: effect(rows: [table], onlyAdds: true), rows: [])])
  }

  private func region(_ columns: String...) -> Region {
    var region = Region()
    for column in columns { region.insert(table: "charters", column: column) }
    return region
  }

  private func region(row: Int64) -> Region {
    var region = Region()
    region.insert(Region.RowReference(table: "charters", rowID: row), columns: ["id", "name"])
    return region
  }

  /// Creates a schedule with one idle fetch for each region, numbered from 0.
  private func schedule(_ regions: Region...) -> ObservationSchedule {
    var schedule = ObservationSchedule()
    for (id, region) in regions.enumerated() {
      schedule.add(id)
      _ = schedule.start(id)
      _ = schedule.finish(id, region: region)
    }
    return schedule
  }

  /// Compares values outside of `#expect`, which cannot call mutating methods.
  private func expect<Value: Equatable>(
    _ value: Value, is expected: Value, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(value == expected, sourceLocation: location)
  }

  @Test func `A change of a column that was read queues the fetch, once until it runs`() {
    var schedule = schedule(region("name"))
    expect(schedule.committed(update(1, "name")).map(\.id), is: [0])
    expect(schedule.committed(update(2, "name")).map(\.id), is: [])
    expect(schedule.start(0), is: true)
  }

  @Test func `A change of another column queues no fetch`() {
    var schedule = schedule(region("name"))
    expect(schedule.committed(update(1, "guests")).map(\.id), is: [])
  }

  @Test func `An inserted row affects observers of the table, but not of a single row`() {
    var schedule = schedule(region(""), region(row: 7))
    expect(schedule.committed(insertion(1)).map(\.id), is: [0])
    expect(schedule.committed(insertion(2, into: "notes")).map(\.id), is: [])
  }

  @Test func `A change of named rows affects only the fetches that read one of them`() {
    var schedule = schedule(region(row: 7), region(row: 8), region("name"))
    let due = schedule.committed(update(1, "name", rows: [8]))
    #expect(Set(due.map(\.id)) == [1, 2])
  }

  @Test func `A change that names no rows affects every row`() {
    var schedule = schedule(region(row: 7), region(row: 8))
    expect(Set(schedule.committed(update(1, "name")).map(\.id)), is: [0, 1])
  }

  @Test func `A change of a row id affects every fetch that depends on one`() {
    var schedule = schedule(region(row: 7))
    expect(schedule.committed(update(1, "ROWID", rows: [9])).map(\.id), is: [0])
  }

  @Test func `A change of the schema affects every fetch`() {
    var schedule = schedule(region("name"), region(row: 7), Region())
    let change = ChangeSet(number: 1, [UncommittedChange(effect: effect(schema: true), rows: nil)])
    expect(schedule.committed(change).count, is: 3)
  }

  @Test func `A commit that may have changed anything affects every fetch`() {
    var schedule = schedule(region("name"), region(row: 7), Region())
    let change = ChangeSet(everythingBecause: "rows in another process")
    expect(schedule.start(0), is: false)
    let due = schedule.committed(change)
    #expect(Set(due.map(\.id)) == [0, 1, 2])
    #expect(Set(due.map(\.cause)) == ["rows in another process"])
    expect(schedule.start(0), is: true)
    expect(schedule.committed(change).map(\.id), is: [])
    expect(schedule.finish(0, region: region("name")), is: "rows in another process")
  }

  @Test func `Commits are processed in the order of their arrival, whatever their numbers are`() {
    var schedule = schedule(region("name"))
    expect(schedule.committed(update(9, "name")).map(\.id), is: [0])
    expect(schedule.start(0), is: true)
    expect(schedule.committed(update(8, "name")).map(\.id), is: [])
    expect(schedule.finish(0, region: region("name")) != nil, is: true)
    expect(schedule.start(0), is: true)
    expect(schedule.finish(0, region: region("name")) == nil, is: true)
  }

  @Test
  func `A commit during a fetch runs it again only if it changed data that was read`() {
    var schedule = ObservationSchedule()
    schedule.add(0)
    expect(schedule.start(0), is: true)
    expect(schedule.committed(update(1, "name")).map(\.id), is: [])
    expect(schedule.finish(0, region: region("name")) != nil, is: true)
    expect(schedule.start(0), is: true)
    expect(schedule.committed(update(2, "guests")).map(\.id), is: [])
    expect(schedule.finish(0, region: region("name")) == nil, is: true)
  }

  @Test func `A commit from before a fetch began does not run it again`() {
    var schedule = ObservationSchedule()
    schedule.add(0)
    schedule.add(1)
    expect(schedule.start(1), is: true)  // Keeps commits in memory.
    expect(schedule.committed(update(1, "name")).map(\.id), is: [])
    expect(schedule.start(0), is: true)
    expect(schedule.finish(0, region: region("name")) == nil, is: true)
  }

  @Test func `A fetch that now reads another column depends on that column only`() {
    var schedule = schedule(region("name"))
    _ = schedule.committed(update(1, "name"))
    _ = schedule.start(0)
    _ = schedule.finish(0, region: region("guests"))
    expect(schedule.committed(update(2, "name")).map(\.id), is: [])
    expect(schedule.committed(update(3, "guests")).map(\.id), is: [0])
  }

  @Test func `A fetch that was removed is not run, whatever its state was`() {
    var schedule = schedule(region("name"))
    schedule.add(1)
    schedule.add(2)
    _ = schedule.start(2)
    for id in 0...2 { schedule.remove(id) }
    expect(schedule.committed(update(1, "name")).map(\.id), is: [])
    expect(schedule.start(1), is: false)
    expect(schedule.finish(2, region: region("name")) == nil, is: true)
    #expect(schedule.count == 0)
  }

  @Test func `A fetch cannot run twice at a time`() {
    var schedule = ObservationSchedule()
    schedule.add(0)
    expect(schedule.start(0), is: true)
    expect(schedule.start(0), is: false)
    expect(schedule.queue(0), is: false)
  }

  @Test func `Commits are stored only while a fetch runs that may have missed them`() {
    var schedule = ObservationSchedule()
    for id in 0...1 { schedule.add(id) }
    _ = schedule.start(0)
    // One of the two runs at any time.
    for number in 1...100 {
      let (next, last) = (number % 2, (number + 1) % 2)
      _ = schedule.committed(update(UInt64(number), "guests"))
      _ = schedule.queue(next)
      expect(schedule.start(next), is: true)
      expect(schedule.finish(last, region: region("name")) == nil, is: true)
      #expect(schedule.recentCommitCount <= 1)
    }
    schedule.remove(0)
    #expect(schedule.recentCommitCount == 0)
  }

  @Test func `A commit that a long fetch missed is stored while shorter ones start and end`() {
    var schedule = ObservationSchedule()
    for id in 0...1 { schedule.add(id) }
    _ = schedule.start(0)
    _ = schedule.committed(update(1, "name"))
    _ = schedule.start(1)
    _ = schedule.finish(1, region: region("guests"))
    expect(schedule.finish(0, region: region("name")) != nil, is: true)
  }

  @Test func `A fetch that failed before it read still depends on what it read before`() {
    var schedule = schedule(region("name"))
    expect(schedule.committed(update(1, "name")).map(\.id), is: [0])
    _ = schedule.start(0)
    expect(schedule.finish(0, region: nil) == nil, is: true)
    expect(schedule.committed(update(2, "name")).map(\.id), is: [0])
  }
}
