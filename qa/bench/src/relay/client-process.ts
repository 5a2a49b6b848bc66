import { setTimeout as sleep } from 'node:timers/promises'
import { makeClientFrame } from '@parley/stage/load/frames'
import { inParallel } from '@parley/stage/processes/in-parallel'
import { serveCommands } from '@parley/stage/processes/part'
import { type ClientCommand, type OpenCommand, obey } from './load-parts.js'
import { LoadSide } from './load-side.js'
import { LoadSocket } from './wire/load-socket.js'

const openConcurrency = 20
const openTimeoutMilliseconds = 20_000

const side = new LoadSide({ makeFrame: makeClientFrame, canBurst: false })

/** Opens a session and waits for the provider's first event, which proves that the whole path is open. */
async function open(url: string, { certificate }: OpenCommand): Promise<void> {
  let onHeard: () => void = () => undefined
  const heard = new Promise<void>((resolve) => {
    onHeard = resolve
  })
  side.add(await LoadSocket.open(url, certificate, side.listener(onHeard)))
  await heard
}

async function late(): Promise<never> {
  await sleep(openTimeoutMilliseconds, undefined, { ref: false })
  throw new Error('A session did not open in time.')
}

serveCommands<ClientCommand>(async (command) => {
  if (command.command !== 'open') return obey(side, command)
  const { urls } = command
  return inParallel(urls.length, openConcurrency, (index) =>
    Promise.race([open(urls[index] ?? '', command), late()]),
  )
})
