import Foundation
import OffshoreSync
import Testing

@testable import OffshoreHost

// One after the other, since the signals and the output are those of the process.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct HostProgramTests {
  private let home = HomeFolder()
  private let program = HostProgram("memo-apps", apps: [MemoApp.named("memos")])
  private let several = HostProgram(
    "memo-apps", apps: [MemoApp.named("memos"), MemoApp.named("second")])

  // In a process of its own, since a signal interrupts whichever thread waits for a socket.
  @Test func `A program serves until a signal arrives, and then stops gracefully`() async {
    await #expect(processExitsWith: .success) {
      let tests = HostProgramTests()
      for program in [tests.program, tests.several] {
        let status = await program.status(
          ["--home", tests.home.path, "--port", "0"], environment: [:], signals: [SIGUSR2]
        ) {
          kill(getpid(), SIGUSR2)
        }
        #expect(status == 0)
      }
    }
  }

  @Test func `The usage is printed, and arguments that are not valid have the status 1`() async {
    #expect(await program.status(["--help"], environment: [:]) == 0)
    #expect(await program.status(["--port", "many"], environment: [:]) == 1)
    #expect(await program.status(["--home", "/dev/null/x"], environment: [:]) == 1)
  }

  @Test func `The manifest is that of the named app, or of the only one`() async throws {
    #expect(try program.app(named: nil).name == "memos")
    #expect(try several.app(named: "second").name == "second")
    for name in [nil, "third"] {
      let error = #expect(throws: HostError.self) { try several.app(named: name) }
      #expect(error?.description.contains("Name one of memos, second.") == true)
    }
    #expect(await program.status(["manifest"], environment: [:]) == 0)
    #expect(await several.status(["manifest"], environment: [:]) == 1)
    #expect(await several.status(["manifest", "second"], environment: [:]) == 0)
  }

  @Test func `The usage lists the commands for users, not that of a phone`() {
    #expect(program.usage.contains("usage: memo-apps [manifest] [--home DIR]"))
    #expect(several.usage.contains("  manifest APP  print the synced tables"))
    #expect(!program.usage.contains("phone"))
  }

  @Test func `The usage has the word for the operand of a command`() {
    let commands = [
      HostCommand("load", "load a file", operands: 1, operandName: "FILE") { _, _, _ in }
    ]
    for apps in [program.apps, several.apps] {
      let usage = HostProgram("memo-apps", apps: apps, commands: commands).usage
      #expect(usage.contains("[load FILE | manifest"))
    }
  }

  @Test func `A command gets its options and the apps`() async {
    let status = await HostProgram(
      "memo-apps", apps: several.apps,
      commands: [
        HostCommand("count", "count the apps") { options, program, _ in
          throw HostError("\(program.apps.count) \(options.port)")
        }
      ]
    ).status(["count", "--port", "7"], environment: [:])
    #expect(status == 1)
  }
}
