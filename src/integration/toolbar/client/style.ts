/** The panel looks like Astro's toolbar, which is always dark. */
export const STYLE = `
canvas[popover] { position: fixed; inset: 0; width: 100vw; height: 100vh; max-width: none; max-height: none;
  margin: 0; padding: 0; border: 0; background: none; pointer-events: none; }
.panel { position: fixed; inset: auto 0 72px; margin: 0 auto; padding: 0; width: min(560px, calc(100vw - 24px));
  max-height: min(640px, calc(100vh - 96px)); border: 1px solid #343841; border-radius: 12px; overflow: hidden;
  background: #13151a; color: #d8dee9; font: 14px/1.5 system-ui, sans-serif; box-shadow: 0 8px 32px #0008; }
@media (width < 700px) { .panel:has([aria-pressed="true"]) { max-height: 45vh; } }
.panel:not(:popover-open) { display: none; }
.scroll { max-height: inherit; box-sizing: border-box; overflow: auto; padding: 16px 20px 20px; overflow-wrap: anywhere; }
.scroll:focus-visible { outline: 2px solid #a8c7fa; outline-offset: -3px; }
h1 { font-size: 18px; margin: 0 0 4px; color: #fff; outline: none; }
h2 { font-size: 14px; margin: 18px 0 6px; color: #fff; }
p { margin: 0 0 8px; }
ul { margin: 0; padding: 0; list-style: none; }
li { margin: 0 0 6px; }
a { color: #a8c7fa; }
code, pre { font: 12px/1.5 ui-monospace, monospace; color: #c9d1e0; }
pre { margin: 6px 0; white-space: pre-wrap; }
details pre { max-height: 260px; overflow: auto; padding: 8px; background: #0b0c10; border-radius: 6px; white-space: pre; }
summary { cursor: pointer; }
.plus { color: #7ee2a0; } .minus { color: #ff9d94; } .soft { color: #a3abb9; }
.badge { display: inline-block; padding: 0 8px; border-radius: 99px; font-weight: 600; background: #2b303b; color: #fff; }
.badge.good { background: #12452a; color: #a5f0c0; } .badge.warn { background: #4f3a08; color: #ffe08a; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0; }
button { min-height: 32px; padding: 4px 12px; border: 1px solid #4a5060; border-radius: 8px; background: #20242d; color: #fff;
  font: inherit; cursor: pointer; }
button:hover { background: #2b303b; }
button:disabled { color: #a3abb9; cursor: default; }
button[aria-pressed="true"] { background: #3b2a66; border-color: #9b86e0; }
button:focus-visible, a:focus-visible, summary:focus-visible { outline: 2px solid #a8c7fa; outline-offset: 2px; }
.heat { display: flex; flex-wrap: wrap; align-items: center; gap: 10px; }
.heat p { margin: 0; flex: 1 1 200px; }
.problem { display: grid; gap: 4px; justify-items: start; padding: 10px 12px; margin: 8px 0; border-radius: 8px; background: #3d1a1a; color: #ffd5d1; }
.problem[hidden] { display: none; }
dl { display: flex; gap: 24px; margin: 0; }
dt { color: #a3abb9; font-size: 12px; } dd { margin: 0; font-size: 18px; color: #fff; }
.colors { display: flex; flex-wrap: wrap; gap: 4px 14px; }
.swatch { display: inline-block; width: 14px; height: 14px; margin-right: 6px; border: 1px solid #fff4; border-radius: 4px; vertical-align: -2px; }
time { color: #a3abb9; }
`;
