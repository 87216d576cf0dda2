import Foundation
import OffshoreImages
import TestSupport
import Testing

@testable import offshore_image

/// The program as others start it: its arguments, its reports and its limits.
@Suite(.timeLimit(.minutes(1)))
struct ImageToolTests {
  // MARK: - Arguments

  @Test func `The arguments have all options`() throws {
    let options = ImageOptions(
      fit: ImageSize(640, 480), type: .webp, quality: 70, maximumByteCount: 65_536)
    #expect(try ToolArguments(options.arguments).options == options)
    #expect(try ToolArguments(ImageOptions().arguments).options == ImageOptions())
    #expect(try ToolArguments([]).options == ImageOptions())
  }

  @Test func `Invalid arguments are refused with the option and the value`() {
    for arguments in [
      ["--fit", "640"], ["--fit", "640x"], ["--fit", "x480"], ["--fit", "0x480"],
      ["--fit", "640x480x1"], ["--fit", "65536x1"], ["--type", "gif"], ["--quality", "0"],
      ["--quality", "101"], ["--quality", "best"], ["--bytes", "1023"], ["--bytes", "10485761"],
    ] {
      let error = #expect(throws: UsageError.self) { try ToolArguments(arguments) }
      #expect(error?.description.contains(arguments[0]) == true)
      #expect(error?.description.contains(arguments[1]) == true)
      #expect(error?.description.hasSuffix("See offshore-image --help.") == true)
    }
    for arguments in [["--fit"], ["--size", "1x1"], ["photo.jpg"]] {
      #expect(throws: UsageError.self) { try ToolArguments(arguments) }
    }
  }

  @Test func `The help names every option and status`() async throws {
    let process = try FaultProcess("offshore-image", ["--help"])
    #expect(await process.status() == 0)
    let help = await process.lines(0).joined(separator: "\n")
    for part in ["--fit", "--type", "--quality", "--bytes"] { #expect(help.contains(part)) }
    for error in ImageError.byExitStatus { #expect(help.contains("\(error.value.code)")) }
  }

  // MARK: - Reports

  @Test func `A refusal is a line of JSON and an exit status`() async throws {
    let process = try FaultProcess("offshore-image", [])
    process.send("not an image")
    process.endInput()
    #expect(await process.status() == 10)
    let line = process.errors
    let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
    #expect(json == ["code": "wrongType", "message": ImageError.wrongType.message])
    #expect(line.hasSuffix("\n"))
  }

  @Test func `An invalid command line has its own status`() async throws {
    let process = try FaultProcess("offshore-image", ["--type", "gif"])
    #expect(await process.status() == 2)
    #expect(process.errors.hasPrefix("offshore-image: --type is jpeg, png, webp or same"))
  }

  @Test func `Each reason has an exit status`() {
    for (status, error) in ImageError.byExitStatus {
      #expect(ImageTool.status(of: error) == status)
      #expect(
        ImageTool.facts(of: error) == #"{"code":"\#(error.code)","message":"\#(error.message)"}"#)
    }
    #expect(ImageTool.status(of: UsageError("")) == 2)
    #expect(ImageTool.status(of: InputOutputError("")) == 1)
    #expect(ImageTool.status(of: CancellationError()) == 1)
  }

  @Test func `The facts of a result are JSON`() throws {
    let result = try Conversion(ImageOptions()).convert(TestPNG.gradient(12, 7).bytes)
    #expect(result.facts == #"{"type":"png","width":12,"height":7}"#)
  }

  @Test func `A pipe gets the image, and standard error its facts`() throws {
    let result = try shell("offshore-image --fit 6x6 --type jpeg < image.png | cat > out.jpg")
    #expect(result.errors == "{\"type\":\"jpeg\",\"width\":6,\"height\":4}\n")
    #expect(try ImageHeader(result.file("out.jpg")).size == ImageSize(6, 4))
  }

  @Test func `An image is read in parts, and no further than its limit`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    try StandardFiles.write([1, 2, 3], to: ends[1])
    try StandardFiles.write([4, 5], to: ends[1])
    #expect(try StandardFiles.read(ends[0], atMost: 4) == [1, 2, 3, 4])
    close(ends[1])
    #expect(try StandardFiles.read(ends[0], atMost: 4) == [5])
    #expect(try StandardFiles.read(ends[0], atMost: 4) == [])
  }

  @Test func `Files that cannot be read or written are errors`() throws {
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    #expect(throws: InputOutputError.self) { try StandardFiles.write([1], to: full) }
    #expect(throws: InputOutputError.self) { try StandardFiles.read(-1, atMost: 1) }
  }

  // MARK: - Limits

  @Test func `The program cannot write to a file`() throws {
    let result = try shell("offshore-image < image.png > out.png; echo $?")
    #expect(result.text == "1\n")
    #expect(result.errors.contains("not a file"))
    #expect(try result.file("out.png").isEmpty)
  }

  @Test func `The program limits itself before it reads`() async throws {
    let process = try FaultProcess("offshore-image", [])
    let folder = "/proc/\(process.identifier)"
    // The filter of system calls is the last limit.
    while try !String(contentsOfFile: "\(folder)/status", encoding: .utf8).contains("Seccomp:\t2") {
      await Task.yield()
    }
    let status = try String(contentsOfFile: "\(folder)/status", encoding: .utf8)
    #expect(status.contains("NoNewPrivs:\t1"))
    #expect(status.contains("Threads:\t1\n"))
    let limits = try String(contentsOfFile: "\(folder)/limits", encoding: .utf8)
    for limit in [
      "Max address space +1073741824 ", "Max core file size +0 ", "Max cpu time +10 ",
      "Max file size +0 ", "Max open files +3 ",
    ] {
      #expect(limits.contains(try Regex(limit)), "\(limit)")
    }
    #expect(try String(contentsOfFile: "\(folder)/oom_score_adj", encoding: .utf8) == "1000\n")
    process.endInput()
    #expect(await process.status() == 10)
  }

  /// Runs commands in a folder with an image, and the program on the path.
  private func shell(_ commands: String) throws -> ShellResult {
    let folder = try TemporaryFolder()
    try Data(TestPNG.gradient(12, 8).bytes).write(to: URL(filePath: folder.file("image.png")))
    let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let (text, errors) = (Pipe(), Pipe())
    let process = try TestProcess(
      "/bin/sh", ["-c", commands],
      environment: ["PATH": "\(programs.path(percentEncoded: false)):/usr/bin:/bin"],
      folder: folder.path, output: .pipe(text), errors: .pipe(errors))
    let result = ShellResult(
      text: String(decoding: text.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
      errors: String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
      folder: folder)
    process.wait()
    return result
  }

  private struct ShellResult {
    let text: String
    let errors: String
    let folder: TemporaryFolder

    func file(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: URL(filePath: folder.file(name))))
    }
  }
}
