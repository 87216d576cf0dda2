import Foundation
import OffshoreHTTP
import Testing

@testable import OffshorePages

/// Kinds of scopes with values of different types.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct SharedKindTests {
  private let bag = SharedKind("bag", in: "lists") { (id: UUID) in "/bags/\(id.uuidString)" }
  private let text = SharedKind("bag", of: String.self, in: "lists") { "/bags/\($0)" }

  @Test func `A kind has pages for the values of its type, and for no others`() {
    #expect(text.place("a?b")?.page == "/bags/a?b")
    #expect(text.membersAddress(ofScope: "a?b") == "/members/bag/a%3Fb")
    let id = UUID()
    #expect(bag.place(id.uuidString)?.page == "/bags/\(id.uuidString)")
    #expect(bag.membersAddress(of: id) == "/members/bag/\(id.uuidString)")
    #expect(bag.place("a?b") == nil)
  }

  @Test func `A value that no scope has leads to no page of members`() async throws {
    let app = try await SampleApp(addPages: { $0.addMembers(of: $1, text) })
    for value in ["a/b", "ü", String(repeating: "x", count: 201)] {
      let page = await app.get(text.membersAddress(ofScope: value))
      #expect(page.status == .notFound, "\(value)")
    }
  }
}
