import { escapeHtml, renderPage } from './html-page.js'

/** What the start page shows; other clients get the same as JSON. */
export interface StartFacts {
  readonly name: string
  readonly about: string
  readonly version: string
  readonly state: {
    readonly service: 'ready' | 'shutting down' | 'waiting for its database'
    readonly database: 'answers' | 'does not answer'
    readonly engine: 'running' | 'starts when it is needed'
  }
  readonly firstCalls: readonly { readonly what: string; readonly command: string }[]
  readonly links: readonly { readonly what: string; readonly path: string }[]
}

export function renderStartPage({ name, about, version, state, firstCalls, links }: StartFacts): string {
  const isWell = state.service === 'ready'
  return renderPage(
    name,
    `<h1>${escapeHtml(name)} <small>${escapeHtml(version)}</small></h1>
<p>${escapeHtml(about)}</p>
<dl>
${[
  ['Service', state.service, isWell],
  ['Database', state.database, state.database === 'answers'],
  ['Built-in engine', state.engine, true],
]
  .map(
    ([what, how, isGood]) => `<div><dt>${what}</dt><dd class="${isGood ? 'good' : 'bad'}">${how}</dd></div>`,
  )
  .join('\n')}
</dl>
<h2>The first calls</h2>
<p>Your organization and key were shown at the first start. Without one, <code>npx parley key create</code> makes another.</p>
<ol>
${firstCalls.map(({ what, command }) => `<li>${escapeHtml(what)}<pre tabindex="0">${escapeHtml(command)}</pre></li>`).join('\n')}
</ol>
<h2>Read on</h2>
<ul>
${links.map(({ what, path }) => `<li><a href="${escapeHtml(path)}">${escapeHtml(what)}</a></li>`).join('\n')}
</ul>
<p>Guides to sessions, questions, tools and running it are in the folder <code>docs</code> beside the service.</p>`,
  )
}
