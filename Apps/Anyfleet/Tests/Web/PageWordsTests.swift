import AnyfleetWeb
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import Testing

struct PageWordsTests {
  @Test func `The English texts of a page are its default texts`() {
    #expect(PageTexts.in(.english) == .english)
  }

  @Test func `The texts of a page are in its language, and so is its language attribute`() {
    let words = PageTexts.in(.russian)
    #expect(words.language == "ru")
    for text in [words.skip, words.disconnected, words.notSent, words.dismiss] {
      #expect(text.contains(/[а-я]/) && !text.contains(/[a-z]/))
    }
  }
}
