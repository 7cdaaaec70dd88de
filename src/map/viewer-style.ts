// How a map that was saved as HTML looks around its picture: light or dark by the reader's wish.
import { MAP_COLOURS } from './map-colours.ts'

const { light, dark } = MAP_COLOURS

export const VIEWER_STYLE = `
:root{color-scheme:light;--ground:${light.ground};--text:${light.text};--soft:#565f5b;--line:#dde1df;--wash:#f1f3f2;--accent:#0b6b63}
@media (prefers-color-scheme:dark){:root{color-scheme:dark;--ground:${dark.ground};--text:${dark.text};--soft:#a3ada9;--line:#2f3735;--wash:#232928;--accent:#56c7b9}}
*{box-sizing:border-box}
html,body{height:100%}
body{margin:0;display:grid;grid-template:auto minmax(18rem,1fr)/minmax(0,1fr) min(22rem,38vw);background:var(--ground);color:var(--text);
font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
header{grid-column:1/-1;display:flex;flex-wrap:wrap;align-items:center;gap:6px 16px;padding:8px 14px;border-bottom:1px solid var(--line)}
h1{margin:0;font-size:17px;overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.soft{color:var(--soft);font-size:13px}
.tools{margin-left:auto;display:flex;flex-wrap:wrap;gap:6px 14px;align-items:center}
input,select,button{font:inherit;color:inherit;background:var(--ground);border:1px solid var(--soft);border-radius:6px;padding:4px 8px}
input{width:min(18rem,60vw)}
button{cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:1px}
main{position:relative;min-height:0;overflow:hidden;display:grid;grid-template-rows:minmax(0,1fr) auto}
canvas{display:block;width:100%;height:100%;touch-action:none;cursor:grab}
canvas.pointing{cursor:pointer}
canvas:focus-visible{outline-offset:-3px}
.zoom{position:absolute;right:10px;top:10px;display:grid;gap:6px}
.zoom button{width:36px;height:36px;padding:0;font-size:18px;line-height:1}
.foot{padding:4px 14px 6px;display:grid;gap:4px}
.foot p{margin:0}
.foot ul{display:flex;flex-wrap:wrap;gap:2px 14px;margin:0;padding:0;list-style:none;font-size:13px;max-height:6em;overflow:auto}
.mark{display:inline-block;width:11px;height:11px;border-radius:50%;margin-right:6px}
aside{border-left:1px solid var(--line);overflow:auto;padding:10px 14px;min-height:0}
aside h2{margin:4px 0 8px;font-size:16px;overflow-wrap:anywhere}
aside h3{margin:16px 0 4px;font-size:14px}
aside a{color:var(--accent)}
.address{margin:0 0 8px;overflow-wrap:anywhere;font-size:13px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;margin:0;font-size:14px;font-variant-numeric:tabular-nums}
dt{color:var(--soft)}
dd{margin:0}
ol{margin:0;padding:0;list-style:none}
li button{display:block;width:100%;border:0;background:none;padding:3px 6px;text-align:start;border-radius:4px;
white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
li button:hover{background:var(--wash)}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (max-width:700px){body{grid-template:auto minmax(18rem,1fr) minmax(0,40vh)/minmax(0,1fr)}aside{border-left:0;border-top:1px solid var(--line)}.tools{margin-left:0}#keys{display:none}.foot ul{max-height:3.2em}}
`
