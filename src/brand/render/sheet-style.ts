/**
 * Styles of the sheet. Its own design is restrained (hairlines, small labels), so that everything large shows the
 * brand.
 */
export const SHEET_STYLE = `
*, *::before, *::after { box-sizing: border-box }
html { -webkit-text-size-adjust: none }
body { margin: 0; background: #e9e9e7; color: #161616; font: 400 15px/1.5 system-ui, sans-serif; padding: 32px }
main { max-width: 1240px; margin: 0 auto; display: grid; gap: 24px }
h1, h2, h3, p, dl, dd, ul, figure { margin: 0; padding: 0 }
ul { list-style: none }
code, .hex { font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; font-size: 12px; letter-spacing: .01em }
.panel { background: var(--background); color: var(--text); border-radius: 20px; padding: 48px; overflow: hidden }
.label { font: 500 12px/1.4 system-ui, sans-serif; opacity: .68; letter-spacing: .01em }
.panel > .label { margin-bottom: 24px; padding-bottom: 12px; border-bottom: 1px solid color-mix(in srgb, currentColor 16%, transparent); display: flex; justify-content: space-between }
.cover { min-height: 300px; display: flex; flex-direction: column; justify-content: space-between; gap: 56px; background: var(--primary); color: var(--on-primary) }
.cover .mark { max-height: 56px; max-width: 280px; width: auto; align-self: start; object-fit: contain; box-sizing: content-box; display: block; background: var(--background); padding: 10px 14px; border-radius: 12px }
.cover h1 { font-family: var(--heading); font-weight: var(--heading-weight); font-size: clamp(48px, 8vw, 112px); line-height: .98; letter-spacing: -.025em; overflow-wrap: anywhere }
.cover .label { opacity: .85; display: flex; gap: 24px; flex-wrap: wrap; justify-content: space-between; border: 0; margin: 0; padding: 0 }
.swatches { display: grid; grid-template-columns: repeat(12, 1fr); gap: 12px }
.swatch { grid-column: span 3; border-radius: 14px; min-height: 168px; padding: 16px; display: flex; flex-direction: column; justify-content: space-between; background: var(--color); color: var(--on); box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--text) 12%, transparent) }
.swatch.large { grid-column: span 6; grid-row: span 2; min-height: 348px; padding: 24px }
.swatch b { font: 600 15px/1.3 system-ui, sans-serif }
.swatch.large b { font-size: 20px }
.swatch.large .sample { font: var(--heading-weight) 104px/1 var(--heading); letter-spacing: -.03em }
.swatch .foot { display: flex; justify-content: space-between; align-items: end; gap: 8px }
.derived { display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px; margin-top: 12px }
.derived li { display: grid; grid-template-columns: 44px 1fr; gap: 12px; align-items: center; padding: 8px; border-radius: 14px; border: 1px dashed color-mix(in srgb, currentColor 28%, transparent) }
.derived i { width: 44px; height: 44px; border-radius: 9px; background: var(--color); box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--text) 14%, transparent) }
.derived .label { display: block; line-height: 1.3 }
.derived b { display: block; font: 600 13px/1.3 system-ui, sans-serif }
.pairs { margin-top: 32px; display: grid; grid-template-columns: repeat(auto-fit, minmax(210px, 1fr)); gap: 12px }
.pair { border-radius: 14px; padding: 16px; background: var(--on); color: var(--color); box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--text) 12%, transparent) }
.pair p { font: 400 19px/1.35 var(--body) }
.pair .foot { color: var(--ink); display: flex; justify-content: space-between; gap: 8px; margin-top: 14px; font: 500 12px/1.4 system-ui, sans-serif; align-items: center; flex-wrap: wrap }
.grade { font: 600 11px/1 system-ui, sans-serif; padding: 4px 7px; border-radius: 99px; border: 1px solid currentColor; white-space: nowrap }
.type { display: grid; gap: 40px }
.face { display: grid; grid-template-columns: minmax(180px, 300px) 1fr; gap: 40px; align-items: start; padding-top: 28px; border-top: 1px solid color-mix(in srgb, currentColor 16%, transparent) }
.face:first-child { border-top: 0; padding-top: 0 }
.face .big { font-size: 152px; line-height: .9; letter-spacing: -.04em }
.face h3 { font-size: 44px; line-height: 1.08; letter-spacing: -.02em; font-weight: inherit; overflow-wrap: anywhere }
.face .glyphs { font-size: 21px; line-height: 1.5; margin-top: 14px; overflow-wrap: anywhere }
.weights { display: flex; flex-wrap: wrap; gap: 8px 24px; margin-top: 18px; font-size: 19px }
.weights span { font: 500 11px/1 system-ui, sans-serif; opacity: .65; margin-left: 6px }
.logos { display: grid; grid-template-columns: repeat(var(--grounds), 1fr); gap: 12px }
.logos figure { border-radius: 14px; height: 190px; display: grid; place-items: center; position: relative; padding: 28px; background: var(--ground); color: var(--ink); box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--ink) 12%, transparent) }
.logos img { max-width: 78%; max-height: 92px; min-height: 28px; object-fit: contain }
.logos .small img { max-width: 64px; max-height: 64px }
.logos figcaption { position: absolute; left: 14px; bottom: 10px; right: 14px; font: 500 11px/1.3 system-ui, sans-serif; opacity: .72; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.logos .missing { font: 500 13px/1.4 system-ui, sans-serif; opacity: .75; text-align: center; overflow-wrap: anywhere }
.use { display: grid; grid-template-columns: 1.2fr .8fr; gap: 40px; align-items: center }
.use h2 { color: var(--heading-color); font: var(--heading-weight) 44px/1.08 var(--heading); letter-spacing: -.02em; margin-bottom: 14px; text-wrap: balance }
.use p { font: 400 18px/1.6 var(--body); max-width: 34em }
.use a { color: var(--link) }
.actions { display: flex; gap: 12px; flex-wrap: wrap; margin-top: 24px }
.actions span { font: 600 15px/1 var(--body); padding: 14px 20px; border-radius: 10px; background: var(--primary); color: var(--on-primary) }
.actions .hover { background: var(--primary-hover) }
.actions .quiet { background: transparent; color: var(--primary-text); box-shadow: inset 0 0 0 1.5px var(--primary-text) }
.card { background: var(--surface); border: 1px solid var(--border); border-radius: 16px; padding: 28px }
.card p { font-size: 15px; margin-top: 10px }
.card b { font: var(--heading-weight) 22px/1.2 var(--heading) }
.card pre { margin: 16px 0 0; font: 400 13px/1.6 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; padding: 14px 16px; border-radius: 10px; background: color-mix(in srgb, var(--text) 7%, transparent) }
@media (max-width: 800px) {
  body { padding: 12px } .panel { padding: 24px; border-radius: 14px }
  .swatch, .swatch.large { grid-column: span 6 } .swatch.large { grid-column: span 12 }
  .logos, .derived { grid-template-columns: 1fr } .face, .use { grid-template-columns: 1fr; gap: 20px } .face .big { font-size: 96px }
}
@media print { body { background: none; padding: 0 } .panel { break-inside: avoid } * { print-color-adjust: exact; -webkit-print-color-adjust: exact } }
`;
