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
 * Serves `/`: the console in a browser, if it is built. Otherwise it describes the service and the first
 * calls, which browsers can also open at /start.
 */
export function registerStartRoute(
  app: App,
  services: Services,
  { version, pingDatabase, findConsole }: StartDependencies,
): void {
  const sendFacts = async (request: FastifyRequest, reply: FastifyReply) => {
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
    return console === null ? sendFacts(request, reply) : sendConsolePage(reply, console)
  })
  app.get('/start', (request, reply) => sendFacts(request, reply.headers(freshHeaders)))
  // Browsers request it for every page, including the reference.
  app.get('/favicon.ico', async (_request, reply) => reply.type('image/svg+xml').send(iconSvg))
}

const freshHeaders = { vary: 'accept', 'cache-control': 'no-store' } as const

function startFacts(services: Services, version: string, isDatabaseUp: boolean): StartFacts {
  return {
    name: 'Parley',
    about:
      'A self-hosted service for AI agents: REST API for agents, connections and tasks, text questions, voice sessions over WebSocket, tools with approval, and an audit log.',
    version,
    state: {
      service: services.isDraining() ? 'shutting down' : isDatabaseUp ? 'ready' : 'waiting for its database',
      database: isDatabaseUp ? 'answers' : 'does not answer',
      engine: services.isEngineRunning() ? 'running' : 'starts when it is needed',
    },
    firstCalls: firstCalls(services.publicUrl()),
    links: [
      { what: 'API reference with examples', path: '/docs' },
      { what: "What's New", path: '/docs#description/whats-new' },
      { what: 'OpenAPI contract', path: '/openapi.json' },
      { what: 'AsyncAPI contract of the WebSocket', path: '/asyncapi.json' },
    ],
  }
}

function firstCalls(url: string): StartFacts['firstCalls'] {
  const key = `\\\n  -H "X-Org-Id: $PARLEY_ORG_ID" -H "X-Api-Key: $PARLEY_API_KEY"`
  const json = `-H 'Content-Type: application/json'`
  return [
    {
      what: 'List the agents.',
      command: `export PARLEY_ORG_ID='your organization' PARLEY_API_KEY='your API key'\n\ncurl -s ${url}/api/v1/Agent ${key}`,
    },
    {
      what: 'Ask the newest agent.',
      command:
        `export PARLEY_AGENT_ID=$(curl -s '${url}/api/v1/Agent?Limit=1' ${key} \\\n  | grep -o '"id":"[^"]*' | head -1 | cut -c7-)\n\n` +
        `curl -s ${url}/api/v1/Agent/$PARLEY_AGENT_ID/question ${key} \\\n  ${json} -d '{ "question": "What time is it?" }'`,
    },
    {
      what: 'Start a voice session with it.',
      command: `curl -s ${url}/api/v1/Agent/$PARLEY_AGENT_ID/realtime-session ${key} \\\n  ${json} -d '{}'`,
    },
  ]
}

/** The content of the start page. Clients other than browsers get it as JSON. */
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
<h2>First calls</h2>
<p>The first start printed your organization ID and API key. To create another key, run <code>npx parley key create</code>.</p>
<ol>
${firstCalls.map(({ what, command }) => `<li>${escapeHtml(what)}<pre tabindex="0">${escapeHtml(command)}</pre></li>`).join('\n')}
</ol>
<h2>Learn more</h2>
<ul>
${links.map(({ what, path }) => `<li><a href="${escapeHtml(path)}">${escapeHtml(what)}</a></li>`).join('\n')}
</ul>
<p>Find the guides in the folder <code>docs</code> of the service.</p>`,
  )
}
