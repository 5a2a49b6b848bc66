import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveCommands } from '@parley/stage/processes/part'

const [modelUrl = ''] = process.argv.slice(2)

/*
 * The minimal proxy for a model: it forwards every question and returns the stream unchanged. It stores nothing, so clients
 * cannot resume a broken stream.
 */
const server = createServer((question, answer) => {
  answer.on('error', () => undefined)
  const asked = send(modelUrl, { method: 'POST', headers: { 'content-type': 'application/json' } })
  asked.on('error', () => answer.destroy())
  asked.once('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, { 'content-type': 'text/event-stream' })
    response.pipe(answer)
  })
  question.pipe(asked)
})
server.listen(0, '127.0.0.1')
const listening = once(server, 'listening')

serveCommands(async () => {
  await listening
  return (server.address() as AddressInfo).port
})
