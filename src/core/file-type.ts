// Extensions of files that are surely no pages. What they really are is decided by the answer's
// content type; this list only saves the requests that could never bring text. Left out is what
// also ends names and titles: `.com`, `.ai`, `.app`, `.key`.

const NON_PAGES: Readonly<Record<string, string>> = {
  images:
    'apng avif bmp cr2 dng eps gif heic heif icns ico jfif jpe jpeg jpg nef png psd svg svgz tga tif tiff webp xcf',
  sound: 'aac aif aiff amr flac m3u m3u8 m4a mid midi mp2 mp3 oga ogg opus pls wav weba wma',
  video: '3gp asf avi f4v flv m2ts m4v mkv mov mp4 mpeg mpg mts ogv qt rmvb swf vob webm wmv',
  fonts: 'eot otf ttc ttf woff woff2',
  archives: '7z ace bz2 cab gz jar lz lz4 lzma rar tar tbz tbz2 tgz txz war whl xz zip zst',
  programs: 'apk appimage bin deb dll dmg exe img ipa iso msi msix pkg pyc rpm vhd vmdk wasm',
  office:
    'doc docm docx dotx epub fb2 indd mobi odg odp ods odt pdf potx pps ppsx ppt pptm pptx rtf vsd vsdx xls xlsb xlsm xlsx xlt xps djvu djv azw azw3',
  drawings: 'blend cdr dae dwf dwg dxf fbx obj skp stl stp',
  records:
    'csv dat db dbf geojson gpx ics json json5 jsonl jsonld kml kmz mdb ndjson parquet rdf shp sqlite sqlite3 tsv vcf',
  feeds: 'atom rss xml xsd xsl xslt',
  scripts: 'cjs css js less mjs sass scss',
  others: 'asc cer crl crt crx md5 p7s pem pfx sha1 sha256 sha512 sig torrent xpi',
}
const EXTENSIONS: ReadonlySet<string> = new Set(Object.values(NON_PAGES).join(' ').split(' '))
const LONGEST = 8

// Titles that look like file names: `/wiki/Node.js`, `/tags/three.js`, `/wiki/File:Map.svg`.
const TITLE = /(?:^|\/)(?:wiki|tags?|tagged|topics?)\/[^/]*$/i
const PROPER_NAME = /^[A-Z][A-Za-z]*\.js$/

/** The extension that makes this path a file, as in `.jpg`; null for what may be a page. */
export function nonPageExtension(path: string): string | null {
  const dot = path.lastIndexOf('.')
  if (dot < 0 || path.length - dot > LONGEST + 1) return null
  const extension = path.slice(dot + 1).toLowerCase()
  if (!EXTENSIONS.has(extension)) return null
  const name = path.slice(path.lastIndexOf('/') + 1)
  // A wiki's page about a file has a colon before its name.
  const isTitle = name.includes(':') || TITLE.test(path) || PROPER_NAME.test(name)
  return isTitle ? null : `.${extension}`
}
