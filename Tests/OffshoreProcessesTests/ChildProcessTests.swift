import Foundation
import OffshoreProcesses
import TestSupport
import Testing

/// Processes of other programs, by the pipes of tests and without them.
@Suite(.timeLimit(.minutes(1)))
struct ChildProcessTests {
  private static func text(_ pipe: Pipe) throws -> String {
    let data = try pipe.fileHandleForReading.readToEnd()
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  @Test func `A program starts while thousands of files are open, and gets none of them`() async {
    await #expect(processExitsWith: .success) {
      try Self.allowOpenFiles(4_096)
      let files = (0..<3_000).map { _ in open("/dev/null", O_RDONLY) }
      #expect(!files.contains(-1))
      let output = Pipe()
      let process = try TestProcess(
        "sh", ["-c", "ls /proc/$$/fd; exit 3"], input: .null, output: .pipe(output))
      #expect(try Self.text(output) == "0\n1\n2\n")
      #expect(process.wait() == .exit(3))
    }
  }

  private static func allowOpenFiles(_ count: rlim_t) throws {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    try #require(getrlimit(resource, &limit) == 0)
    limit.rlim_cur = max(limit.rlim_cur, count)
    try #require(setrlimit(resource, &limit) == 0)
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
    let error = #expect(throws: ChildProcess.StartError.self) {
      _ = try ChildProcess("/missing/program", [])
    }
    #expect(error?.code == ENOENT)
    #expect(error?.description == "/missing/program: No such file or directory")
  }

  @Test func `A program has the variables of this process, or only those that it is given`() throws
  {
    let path = try #require(ProcessInfo.processInfo.environment["PATH"])
    let output = Pipe()
    let inheriting = try TestProcess(
      "/bin/sh", ["-c", "echo \"$PATH\""], output: .pipe(output))
    #expect(try Self.text(output) == "\(path)\n")
    inheriting.wait()
    let given = Pipe()
    let end = ChildProcess.StandardFile.file(given.fileHandleForWriting.fileDescriptor)
    let other = try ChildProcess("/usr/bin/env", [], environment: ["NAME=value"], output: end)
    try given.fileHandleForWriting.close()
    #expect(try Self.text(given) == "NAME=value\n")
    #expect(other.wait() == .exit(0))
  }

  @Test func `A program that runs on has not ended by a time, and has once it is killed`() throws {
    let input = Pipe()
    let end = ChildProcess.StandardFile.file(input.fileHandleForReading.fileDescriptor)
    let process = try ChildProcess("cat", [], input: end)
    #expect(!process.hasEnded(by: .now + .milliseconds(1)) && !process.hasEnded(by: .now))
    process.kill()
    #expect(process.hasEnded(by: .now + .seconds(50)) && process.wait() == .signal(SIGKILL))
    try input.fileHandleForWriting.close()
  }

  @Test func `The processes that a program leaves in its group end with it`() throws {
    let output = Pipe()
    let rest = "(timeout --foreground 20 tail -f /dev/null; echo survived) & exit 7"
    let process = try TestProcess("/bin/sh", ["-c", rest], output: .pipe(output))
    #expect(process.wait() == .exit(7))
    #expect(try Self.text(output) == "")
  }
}
