import { startEngine } from '@parley/engine'
import { serveCommands } from '@parley/stage/processes/part'
import type { Runtime } from './real-time-factors.js'

export interface StartCommand {
  readonly command: 'start'
  readonly runtime: Runtime
}

/** An engine in its own process, so that its memory and processor time can be measured. Returns its address. */
serveCommands<StartCommand>(async ({ runtime }) => {
  const engine = await startEngine({ host: '127.0.0.1', port: 0, secret: null, runtime })
  return engine.url
})
