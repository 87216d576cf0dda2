import Foundation

/// Measures Offshore against hand-written code, each job in its own process.
///
/// ```
/// swift run -c release --package-path Benchmarks                              # all jobs
/// swift run -c release --package-path Benchmarks offshore-bench fetch-100k    # some jobs
/// ```
///
/// Prints a table and writes one line of JSON per job to `.build/bench.json`. Exits with 1 if a
/// required number is missed, and with 2 if a job fails or does not exist.
@main
enum OffshoreBench {
  /// The jobs in the order of the table. A new job is a file in `Jobs` and a line here.
  private static let jobs: [any Job] = [
    FetchRows(),
    IterateRows(),
    IterateMillions(),
    LargeText(),
    FetchByKey(),
    InsertRows(),
    UpdateRows(),
    BuildQuery(),
    JoinRows(),
    GroupRows(),
    PageMillions(),
    GroupCommit(),
    ObserveRows(),
    OpenMigrated(),
    TransferRows.exportCSV,
    TransferRows.importCSV,
    TransferRows.exportJSON,
    TransferRows.importJSON,
    CaptureInsert(),
    CaptureUpdate(),
    CaptureDurable(),
    Seal(),
    Apply.first,
    Apply.changes,
    PushLoad(),
    PushBesideRules(),
    GrantScopes(),
    FirstSync.oneScope,
    FirstSync.thousandScopes,
    FirstSync.tenThousandScopes,
    DeviceToDevice.oneScope,
    DeviceToDevice.thousandScopes,
    DeviceToDevice.tenThousandScopes,
    MergePatches(),
    PageEncode(),
    PageDecode(),
    ToggleDurable(),
    OpenChecklist(),
    ChartersPage(),
    ChartersSearch(),
    ChartersDerived(),
    TextSearch.numbered,
    TextSearch.named,
    MessagesBatch(),
    MessagesOneByOne(),
    MessagesFetch(),
    MessagesPage(),
    MessagesSearch(),
    ConversationsPage(),
    SaveFile(),
    ShiftsOfMonth(),
    ShiftsChange(),
    ShiftsAction(),
    CompareEngines(10, "10"),
    CompareEngines(100, "100"),
    CompareEngines(500, "500"),
    CompareEngines(1_000, "1k"),
    CompareEngines(10_000, "10k"),
    CompareEngines(100_000, "100k"),
  ]

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if arguments.count > 1, arguments[0] == LoadServer.marker {
        try await LoadServer.runHere(arguments.dropFirst())
      } else if arguments.first == JobProcess.marker {
        for job in try jobs(named: arguments.dropFirst()) { try await JobProcess.runHere(job) }
      } else {
        let isReached = try runApart(arguments.isEmpty ? jobs : jobs(named: arguments[...]))
        guard isReached else { exit(1, "A number that must be reached was missed.") }
      }
    } catch {
      exit(2, "\(error)")
    }
  }

  private static func jobs(named names: ArraySlice<String>) throws -> [any Job] {
    try names.map { name in
      guard let job = jobs.first(where: { $0.name == name }) else {
        let known = jobs.map(\.name).joined(separator: ", ")
        throw WrongUse(description: "There is no job “\(name)”. Choose from: \(known).")
      }
      return job
    }
  }

  /// Runs jobs one after the other in separate processes.
  /// - Returns: Whether all of them met their requirements.
  private static func runApart(_ jobs: [any Job]) throws -> Bool {
    print(Outcome.tableHeader)
    var outcomes: [Outcome] = []
    for job in jobs {
      let outcome = try JobProcess.run(job)
      print(outcome.tableRow)
      outcomes.append(outcome)
    }
    try Outcome.write(outcomes, to: BenchFolder.root.appending(path: ".build/bench.json"))
    return outcomes.allSatisfy(\.isPassed)
  }

  private static func exit(_ status: Int32, _ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    Foundation.exit(status)
  }
}

/// An error for a job that does not exist.
private struct WrongUse: Error, CustomStringConvertible {
  let description: String
}
