import Foundation
import Testing

@testable import OffshoreHost

@Suite(.timeLimit(.minutes(1)))
struct DockMessageTests {
  private let pipe = Pipe()

  private func write(_ text: String) throws {
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  @Test func `A message is a line of JSON`() throws {
    let cases: [(any Encodable, String)] = [
      (DockMessage.airplane(true), #"{"airplane":{"_0":true}}"#),
      (PhoneMessage.problem("No."), #"{"problem":{"_0":"No."}}"#),
    ]
    for (message, line) in cases {
      #expect(try String(decoding: MessageLines.encoded(message), as: UTF8.self) == "\(line)\n")
    }
  }

  @Test func `Messages arrive in order, also in pieces, and other lines are ignored`()
    async throws
  {
    let messages = MessageLines.messages(DockMessage.self, from: pipe.fileHandleForReading)
    var received = messages.makeAsyncIterator()
    try write("{\"airplane\":{\"_0\":true}}\nnonsense\n{\"airplane\":")
    #expect(await received.next() == .airplane(true))
    try write("{\"_0\":false}}\n")
    #expect(await received.next() == .airplane(false))
    try write("{\"airplane\":{\"_0\":true}}")
    try pipe.fileHandleForWriting.close()
    #expect(await received.next() == nil, "the last line has no end")
  }
}
