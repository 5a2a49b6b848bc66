import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml, iconSvg, renderPage, sendPage, wantsPage } from '../answer/html-page.js'
import type { App, Services } from '../services.js'
import type { FindConsole } from './console.js'
import { sendConsolePage } from './console.js'
import type { PingDatabase } from './health.js'

interface StartDependencies {
  readonly version: string
  readonly pingDatabase: PingDatabase
  readonly findConsole: FindConsole
}

/**
 * What whoever opens the bare address sees: the console in a browser, where it was built; elsewhere what this is and how to begin, which a
 * browser finds as a page at /start.
 */
export function registerStartRoute(
  app: App,
  services: Services,
  { version, pingDatabase, findConsole }: StartDependencies,
): void {
  const tellFacts = async (request: FastifyRequest, reply: FastifyReply) => {
    const isDatabaseUp = await pingDatabase().then(
      () => true,
      () => false,
    )
    const facts = startFacts(services, version, isDatabaseUp)
    return wantsPage(request) ? sendPage(reply, renderStartPage(facts)) : facts
  }
  app.get('/', async (request, reply) => {
    reply.headers(freshHeaders)
    const console = wantsPage(request) ? await findConsole() : null
    return console === null ? tellFacts(request, reply) : sendConsolePage(reply, console)
  })
  app.get('/start', (request, reply) => tellFacts(request, reply.headers(freshHeaders)))
  // Browsers ask for it unasked, on the reference's page too.
  app.get('/favicon.ico', async (_request, reply) => reply.type('image/svg+xml').send(iconSvg))
}

const freshHeaders = { vary: 'accept', 'cache-control': 'no-store' } as const

function startFacts(services: Services, version: string, isDatabaseUp: boolean): StartFacts {
  return {
    name: 'Parley',
    about:
      'A self-hosted service for AI agents: a REST API for agents, connections and tasks, questions in text, voice sessions over a WebSocket, tools with approval, an audit log.',
    version,
    state: {
      service: services.isDraining() ? 'shutting down' : isDatabaseUp ? 'ready' : 'waiting for its database',
      database: isDatabaseUp ? 'answers' : 'does not answer',
      engine: services.isEngineRunning() ? 'running' : 'starts when it is needed',
    },
    firstCalls: firstCalls(services.publicUrl()),
    links: [
      { what: 'The reference: every call, with examples', path: '/docs' },
      { what: "What's New", path: '/docs#description/whats-new' },
      { what: 'The contract, OpenAPI', path: '/openapi.json' },
      { what: 'The contract of the WebSocket, AsyncAPI', path: '/asyncapi.json' },
    ],
  }
}

function firstCalls(url: string): StartFacts['firstCalls'] {
  const key = `\\\n  -H "X-Org-Id: $ORG" -H "X-Api-Key: $KEY"`
  const json = `-H 'Content-Type: application/json'`
  return [
    {
      what: 'List the agents.',
      command: `export ORG='your organization' KEY='your key'\n\ncurl -s ${url}/api/v1/Agent ${key}`,
    },
    {
      what: 'Ask the newest one.',
      command:
        `AGENT=$(curl -s '${url}/api/v1/Agent?Limit=1' ${key} \\\n  | grep -o '"id":"[^"]*' | head -1 | cut -c7-)\n\n` +
        `curl -s ${url}/api/v1/Agent/$AGENT/question ${key} \\\n  ${json} -d '{ "question": "What time is it?" }'`,
    },
    {
      what: 'Get a way into a voice session with it.',
      command: `curl -s ${url}/api/v1/Agent/$AGENT/realtime-session ${key} \\\n  ${json} -d '{}'`,
    },
  ]
}

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

function renderStartPage({ name, about, version, state, firstCalls, links }: StartFacts): string {
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
