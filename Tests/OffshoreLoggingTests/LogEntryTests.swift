import Foundation
import Testing

@testable import OffshoreLogging

/// Entries as lines of JSON.
struct LogEntryTests {
  private let time = Date(timeIntervalSince1970: 1_000.25)

  @Test func `An entry of a server has its time, its level and its fields`() {
    let entry = LogEntry(
      .info, .server, "request",
      [
        .text("route", "/v1/push"), .count("status", 200), .number("milliseconds", 1.23456),
      ], time: time)
    #expect(
      entry.json
        == #"{"time":"1970-01-01T00:16:40.250Z","level":"info","route":"/v1/push","status":200,"#
        + #""milliseconds":1.235}"#)
    #expect(
      entry.description == "info server request route=/v1/push status=200 milliseconds=1.235")
  }

  @Test func `An entry of an app also has its category, message and duration`() {
    let entry = LogEntry(
      .error, .repository, "load", "failed", [.kind(of: CancellationError())],
      duration: .microseconds(1_500))
    #expect(
      entry.json
        == #"{"level":"error","category":"repository","message":"load failed","milliseconds":1.5,"#
        + #""error":"CancellationError"}"#)
  }

  @Test(arguments: ["plain", "with \"quotes\"", "line\nbreak", "back\\slash", "Ёлка", ""])
  func `Texts are escaped`(text: String) throws {
    let json = LogEntry(.info, .server, "", [.text("text", text)]).json
    #expect(!json.contains("\n"))
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    #expect(object?["text"] as? String == text)
  }
}
