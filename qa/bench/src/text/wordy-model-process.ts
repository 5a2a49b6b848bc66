import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { streamChat } from '@parley/stage/models/chat-stream'
import { serveCommands } from '@parley/stage/processes/part'

/** The number of words of an answer. Each is one piece of the stream. */
const [words = '100'] = process.argv.slice(2)

const server = createServer((request, response) => {
  response.on('error', () => undefined)
  request.resume()
  request.once('end', () => void streamChat(response, sentence(Number(words))))
})

function* sentence(count: number): Generator<object> {
  for (let index = 0; index < count; index += 1) yield { content: `word${index} ` }
}

server.listen(0, '127.0.0.1')
const listening = once(server, 'listening')

/** A text model that streams long answers as fast as the client reads them. */
serveCommands(async () => {
  await listening
  return (server.address() as AddressInfo).port
})
