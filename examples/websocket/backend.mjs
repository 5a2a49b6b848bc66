// Serves a page that talks to an agent without a library. The API key stays here: the page gets the address of one socket.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const missing = ['PARLEY_URL', 'PARLEY_ORG_ID', 'PARLEY_API_KEY', 'PARLEY_AGENT_ID'].filter(
  (name) => !process.env[name],
)
if (missing.length > 0) {
  console.error(`Set the environment variables ${missing.join(', ')} (see README.md).`)
  process.exit(1)
}

const { PARLEY_URL, PARLEY_ORG_ID, PARLEY_API_KEY, PARLEY_AGENT_ID, PORT = 3000 } = process.env

async function createSession() {
  const answer = await fetch(`${PARLEY_URL}/api/v1/Agent/${PARLEY_AGENT_ID}/realtime-session`, {
    method: 'POST',
    headers: { 'X-Org-Id': PARLEY_ORG_ID, 'X-Api-Key': PARLEY_API_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ approvedBy: 'staff' }), // otherwise visitors may approve tool calls themselves
  })
  const ticket = await answer.json()
  return answer.ok
    ? { address: PARLEY_URL.replace(/^http/, 'ws') + ticket.webSocketPath }
    : { problem: ticket.detail }
}

const server = createServer(async ({ method, url }, response) => {
  if (method === 'POST' && url === '/session') return response.end(JSON.stringify(await createSession()))
  if (url !== '/') return response.writeHead(404).end()
  response.setHeader('Content-Type', 'text/html')
  response.end(await readFile(new URL('page.html', import.meta.url)))
})
server.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`))
