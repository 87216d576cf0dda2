import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import OffshoreHost

/// Phones whose program is a script of the test.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct PhoneTests {
  private let folder: FaultFolder

  init() throws { folder = try FaultFolder() }

  /// - Parameters:
  ///   - script: the program of the phone.
  ///   - sleep: suspends for the delay before a restart.
  private func phone(
    running script: String,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
  ) throws -> Phone {
    let path = folder.file("phone.sh")
    try Data("cd '\(folder.path)'\n\(script)\n".utf8).write(to: URL(filePath: path))
    return Phone(
      1, home: folder.path,
      settings: PhoneSettings(
        port: 0, server: URL(filePath: "/"), dock: "", account: "", password: "",
        createsSample: false),
      // NB: A file that has just been written cannot be executed while another process that is
      // being started has it open, too; a shell can read it.
      executable: URL(filePath: "/bin/sh"), arguments: [path], sleep: sleep)
  }

  private static let ready = #"echo '{"ready":{"address":"http://127.0.0.1:9/"}}'"#

  private func until(_ isMet: @escaping @MainActor @Sendable () -> Bool) async {
    for await isMet in Observations({ isMet() }) where isMet { return }
  }

  @Test func `A phone that cannot start again is left, and its screen says so`() async throws {
    let phone = try phone(
      running: """
        echo run >> runs
        if [ -f served ]; then exit 1; fi
        touch served
        \(Self.ready)
        """)
    try await phone.start()
    await until { phone.hasEnded }
    let runs = try String(contentsOfFile: folder.file("runs"), encoding: .utf8)
    #expect(runs.split(separator: "\n").count == 2)
    #expect(!phone.status.isOnline)
    await phone.stop()
  }

  /// A phone that does not read its messages, in a process that could end when it writes one.
  @Test func `A message to a phone that has ended does not end the dock`() async {
    await #expect(processExitsWith: .success) {
      BrokenPipe.restoreDefaultSignal()
      try await PhoneTests().messageEndedPhone()
    }
  }

  private func messageEndedPhone() async throws {
    let end = folder.file("end")
    let phone = try phone(
      running: """
        if [ -p end ]; then exit 1; fi
        mkfifo end
        exec 0<&-
        \(Self.ready)
        read line < end
        """)
    try await phone.start()
    for isOn in [true, false] { phone.send(.airplane(isOn)) }
    try Data("end\n".utf8).write(to: URL(filePath: end))
    await phone.stop()
  }

  @Test func `A phone that ends after it has served is started again`() async throws {
    let phone = try phone(
      running: """
        echo run >> runs
        \(Self.ready)
        if [ $(wc -l < runs) -lt 3 ]; then exit 1; fi
        echo '{"problem":{"_0":"There is no connection."}}'
        cat > /dev/null
        """)
    try await phone.start()
    await until { phone.problem != nil }
    #expect(phone.problem == "There is no connection." && !phone.hasEnded)
    await phone.stop()
  }

  @Test func `A phone that ends again and again is restarted with growing delays`() async throws {
    let delays = Mutex<[Duration]>([])
    let phone = try phone(
      running: """
        echo run >> runs
        \(Self.ready)
        if [ $(wc -l < runs) -lt 6 ]; then exit 1; fi
        cat > /dev/null
        """
    ) { delay in delays.withLock { $0.append(delay) } }
    try await phone.start()
    await until { phone.returnCount == 5 }
    // The first restart is immediate.
    #expect(delays.withLock(\.self) == [250, 500, 1_000, 2_000].map { .milliseconds($0) })
    await phone.stop()
  }

  @Test func `A phone that waits to be restarted stops at once`() async throws {
    let (waiting, continuation) = AsyncStream.makeStream(of: Void.self)
    let phone = try phone(running: Self.ready) { delay in
      continuation.yield()
      try await Task.sleep(for: .seconds(3_600))
    }
    try await phone.start()
    for await _ in waiting { break }
    #expect(!phone.isServing && !phone.hasEnded)
    await phone.stop()
  }

  @Test func `Delays are limited, and begin anew after a long run`() {
    var delays = RestartDelays()
    let short = (0..<12).map { _ in delays.next(afterServing: .seconds(1)) }
    #expect(short.first == .zero && short.last == .seconds(30))
    #expect(zip(short, short.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(delays.next(afterServing: .seconds(10)) == .zero)
    #expect(delays.next(afterServing: .seconds(1)) == .zero)
    #expect(delays.next(afterServing: .seconds(1)) == .milliseconds(250))
  }

  @Test func `A phone that is killed serves its pages again, and says so`() async throws {
    let phone = try phone(
      running: """
        echo run >> runs
        echo '{"status":{"_0":{"isAirplane":false,"isOnline":true,"pending":0,"account":"ada"}}}'
        read start
        \(Self.ready)
        read end
        """)
    try await phone.start()
    #expect(phone.isServing && phone.returnCount == 0)
    await phone.killProcess()
    #expect(phone.isServing && phone.returnCount == 1 && !phone.hasEnded)
    let runs = try String(contentsOfFile: folder.file("runs"), encoding: .utf8)
    #expect(runs == "run\nrun\n")
    #expect(phone.status.account == "ada")
    await phone.stop()
    // There is no process to kill any more, and no wait for one.
    await phone.killProcess()
    #expect(phone.returnCount == 1)
  }

  @Test func `A switch of airplane mode returns once the phone says that it is so`() async throws {
    let phone = try phone(
      running: """
        read start
        \(Self.ready)
        read line
        echo '{"status":{"_0":{"isAirplane":true,"isOnline":false,"pending":0}}}'
        cat > /dev/null
        """)
    try await phone.start()
    #expect(!phone.status.isAirplane)
    await phone.setAirplane(true)
    #expect(phone.status.isAirplane)
    await phone.stop()
  }
}
