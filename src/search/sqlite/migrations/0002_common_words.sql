-- Words that very many pages have (src/search/segments/common-words.ts): two of them in a row are a term in the pages
-- that are numbered from `since` on. `level`: how common the word was then; it may become more common.
CREATE TABLE common_words (
  word TEXT NOT NULL,
  level INTEGER NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (word, level)
) STRICT, WITHOUT ROWID;
