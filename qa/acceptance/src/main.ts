import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { runAcceptance } from './acceptance.js'

const interruption = new AbortController()
let child: ReturnType<typeof spawn> | undefined

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (child !== undefined) return void child.kill(signal)
    if (interruption.signal.aborted) process.exit(1)
    process.stderr.write('\nRemoving the created resources …\n')
    interruption.abort(new Error('interrupted'))
  })

process.exitCode = await runAcceptance({
  args: process.argv.slice(2),
  env: process.env,
  terminal: {
    isColored: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
    write: (text) => void process.stdout.write(text),
  },
  errors: process.stderr,
  interrupted: interruption.signal,
  trust,
})

function trust(caFile: string): Promise<number> {
  try {
    accessSync(caFile, constants.R_OK)
  } catch {
    process.stderr.write(`Cannot read --ca: ${resolve(caFile)}\n`)
    return Promise.resolve(2)
  }
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: caFile }
  // Its own process group, so that a signal reaches it only once, through this process.
  child = spawn(process.execPath, process.argv.slice(1), { env, stdio: 'inherit', detached: true })
  return new Promise((settle, reject) => {
    child?.once('error', reject)
    child?.once('close', (code) => settle(code ?? 1))
  })
}
