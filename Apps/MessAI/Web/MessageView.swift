import Foundation
import MessAI
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire

/// A message in a conversation, as a bubble.
struct MessageView: Component, Equatable, Identifiable {
  let entry: ChatEntry
  /// The name of the author.
  let author: String
  /// Whether the name is above the text, because the message begins a run of messages of its author.
  let showsAuthor: Bool
  /// Whether the script reports when the message is in view.
  let isUnseen: Bool
  /// The name of the author of the answered message.
  let repliedAuthor: String?
  let language: Language
  let time: String
  /// The reason why the message was not sent yet.
  let sendingText: String?
  /// Whether the page was opened at the message.
  let isCurrent: Bool
  let canReply: Bool
  /// The latest edit of the message, if its text is not allowed.
  let refusedEdit: RefusedEdit?
  /// The address of the page.
  let address: String

  /// The beginning of the ids of messages on the page.
  static let idPrefix = "message-"

  var id: String { Self.idPrefix + entry.id }

  private var message: Message { entry.message }
  private func say(_ text: LocalizedText) -> String { text.in(language) }

  var html: HTML {
    article(
      .id(id), .class("bubble"), .class("own", if: entry.isOwn), .ariaLabel(author),
      isCurrent ? .ariaCurrent(.item) : .none, entry.isOwn ? .announcement("") : .none,
      isUnseen ? .data("unseen", "") : .none
    ) {
      if showsAuthor { span(.class("author")) { author } }
      quote
      picture
      if !message.text.isEmpty { p(.class("text")) { message.text } }
      foot
      if let sendingText { small(.class(isFailed ? "reason" : "waits")) { sendingText } }
    }
  }

  private var isFailed: Bool { message.status == .failed }

  @HTMLBuilder private var quote: HTML {
    if let reply = entry.reply {
      a(
        .class("quote"),
        .href(
          WindowPosition.around(reply.id).address(on: address, rowPrefix: Self.idPrefix))
      ) {
        if let repliedAuthor { strong { repliedAuthor } }
        " "
        reply.text.isEmpty ? say(.photo) : String(reply.text.prefix(100))
      }
    } else if message.replyToId != nil {
      span(.class("quote")) { say(.deletedMessage) }
    }
  }

  /// The thumbnail, which leads to the image; a text in its place until it has arrived.
  @HTMLBuilder private var picture: HTML {
    if message.imageURL != nil {
      if let thumbnail = entry.thumbnail {
        let picture = Picture(thumbnail.address, description: say(pictureText))
        if let image = entry.image {
          a(.class("picture"), .href(image.address)) { picture }
        } else {
          span(.class("picture")) { picture }
        }
      } else {
        span(.class("picture", "arriving")) { say(.photoArriving) }
      }
    }
  }

  private var pictureText: LocalizedText {
    entry.isOwn ? .ownPhoto : .photo(from: author)
  }

  /// The line of the time, the status and the menu.
  private var foot: HTML {
    div(.class("foot")) {
      small { time }
      if entry.isOwn {
        small(.class("failed", if: isFailed)) {
          span(.ariaHidden()) { message.status.symbol }
          " "
          say(message.status.title)
        }
      }
      if canReply || !entry.actions.isEmpty {
        Popover.menu(say(.actions(on: beginning)), id: "menu-\(entry.id)") { tools }
      }
    }
  }

  /// The beginning of the message, as the name of its menu.
  private var beginning: String {
    message.text.isEmpty ? say(.photo) : String(message.text.prefix(40))
  }

  @HTMLBuilder private var tools: HTML {
    if canReply {
      PostForm(to: address, id: "reply-\(entry.id)", nextField: Composer.textField) {
        HiddenValue("message", entry.id)
        SubmitButton(say(.reply), style: .plain, action: "reply")
      }
    }
    OwnMessageTools(entry, to: address, language, refusedEdit)
    if entry.actions.contains(.deleteHere) {
      PostForm(to: address, id: "hide-\(entry.id)") {
        HiddenValue("message", entry.id)
        SubmitButton(say(.deleteHere), style: .plain, action: "delete")
      }
    }
  }
}
