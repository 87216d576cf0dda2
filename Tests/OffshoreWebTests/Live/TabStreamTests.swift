import OffshoreHTTP
import Testing

@testable import OffshoreWeb

@MainActor struct TabStreamTests {
  private let app = CounterApp()

  /// Changes the counter and renders the page, so that each change is separate.
  private func count(to count: Int, _ page: Browser.Opened) async throws {
    app.store.count = count
    _ = await app.browser.post("/counter/note", from: page.tab, ["note": "x"])
  }

  @Test func `A browser that lost its connection receives the changes it missed, and none twice`()
    async throws
  {
    let page = try await app.browser.open("/counter")
    let first = try await app.browser.listen(page.tab, after: 0)
    try await count(to: 1, page)
    let last = try #require(await first.next())
    first.close()
    try await count(to: 2, page)
    let again = try await app.browser.listen(page.tab, after: 0, lastEventID: last.id)
    while let event = await again.next() {
      #expect(event.id != last.id)
      if event.data.contains("<p>2</p>") { break }
    }
  }

  @Test(arguments: ["99", "-1", "9223372036854775807"])
  func `A browser with an unknown revision, or none, fetches the page again`(id: String)
    async throws
  {
    let page = try await app.browser.open("/counter")
    let stream = try await app.browser.listen(page.tab, lastEventID: id)
    #expect(await stream.next() == .refetch)
    #expect(await stream.next() == nil)
  }

  @Test func `A browser whose tab was closed fetches the page again`() async throws {
    let stream = try await app.browser.listen("gone", after: 0)
    #expect(await stream.next()?.event == "refetch")
    #expect(await stream.next() == nil)
  }

  @Test func `After more changes than are stored, the page is fetched again`() async throws {
    let page = try await app.browser.open("/counter")
    for number in 1...300 { try await count(to: number, page) }
    let stream = try await app.browser.listen(page.tab, after: 1)
    #expect(await stream.next() == .refetch)
  }

  @Test func `A tab has a bounded number of streams, and a new one ends the oldest`()
    async throws
  {
    let page = try await app.browser.open("/counter")
    var streams: [EventChannel] = []
    for _ in 0...Tab.maximumStreams {
      streams.append(try await app.browser.listen(page.tab, after: 0))
    }
    #expect(streams.map(\.isOpen) == [false] + Array(repeating: true, count: Tab.maximumStreams))
  }

  @Test func `A tab without a stream is rendered when it has one again`() async throws {
    let left = try await app.browser.open("/counter")
    let heard = try await app.browser.open("/counter")
    let others = try await app.browser.listen(heard.tab, after: 0)
    for count in 1...3 {
      app.store.count = count
      #expect(try await others.nextChange().html.contains("<p>\(count)</p>"))
    }
    let stream = try await app.browser.listen(left.tab, after: 0)
    let event = try #require(await stream.next())
    #expect(event.id == "1")
    #expect(event.data.contains("<p>3</p>"))
  }

  @Test func `A stream that the browser left does not affect the others`() async throws {
    let page = try await app.browser.open("/counter")
    let left = try await app.browser.listen(page.tab, after: 0)
    let kept = try await app.browser.listen(page.tab, after: 0)
    left.close()
    app.store.count = 1
    #expect(try await kept.nextChange().target == "count")
  }
}
