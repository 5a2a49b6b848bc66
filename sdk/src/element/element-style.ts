/** Colours and sizes are custom properties, so that a page can change them; parts can be styled from outside. */
export const elementStyle = `
:host { display: inline-block; font: var(--parley-font, 1rem/1.4 system-ui, sans-serif);
  color: var(--parley-text, #1c1c1e); --accent: var(--parley-accent, #0b57d0); }
:host([hidden]) { display: none; }
button { font: inherit; border: 0; border-radius: var(--parley-radius, .6rem); padding: .5rem .9rem; cursor: pointer;
  background: var(--accent); color: var(--parley-on-accent, #fff); }
button.plain { background: var(--parley-quiet, #e6e6eb); color: inherit; }
button:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.panel { box-sizing: border-box; width: min(var(--parley-width, 22rem), 100vw); margin-top: .5rem; padding: .8rem;
  background: var(--parley-background, #fff); border: 1px solid var(--parley-border, #d0d0d7);
  border-radius: var(--parley-radius, .6rem); display: grid; gap: .6rem; }
.panel[hidden] { display: none; }
.head { display: flex; align-items: center; gap: .5rem; }
.head output { flex: 1; }
.words { max-height: 16rem; overflow-y: auto; margin: 0; padding: 0; list-style: none; display: grid; gap: .4rem; }
.words b { display: block; font-size: .8em; opacity: .8; }
.card { padding: .6rem; border-radius: var(--parley-radius, .6rem); background: var(--parley-quiet, #e6e6eb); color: inherit; }
.card p { margin: 0 0 .4rem; } .card code { overflow-wrap: anywhere; }
form { display: flex; gap: .4rem; } input { flex: 1; min-width: 0; font: inherit; padding: .4rem; }
meter { width: 4rem; height: .6rem; }
@media (prefers-color-scheme: dark) { :host { color: var(--parley-text, #f2f2f7); --accent: var(--parley-accent, #0b57d0); }
  .panel { background: var(--parley-background, #1c1c1e); border-color: var(--parley-border, #48484a); }
  button.plain, .card { background: var(--parley-quiet, #3a3a3c); } }
`
