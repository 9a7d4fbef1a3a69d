#include "reports/html_style.h"

namespace assay {

// Colours of text keep a contrast of at least 4.5 to 1 against their background in both schemes
// (WCAG 2.1, success criterion 1.4.3); no meaning hangs on a colour alone.
std::string_view html_style() {
  return R"css(
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--panel:#f6f8fa;
--good:#116329;--bad:#a40e26;--warn:#7d4e00;--link:#0550ae;--bar:#3b6fb6;--bar2:#b35900;--mark:#ffe08a;--markink:#1b1f24}
@media (prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--soft:#9da7b1;--line:#3d444d;
--panel:#161b22;--good:#56d364;--bad:#ff8a80;--warn:#e3b341;--link:#79b8ff;--bar:#6ba3e8;--bar2:#f0a35e;
--mark:#7a5c00;--markink:#fff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:76rem;margin:0 auto;padding:0 1rem}
h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.3rem;margin:2.2rem 0 .6rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}
h3{font-size:1.1rem;margin:1.5rem 0 .4rem}h4{font-size:1rem;margin:1rem 0 .3rem}
a{color:var(--link)}a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{position:static;display:inline-block;padding:.5rem}
code,.bits{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}
pre{background:var(--panel);border:1px solid var(--line);padding:.6rem;white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0}
.counts{display:flex;flex-wrap:wrap;gap:.6rem;margin:.8rem 0}
.counts div{background:var(--panel);border:1px solid var(--line);border-radius:.4rem;padding:.4rem .9rem;display:flex;flex-direction:column-reverse}
.counts dt{color:var(--soft);font-size:.9rem}.counts dd{margin:0;font-size:1.5rem;font-variant-numeric:tabular-nums}
.facts{margin:.5rem 0}.facts div{display:flex;flex-wrap:wrap;gap:0 .6rem;padding:.1rem 0}
.facts dt{color:var(--soft);min-width:11rem}.facts dd{margin:0;flex:1 1 14rem}
.good{color:var(--good)}.bad{color:var(--bad);font-weight:700}.warn{color:var(--warn);font-weight:600}.soft{color:var(--soft)}
.alert{border:2px solid var(--bad);border-radius:.4rem;padding:.5rem .9rem;margin:.8rem 0}
.scroll{overflow-x:auto;margin:.5rem 0;max-width:100%}
table{border-collapse:separate;border-spacing:0;border:solid var(--line);border-width:1px 0 0 1px;font-size:.92rem;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);padding:.2rem 0}
th,td{border:solid var(--line);border-width:0 1px 1px 0;padding:.22rem .55rem;text-align:left;vertical-align:top;overflow-wrap:normal}
thead th,thead td{background:var(--panel)}
tbody th{font-weight:400;position:sticky;left:0;background:var(--paper);min-width:8rem;max-width:24rem;overflow-wrap:break-word}
tr.got td,tr.got th{border-top-width:2px}
.bits{white-space:nowrap;letter-spacing:.04em}
mark{background:var(--mark);color:var(--markink)}
details{border:1px solid var(--line);border-radius:.4rem;margin:.4rem 0;padding:0 .8rem}
details[open]{padding-bottom:.6rem}summary{cursor:pointer;padding:.35rem 0}
figure{margin:.8rem 0}figcaption{font-size:.95rem}figure details{border:0;padding:0}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr));gap:.2rem 1.6rem}
svg{width:100%;height:auto;max-width:44rem;display:block}
svg text{fill:var(--ink);font:12px system-ui,sans-serif}svg .axis{stroke:var(--soft);stroke-width:1}
svg .grid{stroke:var(--line);stroke-width:1}svg .s0{fill:var(--bar)}svg .s1{fill:var(--bar2)}
.key{display:inline-block;width:.8em;height:.8em;margin:0 .3em 0 .8em}.key.s0{background:var(--bar)}.key.s1{background:var(--bar2)}
footer{color:var(--soft);border-top:1px solid var(--line);margin-top:2rem;padding:1rem}
@media (max-width:40rem){.facts dt{min-width:100%}tbody th{max-width:11rem}}
@media print{:root{--paper:#fff;--ink:#000;--soft:#444;--line:#999;--panel:#fff;--good:#000;--bad:#000;--link:#000}
header,main,footer{max-width:none}.skip{display:none}.scroll{overflow:visible}table{font-size:.75rem}
tbody th{position:static}details::details-content{content-visibility:visible;block-size:auto}
figure,tr,.counts{break-inside:avoid}h2,h3,h4,summary{break-after:avoid}}
)css";
}

}  // namespace assay
