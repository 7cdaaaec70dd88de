-- Words that very many pages have (src/search/segments/common-words.ts): two of them in a row are a term in the pages
-- that are numbered from `since` on. `level`: how common the word was then; it may become more common.
CREATE TABLE search.common_words (
  word text COLLATE "C" NOT NULL,
  level integer NOT NULL,
  since bigint NOT NULL,
  PRIMARY KEY (word, level)
);
