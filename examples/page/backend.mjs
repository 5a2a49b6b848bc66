// Serves the page, and creates a session for each authorized visitor. The API key stays here.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

const missing = ['PARLEY_URL', 'PARLEY_ORG_ID', 'PARLEY_API_KEY', 'PARLEY_AGENT_ID'].filter(
  (name) => !process.env[name],
)
if (missing.length > 0) {
  console.error(`Set the environment variables ${missing.join(', ')} (see README.md).`)
  process.exit(1)
}

const { PARLEY_URL, PARLEY_ORG_ID, PARLEY_API_KEY, PARLEY_AGENT_ID, PORT = '3000' } = process.env
const sdkFile = (name) => new URL(import.meta.resolve(`@parley/sdk/browser/${name}`))
const files = {
  '/': ['text/html', new URL('index.html', import.meta.url)],
  '/page.js': ['text/javascript', new URL('page.js', import.meta.url)],
  '/parley/realtime.js': ['text/javascript', sdkFile('realtime.js')],
  '/parley/audio.worklet.js': ['text/javascript', sdkFile('audio.worklet.js')],
}
const policy = `default-src 'none'; script-src 'self'; img-src data:; connect-src 'self' ${PARLEY_URL.replace('http', 'ws')} ${PARLEY_URL}`

const server = createServer(async (request, response) => {
  const send = (status, type, body) =>
    response.writeHead(status, { 'Content-Type': type, 'Content-Security-Policy': policy }).end(body)
  try {
    if (request.method === 'POST' && request.url === '/session')
      return send(201, 'application/json', await mint(request))
    const [type, path] = files[request.url] ?? []
    return path ? send(200, type, await readFile(fileURLToPath(path))) : send(404, 'text/plain', 'Not here.')
  } catch (error) {
    send(502, 'text/plain', error.message)
  }
})
server.listen(Number(PORT), '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`),
)

// Check here whether this visitor may talk to the agent. Continue only the visitor's own conversations.
async function mint(request) {
  const wanted = JSON.parse(Buffer.concat(await request.toArray()).toString())
  const reply = await fetch(`${PARLEY_URL}/api/v1/Agent/${PARLEY_AGENT_ID}/realtime-session`, {
    method: 'POST',
    headers: { 'X-Org-Id': PARLEY_ORG_ID, 'X-Api-Key': PARLEY_API_KEY, 'Content-Type': 'application/json' },
    // Staff decide on calls that need approval. By default, the visitor could decide as well.
    body: JSON.stringify({ ...wanted, approvedBy: 'staff' }),
  })
  const ticket = await reply.json()
  if (!reply.ok) throw new Error(ticket.detail)
  return JSON.stringify({ webSocketPath: new URL(ticket.webSocketPath, PARLEY_URL).href })
}
