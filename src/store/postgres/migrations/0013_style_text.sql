-- `text`: the code of scripts and style sheets in the page, of crawls that keep it.
CREATE OR REPLACE VIEW page_styles (page_id, position, href, media, length, text) AS
SELECT page_id, nth - 1, value ->> 0, value ->> 1, (value ->> 2)::bigint, value ->> 3
FROM page_parts, json_array_elements(styles::json) WITH ORDINALITY AS part (value, nth);
