import OffshoreHTTP

extension Operation {
  /// The operations of devices.
  static let sync = [
    Operation(
      method: .post, pattern: "v1/push", summary: "Applies the changes of a device.",
      body: .message,
      answers: [
        Answer(200, "What became of each batch.", .message),
        Answer(426, "The device's protocol or manifest is too old.", .message),
      ], speaksMessages: true),
    Operation(
      method: .post, pattern: "v1/pull", summary: "Returns the changes that a device lacks.",
      body: .message,
      answers: [
        Answer(200, "A page of each scope.", .message),
        Answer(426, "The device's protocol or manifest is too old.", .message),
      ], speaksMessages: true),
    Operation(
      method: .get, pattern: "v1/events",
      summary: "Tells which scopes have changed, as server-sent events.",
      answers: [Answer(200, "Hints, until the client goes.", .events)], speaksMessages: true),
  ]

  private static let tag = ["ETag": "The validator of the document."]

  /// The operations for monitoring, and for the description itself.
  static let health = [
    Operation(
      method: .get, pattern: "healthz", summary: "Tells that the process is alive.",
      answers: [Answer(200, "It is.", .text)], isOpen: true),
    Operation(
      method: .get, pattern: "metrics", summary: "Tells Prometheus how the server does.",
      answers: [
        Answer(200, "The metrics.", .metrics),
        .problem(403, "It is asked from another machine, without the token for it."),
        .problem(429, "That was too often.", headers: retryAfter),
      ], isOpen: true),
    Operation(
      method: .get, pattern: "readyz", summary: "Tells whether the data can be read.",
      answers: [Answer(200, "It can.", .text), Answer(503, "It cannot.", .text)], isOpen: true),
    Operation(
      method: .get, pattern: "v1/openapi.json", summary: "Describes the server.",
      parameters: [.header("If-None-Match", "The ETag of the copy that the client has.")],
      answers: [
        Answer(200, "The document.", .json(["type": "object"]), headers: tag),
        Answer(304, "The client's copy is current.", headers: tag),
      ], isOpen: true),
  ]
}
