import Foundation
import TestSupport
import Testing

@testable import offshore

/// The programs that tests start.
@Suite(.timeLimit(.minutes(1)))
struct TestProcessTests {
  private static func text(_ pipe: Pipe) throws -> String {
    let data = try pipe.fileHandleForReading.readToEnd()
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  @Test func `A program starts while thousands of files are open, and gets none of them`() async {
    await #expect(processExitsWith: .success) {
      try #require(Descriptors.raiseLimit(to: 4_096) == 4_096)
      let files = (0..<3_000).map { _ in open("/dev/null", O_RDONLY) }
      #expect(!files.contains(-1))
      let output = Pipe()
      let process = try TestProcess(
        "sh", ["-c", "ls /proc/$$/fd; exit 3"], input: .null, output: .pipe(output))
      #expect(try Self.text(output) == "0\n1\n2\n")
      #expect(process.wait() == .exit(3))
    }
  }

  @Test func `A program has its folder, its variables and its three standard files`() throws {
    let folder = try TemporaryFolder()
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    let process = try TestProcess(
      "/bin/sh", ["-c", "/bin/cat > copy; echo \"$NAME\"; echo \"$HOME\" >&2"],
      environment: ["NAME": "Alma"], folder: folder.path, input: .pipe(input),
      output: .pipe(output), errors: .pipe(errors))
    try input.fileHandleForWriting.write(contentsOf: Data("text".utf8))
    try input.fileHandleForWriting.close()
    #expect(try Self.text(output) == "Alma\n")
    #expect(try Self.text(errors) == "\n")
    #expect(process.wait() == .exit(0))
    #expect(FileManager.default.contents(atPath: folder.file("copy")) == Data("text".utf8))
  }

  @Test func `A program ends by a signal that the thread of its start blocks`() throws {
    var (signals, mask) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, &mask)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    let process = try TestProcess("cat", [], input: .pipe(Pipe()))
    #expect(process.isRunning)
    process.terminate()
    #expect(process.wait() == .signal(SIGTERM))
    #expect(!process.isRunning)
  }

  @Test func `Every thread gets the status, and the identifier is free by then`() throws {
    let process = try TestProcess("cat", [], input: .pipe(Pipe()))
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      if number == 0 { process.kill() }
      #expect(process.wait() == .signal(SIGKILL))
    }
    #expect(process.wait().number == SIGKILL)
    #expect(waitpid(process.identifier, nil, WNOHANG) == -1 && errno == ECHILD)
    process.kill()
  }

  @Test func `A program that cannot be started is an error with its name`() {
    let error = #expect(throws: TestProcess.StartError.self) {
      try TestProcess("/missing/program", [])
    }
    #expect(error?.code == ENOENT)
    #expect(error?.description == "/missing/program: No such file or directory")
  }
}
