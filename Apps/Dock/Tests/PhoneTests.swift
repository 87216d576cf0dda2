import Anyfleet
import Foundation
import Observation
import OffshorePresentation
import TestSupport
import Testing

@testable import offshore_apps

/// A phone of the dock, with a program in its place that does what a test needs.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct PhoneTests {
  private let folder: FaultFolder

  init() throws { folder = try FaultFolder() }

  /// - Parameter script: the program of the phone.
  private func phone(running script: String) throws -> Phone {
    let path = folder.file("phone.sh")
    try Data("cd '\(folder.path)'\n\(script)\n".utf8).write(to: URL(filePath: path))
    return Phone(
      1, home: folder.path,
      settings: PhoneSettings(
        port: 0, server: URL(filePath: "/"), dock: "", account: "", password: "", hasSample: false),
      // NB: A file that has just been written cannot be executed while another process that is being
      // started has it open, too; a shell can read it.
      executable: URL(filePath: "/bin/sh"), arguments: [path])
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

  @Test(
    arguments: [
      (.synced, PhoneStatus(isOnline: true)), (.syncing, PhoneStatus(isOnline: true)),
      (.connecting, PhoneStatus(isOnline: true)),
      (.pending(2), PhoneStatus(isOnline: true, pending: 2)),
      (.refused(1), PhoneStatus(isOnline: true)), (.offline(3), PhoneStatus(pending: 3)),
      (.failed(1), PhoneStatus(pending: 1)), (.notSynced, PhoneStatus()),
    ] as [(SyncIndicator, PhoneStatus)])
  func `The dock shows the same status of a phone as its own pages`(
    _ indicator: SyncIndicator, _ status: PhoneStatus
  ) {
    #expect(PhoneStatus(isAirplane: false, showing: indicator) == status)
  }

  @Test func `The status of a phone is the sum over its apps`() {
    let apps = [
      PhoneStatus(isOnline: true, pending: 2), PhoneStatus(isAirplane: true, pending: 3),
    ]
    #expect(PhoneStatus(of: apps) == PhoneStatus(pending: 5))
    #expect(PhoneStatus(of: [apps[0], apps[0]]) == PhoneStatus(isOnline: true, pending: 4))
    #expect(PhoneStatus(of: [apps[1], apps[1]]) == PhoneStatus(isAirplane: true, pending: 6))
    #expect(PhoneStatus(of: []) == PhoneStatus())
  }

  /// A phone that does not read its commands, in a process that could end when it writes one.
  @Test func `A command to a phone that has ended does not end the dock`() async {
    await #expect(processExitsWith: .success) {
      BrokenPipe.endsProcess()
      try await PhoneTests().tellGonePhone()
    }
  }

  private func tellGonePhone() async throws {
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
    for isOn in [true, false] { phone.setAirplane(isOn) }
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
}
