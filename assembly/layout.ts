// Where the scan keeps its numbers, its tables and the rows of the outline, and what may be there: every page has
// the same places, behind which its text and its source follow (src/parser/html/page-memory.ts).

/** State: 32-bit numbers, by their index. */
export const STATE: usize = 4096
export const TEXT_AT = 0
export const TEXT_FLOOR = 1
export const KEEPS_LINES = 2
export const SOURCE_BASE = 3
export const TEXT_BASE = 4
export const LAST_GREATER = 5
export const TAG_COUNT = 6
export const TAG_FROM = 7
export const TAG_AT = 8
export const TAG_ELEMENT = 9
export const TAG_HASH = 10
export const TAG_CLOSES = 11
export const IN_BODY = 12
export const TOO_DEEP = 13
export const PRES = 14
export const BLOCK_FROM = 15
export const BLOCK_SOURCE = 16
export const LAST_BREAK = 17
export const LINK_FROM = 18
export const LINK_BYTES = 19
export const LINKS = 20
export const ROW_CELLS = 21
export const DEPTH = 22
export const CONTAINER_COUNT = 23
export const WORD_COUNT = 24
export const BLOCK_COUNT = 25
export const CUT = 26
/** Numbers of the attributes that the scan asks for. */
export const CLASS = 32
export const ID = 33
export const ROLE = 34
export const ITEMPROP = 35
export const HIDDEN = 36
export const STYLE = 37
export const ARIA_HIDDEN = 38
export const COLSPAN = 39
export const ROWSPAN = 40

/** Attributes of the last tag: in which tag each was seen, and the range of its value. */
export const SEEN_IN: usize = 4352
export const VALUE_FROM: usize = 4608
export const VALUE_TO: usize = 4864
/** Rows of the open containers. */
export const OPEN_ROWS: usize = 5120

/** Tables of html-names.ts: by byte, by element, and by hash. */
export const NAME_BYTES: usize = 6144
export const ATTRIBUTE_BYTES: usize = 6400
export const BEHAVIOURS: usize = 6656
export const RANKS: usize = 6912
export const STARTS: usize = 7168
export const ENDS: usize = 7424
export const TRAITS: usize = 7680
export const FLAGS: usize = 8192
export const ELEMENT_HASHES: usize = 8704
export const ELEMENT_NUMBERS: usize = 12800
export const ATTRIBUTE_HASHES: usize = 13824
export const ATTRIBUTE_NUMBERS: usize = 17920

/** Containers: one column after the other. */
export const C_ELEMENT: usize = 20480
export const C_HIDDEN: usize = 51200
export const C_NAME_HASH: usize = 81920
export const C_PARENT: usize = 201984
export const C_TEXT_FROM: usize = 322048
export const C_TEXT_TO: usize = 442112
export const C_BLOCK_FROM: usize = 562176
export const C_BLOCK_TO: usize = 682240
export const C_SOURCE_FROM: usize = 802304
export const C_WORD_FROM: usize = 922368
export const C_WORD_TO: usize = 1042432
export const C_SIGNATURE: usize = 1162496
/** Blocks. */
export const B_CONTAINER: usize = 1282560
export const B_TEXT_FROM: usize = 1402624
export const B_TEXT_TO: usize = 1522688
export const B_SOURCE_FROM: usize = 1642752
export const B_SOURCE_TO: usize = 1762816
export const B_LINK_BYTES: usize = 1882880
export const B_LINKS: usize = 2002944
/** Words of all containers, as hashes. */
export const WORDS: usize = 2123008
export const PAGE_AT: usize = 5003264

/** Per page, and per container. */
export const MAX_CONTAINERS = 30000
export const MAX_BLOCKS = 30000
export const MAX_DEPTH = 256
export const MAX_WORDS = 24

/** Bits of FLAGS. */
export const FLAG_BR = 1
export const FLAG_TABLE = 2
export const FLAG_FORM = 4
export const FLAG_P = 8
export const FLAG_LI = 16
export const FLAG_DT = 32
export const FLAG_DD = 64
export const FLAG_BUTTON = 128
export const FLAG_LABEL = 256
export const FLAG_ROOT = 512
export const FLAG_PRE = 1024
export const FLAG_FALLBACK = 2048
export const FLAG_SAME = 4096

/** STARTS and ENDS: what the scan does with a tag by itself; anything else is reported. */
export const REPORTED = 0
export const INLINE = 1
export const OUTLINED = 2
/** Outlined, unless it spans other cells. */
export const CELL = 3
/** Reported as a link, where nothing else concerns its tag. */
export const LINK = 4

/** What the scan has come to. */
export const AT_END = 0
export const AT_START_TAG = 1
export const AT_END_TAG = 2
/** A `<` that begins something else. */
export const AT_MARKUP = 3
export const AT_REFERENCE = 4
/** The tags of a plain link. */
export const AT_LINK = 5
export const AT_LINK_END = 6
