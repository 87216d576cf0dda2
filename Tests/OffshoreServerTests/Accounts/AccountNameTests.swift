import OffshoreServer
import Testing

struct AccountNameTests {
  @Test(arguments: [
    ("ida@example.org", "ida@example.org"), ("  Ida.B-1+x_2  ", "ida.b-1+x_2"), ("7up", "7up"),
    (String(repeating: "a", count: 64), String(repeating: "a", count: 64)),
  ])
  func `A name is the typed text, trimmed and in lower case`(typed: String, name: String) throws {
    #expect(try AccountName(typed).text == name)
  }

  @Test(arguments: [
    "", "ab", "  ab  ", "-ab", ".ab", "@ab", "a b", "идa", "ida\n", "ida\0", "i/da", "ida\u{301}",
    String(repeating: "a", count: 65), "K\u{212A}L",
  ])
  func `An invalid account name is refused with the rule for names`(typed: String) {
    let error = #expect(throws: AccountError.self) { try AccountName(typed) }
    #expect(error?.code == .invalidName && error?.message.contains("3 to 64") == true)
  }
}
