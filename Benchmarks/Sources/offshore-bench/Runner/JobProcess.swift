import Foundation

/// Runs one job in its own process, free of the effects of other jobs on memory and caches.
enum JobProcess {
  /// The first argument of a process that runs its jobs itself.
  static let marker = "--here"

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a job in a new process.
  /// - Throws: ``Failure`` if the process fails.
  static func run(_ job: any Job) throws -> Outcome {
    guard let executable = Bundle.main.executableURL else {
      throw Failure(description: "The path of this program is not known.")
    }
    let process = Process()
    process.executableURL = executable
    process.arguments = [marker, job.name]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "Job “\(job.name)” failed.")
    }
    return try JSONDecoder().decode(Outcome.self, from: data)
  }

  /// Runs a job in this process and prints its outcome.
  static func runHere(_ job: any Job) async throws {
    let folder = try BenchFolder(job.name)
    let measurement = try await job.measure(in: folder)
    try FileHandle.standardOutput.write(contentsOf: Outcome(job, measurement).line)
    withExtendedLifetime(folder) {}
  }
}
