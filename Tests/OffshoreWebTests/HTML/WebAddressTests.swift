import Testing

@testable import OffshoreWeb

struct WebAddressTests {
  @Test(arguments: [
    "/charters", "/charters?from=a:b", "#note:1", "?sort=name", "charters/1", "", "//host/x",
    "https://example.org/a:b", "HTTP://example.org", "mailto:a@example.org", "tel:+385", "./a:b",
  ]) func `An address that leads to a page stays as it is`(address: String) {
    #expect(WebAddress.safe(address) == address)
  }

  @Test(arguments: [
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)",
    "java\nscript:alert(1)", "\u{1}javascript:alert(1)", "javascript\r:alert(1)", "vbscript:x",
    "data:text/html,<script>alert(1)</script>", "blob:https://example.org/1",
    "file:///etc/passwd",
    ":x", "jav\u{0}ascript:alert(1)",
  ]) func `An address that could run a script or carry a page of its own leads nowhere`(
    address: String
  ) {
    #expect(WebAddress.safe(address) == WebAddress.refused)
  }

  @Test func `Every attribute that takes an address refuses such a one`() {
    let address = "javascript:alert(1)"
    for element in [
      a(.href(address)), img(.src(address)), form(.action(address)), use(.href(address)),
      script(.src(address)), linkElement(.href(address)),
    ] {
      #expect(element.description.contains("about:invalid"))
      #expect(!element.description.contains("javascript"))
    }
  }
}
