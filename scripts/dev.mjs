// `npm run dev`: compiles after each file change, and restarts the service if that succeeds. After a compile error the old
// service keeps running. Ctrl-C stops everything, a second one immediately.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const stopMilliseconds = 10_000
const say = (text) => console.log(`\n● ${text}\n`)

if (existsSync(`${root}.env`)) process.loadEnvFile(`${root}.env`)
// Sessions of a development service are not drained.
const env = { PARLEY_DRAIN_SECONDS: '1', ...process.env }

// Files for pages are not watched. After a change of the SDK, restart.
await build(['packages/sdk']).catch((error) => say(error.message))
const compiler = start(
  [
    'node_modules/typescript/bin/tsc',
    '-b',
    '--watch',
    '--preserveWatchOutput',
    'packages/contract',
    'packages/engine',
    'apps/server',
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
let service = null
let isStopping = false
/** Restarts never overlap. A request during a restart causes one more restart. */
let restarting = null
let isAskedAgain = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stopAll)
compiler.once('exit', (code) => {
  if (isStopping) return
  say(`The compiler ended with code ${code}.`)
  void stopAll()
})

for await (const line of createInterface(compiler.stdout)) {
  const errors = /Found (\d+) errors?\. Watching/.exec(line)?.[1]
  if (errors === '0') void restart()
  else if (errors !== undefined)
    say(
      `The code does not compile, ${service === null ? 'and no service is running' : 'and the service keeps running unchanged'}.`,
    )
  else if (/: error TS/.test(line)) console.log(line)
}

async function restart() {
  isAskedAgain = true
  if (restarting !== null) return
  restarting = (async () => {
    while (isAskedAgain && !isStopping) {
      isAskedAgain = false
      if (service !== null) say('Compiled. Restarting the service.')
      await end(service)
      if (!isStopping) service = startService()
    }
  })()
  await restarting
  restarting = null
}

function startService() {
  const started = start(['--enable-source-maps', 'apps/server/dist/main.js'])
  started.once('exit', (code, signal) => {
    if (service !== started) return
    service = null
    if (!isStopping && restarting === null)
      say(`The service ended with ${signal ?? `code ${code}`}. It restarts after the next change.`)
  })
  return started
}

/** Each child has its own process group. The terminal signals only this process, which forwards Ctrl-C once. */
function start(args, options = {}) {
  const detached = process.platform !== 'win32'
  return spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached,
    ...options,
  })
}

/** Signals the whole group, because the compiler and the workers are grandchildren. */
function signal(child, name) {
  if (process.platform === 'win32') child.kill(name)
  else process.kill(-child.pid, name)
}

async function end(child) {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const timer = setTimeout(() => signal(child, 'SIGKILL'), stopMilliseconds)
  signal(child, 'SIGTERM')
  await ended
  clearTimeout(timer)
}

async function stopAll() {
  if (isStopping) {
    if (service !== null) signal(service, 'SIGKILL')
    signal(compiler, 'SIGKILL')
    process.exit(1)
  }
  isStopping = true
  await Promise.all([end(service), end(compiler)])
  process.exit(0)
}
