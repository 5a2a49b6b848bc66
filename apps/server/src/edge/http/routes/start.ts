import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendConsolePage } from '../answer/console-page.js'
import { iconSvg, sendPage, wantsPage } from '../answer/html-page.js'
import { renderStartPage, type StartFacts } from '../answer/start-page.js'
import type { App, Services } from '../services.js'
import type { FindConsole } from './console.js'
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
