import AnyfleetWeb
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import Testing

struct PageWordsTests {
  @Test func `The words of a page in English are those that it has by itself`() {
    #expect(PageWords.in(.english) == .english)
  }

  @Test func `The words of a page are in its language, and say so`() {
    let words = PageWords.in(.russian)
    #expect(words.language == "ru")
    for text in [words.skip, words.disconnected, words.notSent, words.dismiss] {
      #expect(text.contains(/[а-я]/) && !text.contains(/[a-z]/))
    }
  }
}
