import { inParallel } from '../processes/in-parallel.js'
import { serveCommands } from '../processes/part.js'
import { makeClientFrame } from './frames.js'
import { type ClientCommand, obey } from './load-parts.js'
import { LoadSide } from './load-side.js'
import { openConnection } from './wire/handshake.js'

const openAtOnce = 20
const openTimeoutMilliseconds = 20_000

const side = new LoadSide({ makeFrame: makeClientFrame, isClient: true })

/** Opens a session and waits for the provider's first word, so that the whole way is known to be open. */
function open(url: string, certificate: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onLate = () => reject(new Error('A session did not open in time.'))
    const timer = setTimeout(onLate, openTimeoutMilliseconds)
    const onOther = () => {
      clearTimeout(timer)
      resolve()
    }
    openConnection(url, certificate).then((connection) => side.add(connection, onOther), reject)
  })
}

serveCommands<ClientCommand>(async (command) => {
  if (command.command !== 'open') return obey(side, command)
  const { urls, certificate } = command
  return inParallel(urls.length, openAtOnce, (index) => open(urls[index] ?? '', certificate))
})
