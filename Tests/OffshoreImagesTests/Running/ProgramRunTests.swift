import Foundation
import Testing

@testable import OffshoreImages

/// The process of a program: its input, its output and its surroundings.
@Suite(.timeLimit(.minutes(1)))
struct ProgramRunTests {
  @Test func `A program gets the whole input while its output is read`() async throws {
    let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
    let outcome = try await run("/bin/cat", input: bytes)
    #expect(outcome == .exit(status: 0, output: bytes))
  }

  @Test func `A program that reads nothing may write and end`() async throws {
    let bytes = [UInt8](repeating: 7, count: 5_000_000)
    #expect(try await output("/bin/echo", "done", input: bytes) == "done\n")
  }

  @Test func `A program without input is at its end at once`() async throws {
    #expect(try await output("/bin/cat") == "")
  }

  @Test func `A program has no environment, and no folder of this process`() async throws {
    #expect(try await output("/usr/bin/env") == "")
    // No file can be created there.
    #expect(try await output("/bin/pwd") == "/proc\n")
  }

  @Test func `A program has no open files of this process`() async throws {
    let inherited = open("/dev/null", O_RDONLY)
    defer { close(inherited) }
    // The last one is the folder that is listed.
    #expect(try await output("/bin/ls", "/proc/self/fd") == "0\n1\n2\n3\n")
  }

  @Test func `A program neither ignores nor blocks signals`() async throws {
    signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, SIG_DFL) }
    let lines = try #require(
      try await output("/bin/grep", "-E", "^Sig(Blk|Ign):", "/proc/self/status"))
    let masks = lines.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0, radix: 16) }
    // The C library has signals 32 and 33 for itself.
    #expect(masks.count == 2 && masks.allSatisfy { $0 & 0x7FFF_FFFF == 0 })
  }

  @Test func `More output than the limit is an excess`() async throws {
    let bytes = [UInt8](repeating: 7, count: 1_000)
    for (limit, expected) in [
      (1_000, ProgramRun.Outcome.exit(status: 0, output: bytes)), (999, .excess),
    ] {
      let run = ProgramRun(
        "/bin/cat", [], input: bytes, outputLimit: limit, timeLimit: .seconds(50))
      #expect(try await run.outcome() == expected)
    }
  }

  @Test func `The program is in the folder of the running one`() {
    let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().path(percentEncoded: false)
    #expect(ImageProgram.pathBesideExecutable("offshore-image") == folder + "offshore-image")
  }

  private func run(
    _ path: String, _ arguments: String..., input: [UInt8] = []
  ) async throws -> ProgramRun.Outcome {
    try await ProgramRun(path, arguments, input: input, timeLimit: .seconds(50))
      .outcome()
  }

  private func output(
    _ path: String, _ arguments: String..., input: [UInt8] = []
  ) async throws -> String? {
    let run = ProgramRun(path, arguments, input: input, timeLimit: .seconds(50))
    guard case .exit(0, let output) = try await run.outcome() else { return nil }
    return String(decoding: output, as: UTF8.self)
  }
}
