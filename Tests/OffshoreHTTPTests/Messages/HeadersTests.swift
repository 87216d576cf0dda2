import OffshoreHTTP
import Testing

struct HeadersTests {
  @Test func `Finds the first of several values of a name, regardless of case`() {
    let headers: Headers = ["Content-Type": "a", "X": "1", "x": "2"]
    #expect(headers["content-TYPE"] == "a")
    #expect(headers["x"] == "1")
    #expect(headers.all("X") == ["1", "2"])
    #expect(headers["Content"] == nil)
    #expect(headers.all("y") == [])
  }

  @Test func `Splits lists at commas, over all values of a name`() {
    let headers: Headers = ["A": " a\t,b c,, ", "B": "x", "a": "d", "C": "", "D": " , "]
    #expect(headers.list("A") == ["a", "b c", "d"])
    #expect(headers.list("C") == [] && headers.list("D") == [] && headers.list("E") == [])
  }

  @Test func `Replaces all values of a name, and removes them`() {
    var headers: Headers = ["X": "1", "Y": "3", "x": "2"]
    headers["X"] = "4"
    #expect(headers == ["Y": "3", "x": "4"])
    headers["y"] = nil
    #expect(headers == ["X": "4"])
    #expect(headers != ["X": "5"])
  }

  @Test func `Ignores the case of ASCII letters only`() {
    let headers: Headers = ["@": "1", "[": "2", "É": "3"]
    #expect(headers["`"] == nil)
    #expect(headers["{"] == nil)
    #expect(headers["é"] == nil)
  }

  @Test func `Keeps a value in one line`() {
    var headers = Headers()
    headers["A"] = "a\r\nb\0c\td\u{7F}é"
    #expect(headers["A"] == "a  b c d é")
  }
}
