-- `text`: the code of scripts and style sheets in the page, of crawls that keep it.
DROP VIEW page_styles;
CREATE VIEW page_styles (page_id, position, href, media, length, text) AS
SELECT page_id, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3
FROM page_parts, json_each(styles);
