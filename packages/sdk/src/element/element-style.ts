/**
 * Colors and sizes are custom properties, so that a page can change them. Parts can be styled from outside. Light or dark
 * follows the user's preference or the attribute `theme`.
 */
export const elementStyle = `
:host { display: inline-block; color-scheme: light dark; font: var(--parley-font, 1rem/1.4 system-ui, sans-serif);
  color: var(--text); --text: var(--parley-text, light-dark(#1c1c1e, #f2f2f7));
  --accent: var(--parley-accent, #0b57d0); --on-accent: var(--parley-on-accent, #fff);
  --ground: var(--parley-background, light-dark(#fff, #1c1c1e)); --quiet: var(--parley-quiet, light-dark(#e6e6eb, #3a3a3c));
  --border: var(--parley-border, light-dark(#d0d0d7, #48484a)); --radius: var(--parley-radius, .6rem); }
:host([theme=light]) { color-scheme: light; }
:host([theme=dark]) { color-scheme: dark; }
:host([hidden]), [hidden] { display: none !important; }
button { font: inherit; border: 0; border-radius: var(--radius); padding: .5rem .9rem; cursor: pointer;
  background: var(--accent); color: var(--on-accent); }
button.plain { background: var(--quiet); color: var(--text); }
:focus-visible { outline: 2px solid light-dark(var(--accent), var(--text)); outline-offset: 2px; }
section { box-sizing: border-box; width: min(var(--parley-width, 22rem), 100vw); max-width: 100%; margin-top: .5rem;
  padding: .8rem; background: var(--ground); border: 1px solid var(--border); border-radius: var(--radius); gap: .6rem; }
section, ol, .cards { display: grid; grid-template-columns: minmax(0, 1fr); overflow-wrap: anywhere; }
.head, .who { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.who img { width: 2rem; height: 2rem; border-radius: 50%; object-fit: cover; }
.starters { display: flex; flex-wrap: wrap; gap: .4rem; }
:host([mode=floating]) { position: fixed; right: 1rem; bottom: 1rem; z-index: 2147483000; display: flex;
  flex-direction: column-reverse; align-items: flex-end; gap: .5rem; max-width: calc(100vw - 2rem); }
:host([mode=floating]) section { margin: 0; max-height: calc(100vh - 6rem); overflow-y: auto;
  box-shadow: 0 .5rem 2rem rgb(0 0 0 / .25); }
:host(:not([mode=floating])) [part=close] { display: none; }
.head output { flex: 1; }
[part=notice] { font-size: .85em; opacity: .8; }
svg { width: 6rem; height: 1.5rem; flex: none; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
ol { max-height: 16rem; overflow-y: auto; margin: 0; padding: 0; list-style: none; gap: .4rem; }
b { display: block; font-size: .8em; }
.cards { gap: .4rem; }
details { max-height: 12rem; overflow-y: auto; } summary { cursor: pointer; }
.card { padding: .6rem; border-radius: var(--radius); background: var(--quiet); }
.card .plain { background: var(--ground); }
p { margin: 0 0 .4rem; } a { color: inherit; }
form { display: flex; gap: .4rem; }
input { flex: 1; min-width: 0; font: inherit; padding: .4rem; color: inherit; background: var(--ground);
  border: 1px solid var(--border); border-radius: var(--radius); }
::placeholder { color: inherit; opacity: .8; }
`
