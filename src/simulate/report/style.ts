// The report's looks: light, dark and on paper. Nothing is fetched, not even a font.
import { COLOURS } from './palette.ts'

function colours(theme: 'light' | 'dark'): string {
  return COLOURS.map((colour, at) => `--c${at}:${colour[theme]}`).join(';')
}

const CLASSES = COLOURS.map((_, at) => `.c${at}{stroke:var(--c${at})}`).join('\n')

const LIGHT = `color-scheme:light;--page:#ffffff;--ink:#1c1d20;--soft:#55585f;--faint:#dcdee3;--mark:#8a8d94;--wash:#f3f4f6;--win:41,14,155;${colours('light')}`
const DARK = `color-scheme:dark;--page:#15171a;--ink:#eceef1;--soft:#a9adb6;--faint:#34383f;--mark:#8d929c;--wash:#1e2126;--win:132,169,247;${colours('dark')}`

export const STYLE = `
:root{${LIGHT}}
@media screen and (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0 auto;padding:40px 24px 64px;max-width:968px;background:var(--page);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
h1{margin:0 0 8px;font-size:30px;line-height:1.2;letter-spacing:-.01em}
h2{margin:56px 0 12px;font-size:20px;line-height:1.3}
p{margin:0 0 12px}
.verdict{font-size:18px;max-width:46em}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 20px;margin:24px 0;font-size:14px}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
code{font:13px/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
code span{display:inline-block;max-width:100%}
figure{margin:0 0 8px}
figcaption,caption{color:var(--soft);font-size:13.5px;line-height:1.5;text-align:left}
figcaption{margin-top:6px;max-width:62em}
figcaption b,caption b{color:var(--ink)}
.setting{display:block;margin-top:4px;font-size:12.5px}
.again code{font-size:12px}
.scroll{overflow-x:auto}
svg{display:block;width:100%;height:auto;font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
.wide{min-width:640px}
text{fill:var(--ink)}
.axes text{fill:var(--soft)}
.axes .axis-title{fill:var(--ink)}
path{fill:none}
.grid{stroke:var(--faint);stroke-width:1}
.tick,.base{stroke:var(--mark);stroke-width:1}
.lines path{stroke-width:1.7;stroke-linejoin:round}
.lines .strong{stroke-width:3}
.lines circle{fill:var(--page);stroke-width:1.6}
.lines.thin path{stroke-width:1}
.lines.thin .strong{stroke-width:2}
.labels path{stroke-width:2.2}
.labels .strong{stroke-width:3.2}
.labels .leader{stroke:var(--mark);stroke-width:.7}
.mark,.lines .mark,.labels .mark{stroke:var(--mark);stroke-width:1.4;stroke-dasharray:1 3}
text.strong,.legend .strong{font-weight:700}
.value{fill:var(--soft);font-variant-numeric:tabular-nums}
.bar{stroke-width:12}
.bar.pale{stroke-opacity:.5}
.bars circle{fill:var(--page);fill-opacity:.75;stroke:var(--ink);stroke-width:1.1}
${CLASSES}
.multiples{display:grid;grid-template-columns:repeat(auto-fill,minmax(210px,1fr));gap:12px 8px}
.small{font-size:10px}
.panel-name{font-size:12px;font-weight:600}
.panel-note{font-size:10.5px;fill:var(--soft)}
.legend{display:flex;flex-wrap:wrap;gap:4px 20px;margin:0 0 12px;padding:0;list-style:none;font-size:13px}
.legend li{display:flex;align-items:center;gap:7px}
.legend svg{width:30px;height:10px}
.legend path{stroke-width:2.4}
.legend small{color:var(--soft);font-size:12px}
table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}
caption{padding:0 0 8px}
th,td{padding:3px 7px;text-align:right;font-weight:400;white-space:nowrap}
thead th{color:var(--soft);vertical-align:bottom}
thead tr:last-child th{border-bottom:1px solid var(--mark)}
thead th.group{border-bottom:1px solid var(--faint);text-align:center;color:var(--ink)}
tbody th{text-align:left}
tbody tr:nth-child(even){background:var(--wash)}
td b{font-weight:700}
.first{padding-left:22px}
thead tr:last-child th:first-child{text-align:left}
sub{font-size:.75em;line-height:0}
.wins td{text-align:center;padding:3px 4px;min-width:26px}
.wins thead th{text-align:center;padding:3px 4px}
.wins tbody tr{background:none}
.wins .w0{color:var(--soft)}
.wins .w1{background:rgba(var(--win),.08)}
.wins .w2{background:rgba(var(--win),.18)}
.wins .w3{background:rgba(var(--win),.3)}
.wins .w4{background:rgba(var(--win),.42);font-weight:700}
@media print{
:root{${LIGHT}}
@page{margin:16mm 14mm}
body{padding:0;max-width:none;font-size:11pt}
h2{margin-top:24px;break-after:avoid}
figure,table,tr,.legend{break-inside:avoid}
.scroll{overflow:visible}
.wide{min-width:0}
.multiples{grid-template-columns:repeat(4,1fr)}
table{font-size:8.5pt}
th,td{padding:2px 4px}
.wins td,tbody tr{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`
