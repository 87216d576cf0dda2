import Foundation
import TestSupport
import Testing

@testable import Offshore

/// The costs of the watch, measured in separate processes without other work.
@Suite(.timeLimit(.minutes(1)))
struct FileWatcherTests {
  /// The names in a folder, such as the descriptors of this process.
  private static func entries(_ folder: String) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder))
  }

  /// The voluntary context switches of each thread of the databases, by its number.
  private static func switches() throws -> [String: Int] {
    var switches: [String: Int] = [:]
    for thread in try entries("/proc/self/task") {
      let path = "/proc/self/task/\(thread)/status"
      // A thread of the system may end meanwhile.
      let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
      guard lines.first?.contains("offshore.") == true else { continue }
      let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches") }
      switches[thread] = line?.split(separator: "\t").last.flatMap { Int($0) }
    }
    return switches
  }

  /// Waits actively, so that other threads can run.
  private static func spin(for duration: Duration = .seconds(60), until isOver: () -> Bool) {
    let end = ContinuousClock.now + duration
    while !isOver(), ContinuousClock.now < end { sched_yield() }
  }

  @Test func `A database with observations but no writes causes no wake-ups`() async {
    await #expect(processExitsWith: .success) {
      let shared = try await SharedCharters()
      let second = try Database(shared.path)
      var values = [shared.database.names(), second.names()].map { $0.makeAsyncIterator() }
      for index in values.indices { _ = try await values[index].next() }
      try await second.write { try $0.run("UPDATE charters SET name = 'x'") }
      for index in values.indices { _ = try await values[index].next() }
      let loop = try #require(FileWatcher.shared.loop)
      var isQuiet = false
      // On a busy machine an event may not be read yet, or a thread not be idle yet.
      for _ in 0..<10 where !isQuiet {
        FileWatcherTests.spin { loop.isIdle }
        let (wakeUps, before) = (loop.wakeUpCount, try FileWatcherTests.switches())
        FileWatcherTests.spin(for: .seconds(1)) { false }
        // At least the watch, a writer and a reader: the system may not show each name.
        isQuiet =
          try before.count >= 3 && FileWatcherTests.switches() == before
          && loop.wakeUpCount == wakeUps
      }
      #expect(isQuiet)
      for values in values { withExtendedLifetime(values) {} }
    }
  }

  @Test func `Many writes of this process wake the watch a few times`() async {
    await #expect(processExitsWith: .success) {
      let shared = try await SharedCharters()
      let loop = try #require(FileWatcher.shared.loop)
      let start = ContinuousClock.now
      for _ in 0..<5000 {
        try await shared.database.write { try $0.run("INSERT INTO notes VALUES ('x')") }
      }
      let duration = ContinuousClock.now - start
      // A pause of 40 ms after each but the first few.
      #expect(Double(loop.wakeUpCount) < duration / .milliseconds(35) + 10)
      await shared.database.close()
    }
  }

  @Test func `Many databases that were opened and closed leave no resources`() async {
    await #expect(processExitsWith: .success) {
      func openAndClose() async throws {
        let shared = try await SharedCharters()
        let second = try Database(shared.path)
        var values = second.names().makeAsyncIterator()
        _ = try await values.next()
        await shared.database.close()
        await second.close()
        FileWatcher.shared.threads.wait()
      }
      try await openAndClose()
      let (descriptors, threads) = (
        try FileWatcherTests.entries("/proc/self/fd"),
        try FileWatcherTests.entries("/proc/self/task")
      )
      for _ in 0..<50 { try await openAndClose() }
      #expect(FileWatcher.shared.loop == nil)
      #expect(try FileWatcherTests.entries("/proc/self/fd").count == descriptors.count)
      FileWatcherTests.spin {
        (try? FileWatcherTests.entries("/proc/self/task").count) ?? 0 <= threads.count
      }
      #expect(try FileWatcherTests.entries("/proc/self/task").count <= threads.count + 2)
    }
  }

  @Test
  func `Without a watch the database reports the reason, and looks for commits when it is used`()
    async
  {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.file("a.sqlite")
      var opened: Database?
      while opened?.watchError == nil {
        await opened?.close()
        // The database has three files; the watch would need a further descriptor.
        opened = try? FileWatcherTests.withDescriptors(3) {
          try Database(path, configuration: .quick)
        }
      }
      let database = try #require(opened)
      #expect(FileWatcher.shared.loop == nil)
      #expect(
        database.watchError?.message
          == "The system refuses a watch of the file (Too many open files), so commits of other "
          + "processes are noticed only when the database is used. Raise "
          + "fs.inotify.max_user_instances, fs.inotify.max_user_watches, or the limit of open files, "
          + "and open the database again.")
      try await database.write { try $0.run(Charter.creation) }
      var names = database.names().makeAsyncIterator()
      #expect(try await names.next() == [])
      let other = try OtherProcess(database.path)
      try await other.commit(
        "INSERT INTO charters VALUES ('7B4E0B4E-6C4F-4F0E-8D6B-000000000001', 'Alma', NULL, 0, 4)")
      try await database.read { _ in }
      #expect(try await names.next() == ["Alma"])
      try await other.commit("DELETE FROM charters")
      try await database.write { _ in }
      #expect(try await names.next() == [])
      await other.end()
      try FileManager.default.removeItem(atPath: database.path + "-wal")
      await #expect(throws: DatabaseError.fileRemoved) { try await database.read { _ in } }
      await database.close()
    }
  }

  /// Runs a closure while the process can open only a limited number of files.
  private static func withDescriptors<Result>(
    _ count: Int, _ body: () throws -> Result
  ) throws -> Result {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var low = limit
    low.rlim_cur = 256
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &low)
    var descriptors: [Int32] = []
    while case let descriptor = dup(0), descriptor >= 0 { descriptors.append(descriptor) }
    for descriptor in descriptors.suffix(count) { close(descriptor) }
    defer {
      for descriptor in descriptors.dropLast(count) { close(descriptor) }
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    return try body()
  }
}

struct WatchPaceTests {
  /// Returns the waits after each of some ends of waits, until only an event ends the wait.
  private func waits(_ pace: inout WatchPace, _ ends: (hasEvents: Bool, hasForeignCommits: Bool)...)
    -> [WatchPace.Wait]
  {
    ends.map { end in
      pace.waited(hasEvents: end.hasEvents, hasForeignCommits: end.hasForeignCommits)
      return pace.next
    }
  }

  private func pause(_ milliseconds: Int) -> WatchPace.Wait {
    WatchPace.Wait(atMost: .milliseconds(milliseconds), ignoresEvents: true)
  }

  private func delay(_ milliseconds: Int) -> WatchPace.Wait {
    WatchPace.Wait(atMost: .milliseconds(milliseconds))
  }

  private let nothing = (hasEvents: false, hasForeignCommits: false)
  private let events = (hasEvents: true, hasForeignCommits: false)
  private let foreignCommit = (hasEvents: true, hasForeignCommits: true)

  @Test func `Without an event no wait has an end time`() {
    let pace = WatchPace()
    #expect(pace.isIdle)
    #expect(pace.next == WatchPace.Wait(atMost: nil))
  }

  @Test func `After an event, files are checked seven times, and then no more`() {
    var pace = WatchPace()
    let after = waits(
      &pace, events, nothing, nothing, nothing, nothing, nothing, nothing, nothing)
    #expect(
      after == [
        pause(5), delay(20), delay(60), delay(120), delay(200), delay(400), delay(800),
        WatchPace.Wait(atMost: nil),
      ])
    #expect(pace.isIdle)
  }

  @Test func `Events without commits make pauses that grow to 40 ms`() {
    var pace = WatchPace()
    let after = waits(&pace, events, events, events, events, events)
    #expect(after == [pause(5), pause(10), pause(20), pause(40), pause(40)])
  }

  @Test func `A commit makes the pauses short again`() {
    var pace = WatchPace()
    let after = waits(&pace, events, events, foreignCommit, events)
    #expect(after == [pause(5), pause(10), pause(5), pause(10)])
  }

  @Test func `An event between two checks restarts them`() {
    var pace = WatchPace()
    let after = waits(&pace, events, nothing, nothing, events, nothing)
    #expect(after == [pause(5), delay(20), delay(60), pause(10), delay(20)])
  }
}
