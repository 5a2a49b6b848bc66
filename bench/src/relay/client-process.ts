import WebSocket from 'ws'
import { inParallel } from '../processes/in-parallel.js'
import { serveCommands } from '../processes/part.js'
import { makeClientFrame } from './frames.js'
import { type ClientCommand, obey } from './load-parts.js'
import { LoadSide } from './load-side.js'

const openAtOnce = 20
const openTimeoutMilliseconds = 20_000

const side = new LoadSide({ makeFrame: makeClientFrame, canBurst: false })

/** Opens a socket and waits for the provider's first word, so that the whole way is known to be open. */
function open(url: string, certificate: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      skipUTF8Validation: true,
      ...(certificate !== undefined && { ca: certificate }),
    })
    const onLate = () => reject(new Error('A session did not open in time.'))
    const timer = setTimeout(onLate, openTimeoutMilliseconds)
    socket.once('error', reject)
    side.add(socket, () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

serveCommands<ClientCommand>(async (command) => {
  if (command.command !== 'open') return obey(side, command)
  const { urls, certificate } = command
  return inParallel(urls.length, openAtOnce, (index) => open(urls[index] ?? '', certificate))
})
