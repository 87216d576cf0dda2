CREATE TABLE changes (
  id TEXT NOT NULL PRIMARY KEY,
  moment REAL NOT NULL,
  edits TEXT NOT NULL,
  position INTEGER NOT NULL,
  userID TEXT NOT NULL
);

CREATE TABLE locations (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  address TEXT NOT NULL DEFAULT '',
  position INTEGER NOT NULL DEFAULT 0,
  userID TEXT NOT NULL
);

CREATE TABLE shiftTypes (
  id TEXT NOT NULL PRIMARY KEY,
  symbol TEXT NOT NULL,
  duration TEXT NOT NULL DEFAULT '{"scheduled":{"from":{"hour":9,"minute":0},"to":{"hour":17,"minute":0}}}',
  title TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  locationID TEXT,
  color TEXT NOT NULL DEFAULT 'blue',
  position INTEGER NOT NULL DEFAULT 0,
  userID TEXT NOT NULL
);

CREATE TABLE shifts (
  id TEXT NOT NULL PRIMARY KEY,
  shiftTypeID TEXT NOT NULL,
  date TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  overtimeMinutes INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'planned',
  position INTEGER NOT NULL DEFAULT 0,
  userID TEXT NOT NULL
);

CREATE INDEX idx_changes_position ON changes(position, id);

CREATE INDEX idx_locations_position ON locations(position, id);

CREATE INDEX idx_shiftTypes_position ON shiftTypes(position, id);

CREATE INDEX idx_shifts_date ON shifts(date, id);

CREATE INDEX idx_shifts_position ON shifts(position, id);

CREATE TABLE _migrations (
  name TEXT PRIMARY KEY NOT NULL,
  position INTEGER NOT NULL,
  appliedAt TEXT,
  digest TEXT
);
INSERT INTO _migrations VALUES ('v1.0.0_createSchedule', 1, NULL, 'adc7c5427d9bee15');
