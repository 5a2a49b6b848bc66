// A backend that creates realtime sessions for its own page. The API key stays here. The browser gets a single-use path.
import { createServer } from 'node:http'
import { ApiError, Parley } from '@parley/sdk'

const missing = ['PARLEY_URL', 'PARLEY_ORG_ID', 'PARLEY_API_KEY', 'PARLEY_AGENT_ID'].filter(
  (name) => !process.env[name],
)
if (missing.length > 0) {
  console.error(`Set the environment variables ${missing.join(', ')} (see README.md).`)
  process.exit(1)
}

const { PARLEY_URL, PARLEY_ORG_ID, PARLEY_API_KEY, PARLEY_AGENT_ID, PORT = '3000' } = process.env
const parley = new Parley({ baseUrl: PARLEY_URL, organizationId: PARLEY_ORG_ID, apiKey: PARLEY_API_KEY })

/** Returns the signed-in user of your own session. Replace this example: it treats every visitor as the same guest. */
const visitorOf = (_request) => ({ name: 'Guest' })

/** The owner of each conversation. Use a table in a real backend. */
const owners = new Map()

async function mintSession(visitor, { conversationId = null, clientTools = [] }) {
  // A visitor may only continue their own conversations, for example after a lost connection.
  if (conversationId !== null && owners.get(conversationId) !== visitor.name) return { status: 403 }
  const ticket = await parley.realtimeSessions.create(PARLEY_AGENT_ID, {
    conversationId,
    clientTools,
    // Staff decide on calls that need approval. By default, the visitor could decide as well.
    approvedBy: 'staff',
    additionalInstructions: `The visitor's name is ${visitor.name}.`,
  })
  owners.set(ticket.conversationId, visitor.name)
  return { status: 201, body: { ...ticket, webSocketPath: new URL(ticket.webSocketPath, PARLEY_URL) } }
}

const server = createServer(async (request, response) => {
  const answer = (status, body = {}) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (request.method !== 'POST' || request.url !== '/session') return answer(404)
  try {
    const { status, body } = await mintSession(visitorOf(request), await readJson(request))
    answer(status, body)
  } catch (error) {
    // The request id lets the operator of Parley find the cause. Visitors need no details.
    if (error instanceof ApiError) console.error(error.errorCode, error.message, error.requestId)
    else console.error(error)
    answer(502, { message: 'The agent is not available at the moment.' })
  }
})

async function readJson(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > 100_000) throw new Error('The request is too large.')
  }
  return text === '' ? {} : JSON.parse(text)
}

server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
