// The look of the search box. It is alone in its shadow root: the style of the page does not reach it, except
// through the variables `--jelajah-…` and the parts that docs/SITE-SEARCH.md names.

const LIGHT =
  '--bg:#fff;--fg:#1c1f24;--dim:#59606b;--line:#8b929d;--accent:#0b57d0;--on:#e8f0fe;--hit:#ffe58a'
const DARK =
  '--bg:#1d2025;--fg:#e9ebee;--dim:#a8afba;--line:#7d8590;--accent:#8ab4f8;--on:#30384a;--hit:#6b5600'

/** A variable of the page, or our own by the theme. */
const v = (name: string, own: string): string => `var(--jelajah-${name},var(--${own}))`

export const STYLE = `
:host{${LIGHT};display:block;position:relative;font:inherit;line-height:1.5;white-space:normal;text-transform:none;letter-spacing:normal;text-indent:0;color-scheme:light}
@media(prefers-color-scheme:dark){:host(:not([theme=light])){${DARK};color-scheme:dark}}
:host([theme=dark]){${DARK};color-scheme:dark}
:host([hidden]),[hidden]{display:none!important}
*{box-sizing:border-box}
form{margin:0}
input{width:100%;font:inherit;padding:.55em .8em;color:${v('text', 'fg')};background:${v('background', 'bg')};border:1px solid ${v('line', 'line')};border-radius:${'var(--jelajah-radius,.5em)'}}
input::placeholder{color:${v('dim', 'dim')};opacity:1}
input:focus{outline:2px solid ${v('accent', 'accent')};outline-offset:1px}
.panel{position:absolute;z-index:var(--jelajah-layer,1000);inset-inline:0;top:100%;margin-top:.3em;max-height:min(70vh,32em);overflow:auto;overscroll-behavior:contain;color:${v('text', 'fg')};background:${v('background', 'bg')};border:1px solid ${v('line', 'line')};border-radius:${'var(--jelajah-radius,.5em)'};box-shadow:0 .4em 1.2em #0004;text-align:start}
.option{display:block;padding:.55em .8em;color:inherit;text-decoration:none;cursor:pointer;overflow-wrap:anywhere}
.option:hover,.option[aria-selected=true]{background:${v('selected', 'on')}}
.option[aria-selected=true]{outline:2px solid ${v('accent', 'accent')};outline-offset:-2px}
.title,.other{display:block;color:${v('accent', 'accent')};font-weight:600}
.url,.snippet,.note{display:block;font-size:.85em;color:${v('dim', 'dim')};line-height:1.4}
.snippet{color:inherit;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.note{margin:0;padding:.7em .8em;font-size:.95em}
mark{background:${v('mark', 'hit')};color:inherit;border-radius:.15em}
.heard{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media(forced-colors:active){.option[aria-selected=true]{outline-color:Highlight}mark{background:Mark;color:MarkText}}
`
