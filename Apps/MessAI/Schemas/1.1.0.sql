CREATE TABLE conversations (
  id TEXT NOT NULL PRIMARY KEY,
  isGroup INTEGER NOT NULL DEFAULT 0,
  groupName TEXT,
  createdBy TEXT NOT NULL,
  createdAt REAL NOT NULL,
  participantIds TEXT NOT NULL DEFAULT '[]',
  lastMessage TEXT NOT NULL DEFAULT '',
  lastMessageAt REAL NOT NULL DEFAULT 0.0,
  unreadCount INTEGER NOT NULL DEFAULT 0,
  joinedAt REAL,
  isProvisional INTEGER NOT NULL DEFAULT 0,
  members TEXT NOT NULL DEFAULT '{}'
);

CREATE TABLE heldReceipts (
  id TEXT NOT NULL PRIMARY KEY REFERENCES receipts ON DELETE CASCADE,
  conversationId TEXT NOT NULL,
  isNew INTEGER NOT NULL
);

CREATE TABLE messages (
  id TEXT NOT NULL PRIMARY KEY,
  conversationId TEXT NOT NULL REFERENCES conversations ON DELETE CASCADE,
  senderId TEXT NOT NULL,
  text TEXT NOT NULL,
  imageURL TEXT,
  sentAt REAL NOT NULL,
  deliveredAt REAL,
  readAt REAL,
  status TEXT NOT NULL DEFAULT 'sent',
  replyToId TEXT,
  isSynced INTEGER NOT NULL DEFAULT 0,
  syncAttempts INTEGER NOT NULL DEFAULT 0,
  lastSyncError TEXT,
  needsSync INTEGER NOT NULL DEFAULT 0,
  thumbnailURL TEXT,
  isHidden INTEGER NOT NULL DEFAULT 0,
  isUnread INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE receipts (
  id TEXT NOT NULL PRIMARY KEY,
  conversationId TEXT NOT NULL REFERENCES conversations ON DELETE CASCADE,
  messageId TEXT NOT NULL REFERENCES messages ON DELETE CASCADE,
  userId TEXT NOT NULL,
  state TEXT NOT NULL,
  deliveredAt REAL,
  readAt REAL
);

CREATE INDEX idx_conversations_last ON conversations(lastMessageAt);

CREATE INDEX idx_messages_conversation ON messages(conversationId);

CREATE INDEX idx_messages_order ON messages(conversationId, sentAt);

CREATE INDEX idx_messages_sent ON messages(sentAt, id);

CREATE INDEX idx_messages_synced ON messages(isSynced);

CREATE INDEX idx_messages_unread ON messages(conversationId) WHERE isUnread = 1;

CREATE INDEX idx_receipts_conversation ON receipts(conversationId);

CREATE INDEX idx_receipts_message ON receipts(messageId, userId);

CREATE TRIGGER messages_deleted AFTER DELETE ON messages BEGIN
  UPDATE conversations SET unreadCount = (SELECT count(*) FROM messages WHERE conversationId = old.conversationId AND isUnread = 1), lastMessage = coalesce((SELECT text FROM messages WHERE conversationId = old.conversationId AND isHidden = 0 AND typeof(text) = 'text' AND typeof(sentAt) = 'real' ORDER BY sentAt DESC, id DESC LIMIT 1), ''), lastMessageAt = coalesce((SELECT sentAt FROM messages WHERE conversationId = old.conversationId AND isHidden = 0 AND typeof(text) = 'text' AND typeof(sentAt) = 'real' ORDER BY sentAt DESC, id DESC LIMIT 1), lastMessageAt) WHERE id = old.conversationId;
END;

CREATE TABLE "_text_messages_keys" (_text_id INTEGER PRIMARY KEY, _text_key0 TEXT COLLATE BINARY, UNIQUE (_text_key0));

CREATE TABLE "_text_messages_queue" (
  _text_id INTEGER PRIMARY KEY, _text_state INTEGER NOT NULL, _text_old0);

CREATE VIEW "_text_messages_rows" AS
SELECT "_text_messages_keys"._text_id AS _text_id, CASE WHEN length(CAST("messages"."text" AS BLOB)) = length("messages"."text") THEN "messages"."text" ELSE (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(_text_value, char(973), char(965)), char(910), char(933)), char(974), char(969)), char(911), char(937)), char(970), char(953)), char(938), char(921)), char(971), char(965)), char(939), char(933)), char(912), char(953)), char(944), char(965)) AS _text_value FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(_text_value, char(1025), char(1045)), char(940), char(945)), char(902), char(913)), char(941), char(949)), char(904), char(917)), char(942), char(951)), char(905), char(919)), char(943), char(953)), char(906), char(921)), char(972), char(959)), char(908), char(927)) AS _text_value FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(_text_value, char(1080, 774), char(1081)), char(1048, 774), char(1049)), char(1110, 776), char(1111)), char(1030, 776), char(1031)), char(1091, 774), char(1118)), char(1059, 774), char(1038)), char(1075, 769), char(1107)), char(1043, 769), char(1027)), char(1082, 769), char(1116)), char(1050, 769), char(1036)), char(1105), char(1077)) AS _text_value FROM (SELECT "messages"."text" AS _text_value)))) END AS "text" FROM "_text_messages_keys" CROSS JOIN "messages" ON "_text_messages_keys"._text_key0 = "messages"."id";

CREATE VIRTUAL TABLE "_text_messages_index" USING fts5("text", content = '_text_messages_rows', content_rowid = '_text_id', tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2');

CREATE TRIGGER "_text_messages_inserted" AFTER INSERT ON "messages" BEGIN
  INSERT INTO "_text_messages_keys" (_text_key0) SELECT new."id"
WHERE new."id" IS NOT NULL ON CONFLICT (_text_key0) DO NOTHING;
  INSERT INTO "_text_messages_queue" (_text_id, _text_state)
SELECT "_text_messages_keys"._text_id, EXISTS (SELECT 1 FROM "_text_messages_index_docsize" WHERE id = "_text_messages_keys"._text_id) * 2
FROM "_text_messages_keys" WHERE "_text_messages_keys"._text_key0 = new."id" ON CONFLICT (_text_id) DO NOTHING;
END;

CREATE TRIGGER "_text_messages_changing" BEFORE UPDATE OF "id", "text" ON "messages" WHEN old."id" IS NOT new."id" OR old."text" IS NOT new."text" BEGIN
  INSERT INTO "_text_messages_queue" (_text_id, _text_state, _text_old0)
SELECT "_text_messages_keys"._text_id, EXISTS (SELECT 1 FROM "_text_messages_index_docsize" WHERE id = "_text_messages_keys"._text_id), old."text"
FROM "_text_messages_keys" WHERE "_text_messages_keys"._text_key0 = old."id" ON CONFLICT (_text_id) DO NOTHING;
END;

CREATE TRIGGER "_text_messages_moved" AFTER UPDATE OF "id" ON "messages" WHEN old."id" IS NOT new."id" BEGIN
  INSERT INTO "_text_messages_keys" (_text_key0) SELECT new."id"
WHERE new."id" IS NOT NULL ON CONFLICT (_text_key0) DO NOTHING;
  INSERT INTO "_text_messages_queue" (_text_id, _text_state)
SELECT "_text_messages_keys"._text_id, EXISTS (SELECT 1 FROM "_text_messages_index_docsize" WHERE id = "_text_messages_keys"._text_id) * 2
FROM "_text_messages_keys" WHERE "_text_messages_keys"._text_key0 = new."id" ON CONFLICT (_text_id) DO NOTHING;
END;

CREATE TRIGGER "_text_messages_deleting" BEFORE DELETE ON "messages" BEGIN
  INSERT INTO "_text_messages_queue" (_text_id, _text_state, _text_old0)
SELECT "_text_messages_keys"._text_id, EXISTS (SELECT 1 FROM "_text_messages_index_docsize" WHERE id = "_text_messages_keys"._text_id), old."text"
FROM "_text_messages_keys" WHERE "_text_messages_keys"._text_key0 = old."id" ON CONFLICT (_text_id) DO NOTHING;
END;

CREATE TABLE _migrations (
  name TEXT PRIMARY KEY NOT NULL,
  position INTEGER NOT NULL,
  appliedAt TEXT,
  digest TEXT
);
INSERT INTO _migrations VALUES ('v1.0.0_createConversations', 1, NULL, NULL);
INSERT INTO _migrations VALUES ('v1.1.0_createHeldReceipts', 2, NULL, 'e1a0f918568a16e7');
