import Foundation
import OffshoreImages
import TestSupport
import Testing

/// Programs that crash, hang or write nonsense in place of an image.
@Suite(.timeLimit(.minutes(2)))
struct FailingProgramTests {
  @Test func `A program that crashes is an error with its signal`() async throws {
    try await expect(.failed, "signal 11", of: "kill -SEGV $$")
  }

  @Test func `A program that hangs is killed after the time limit`() async throws {
    try await expect(
      .timedOut, "too long", of: "exec tail -f /dev/null", timeLimit: .milliseconds(200))
  }

  @Test func `A program that uses up its time of the processor has timed out`() async throws {
    try await expect(.timedOut, "too long", of: "kill -XCPU $$")
  }

  @Test func `A program that writes without end is killed`() async throws {
    try await expect(.failed, "too much output", of: "exec yes")
  }

  @Test func `Output that is not an image is an error`() async throws {
    try await expect(.failed, "no image", of: "cat > /dev/null; echo nonsense")
    try await expect(.failed, "no image", of: "cat > /dev/null")
  }

  @Test func `An image of another type than the wanted one is an error`() async throws {
    let options = ImageOptions(type: .jpeg)
    try await expect(.failed, "no image", of: "cat", options)
    let larger = ImageOptions(maximumByteCount: 1_024)
    try await expect(.failed, "no image", of: "cat", larger)
  }

  @Test func `The exit status says why an image is refused`() async throws {
    let codes: [(Int, ImageError.Code)] = [
      (10, .wrongType), (11, .tooLarge), (12, .tooManyPixels), (13, .damaged), (14, .unavailable),
    ]
    for (status, code) in codes { try await expect(code, ".", of: "exit \(status)") }
    try await expect(.failed, "status 1", of: "cat > /dev/null; exit 1")
  }

  @Test func `A program that closes its output and hangs is killed`() async throws {
    try await expect(
      .timedOut, "too long", of: "exec <&- >&-; tail -f /dev/null > /dev/null",
      timeLimit: .milliseconds(200))
  }

  @Test func `The processes of a program are killed with it`() async throws {
    let standIn = try StandIn("tail -f /dev/null &\necho $! > $FOLDER/child\nwait")
    let program = ImageProgram(path: standIn.path, timeLimit: .seconds(2))
    await #expect(throws: ImageError.self) { try await program.scale(Self.image) }
    try await StandIn.waitForEnd(of: try await standIn.line(of: "child"))
  }

  @Test func `A missing program and one that cannot be run are unavailable`() async throws {
    let folder = try TemporaryFolder()
    let text = folder.file("text")
    try Data("text".utf8).write(to: URL(filePath: text))
    for path in [folder.file("missing"), text, folder.path] {
      let error = await #expect(throws: ImageError.self) {
        try await ImageProgram(path: path).scale(Self.image)
      }
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains(path) == true)
    }
  }

  @Test func `An error has a code for logs and a sentence`() async throws {
    let error = await #expect(throws: ImageError.self) {
      try await ImageProgram().scale([1, 2, 3])
    }
    #expect(
      error?.description
        == "wrongType: This file is not an image that can be used. Choose a PNG, JPEG or WebP image."
    )
  }

  // MARK: - Cancellation

  @Test func `A cancelled task kills the program`() async throws {
    let standIn = try StandIn("echo $$ > $FOLDER/process\nexec tail -f /dev/null")
    let program = ImageProgram(path: standIn.path, timeLimit: .seconds(100))
    let scaling = Task { try await program.scale(Self.image) }
    let process = try await standIn.line(of: "process")
    scaling.cancel()
    await #expect(throws: CancellationError.self) { try await scaling.value }
    try await StandIn.waitForEnd(of: process)
  }

  @Test func `A cancelled task runs no program`() async throws {
    let standIn = try StandIn("echo $$ > $FOLDER/process")
    let program = ImageProgram(path: standIn.path)
    let gate = Gate()
    let scaling = Task {
      await gate.pass()
      return try await program.scale(Self.image)
    }
    scaling.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await scaling.value }
  }

  @Test func `Programs that hang do not keep other tasks from running`() async throws {
    let standIn = try StandIn("exec tail -f /dev/null")
    let program = ImageProgram(path: standIn.path, runLimit: 16, timeLimit: .seconds(100))
    let hanging = (0..<16).map { _ in Task { try await program.scale(Self.image) } }
    for _ in 0..<100 { await Task { await Task.yield() }.value }
    for task in hanging { task.cancel() }
    for task in hanging {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  // MARK: - Leftovers

  @Test func `Nothing is left of programs that ended in any way`() async throws {
    await #expect(processExitsWith: .success) {
      let image = TestPNG.noise(30, 20).bytes
      let scripts = [
        "cat", "exit 13", "kill -SEGV $$", "exec yes",
        "exec <&- >&-; tail -f /dev/null > /dev/null",
      ]
      let paths = try scripts.map { try StandIn($0) }
      func openFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").sorted()
      }
      // The first run starts threads, which may have files of their own.
      _ = try? await ImageProgram(path: paths[0].path).scale(image)
      let before = try openFiles()
      for standIn in paths + paths {
        let program = ImageProgram(path: standIn.path, timeLimit: .milliseconds(300))
        _ = try? await program.scale(image)
      }
      _ = try? await ImageProgram(path: "/missing").scale(image)
      #expect(try openFiles() == before)
      #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
    }
  }

  private static let image = TestPNG.noise(30, 20).bytes

  private func expect(
    _ code: ImageError.Code, _ part: String, of script: String,
    _ options: ImageOptions = ImageOptions(), timeLimit: Duration = .seconds(60),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let standIn = try StandIn(script)
    let program = ImageProgram(path: standIn.path, timeLimit: timeLimit)
    let error = await #expect(throws: ImageError.self, sourceLocation: sourceLocation) {
      try await program.scale(Self.image, to: options)
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.message.contains(part) == true, sourceLocation: sourceLocation)
  }
}
