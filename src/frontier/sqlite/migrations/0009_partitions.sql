-- A frontier that several processes of a folder share has a file per partition. Only the owner of a
-- partition writes its file. A frontier in a file of its own leaves these tables empty.

-- One row: who may write, and what the others see of the partition.
CREATE TABLE ownership (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- '' if nobody owns it.
  owner TEXT NOT NULL,
  -- Grows with every claim.
  epoch INTEGER NOT NULL,
  -- 1 if the last owner gave it back, so that the time of its last requests is known.
  released INTEGER NOT NULL,
  summary TEXT NOT NULL
) STRICT;

-- Messages to other partitions. Their owners read them here; they are deleted after they were received.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  to_partition INTEGER NOT NULL,
  number INTEGER NOT NULL,
  body BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX outbox_number ON outbox (to_partition, number);

-- The last message of each sender that is part of the rows.
CREATE TABLE received (
  from_partition INTEGER PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
