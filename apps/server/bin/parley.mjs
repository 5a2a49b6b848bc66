#!/usr/bin/env node
// The operator's command. It runs what was built, with the settings of a file `.env` beside the checkout, as `npm start` does.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { findProgram } from './programs.mjs'

// V8 optimizes a WebAssembly function that runs often. PostgreSQL reaches V8's limit (1 800 000) with much of its code while it
// starts, and optimizing that took 1 to 1.5 s of processor time at each start. Must precede the embedded database.
setFlagsFromString('--wasm-tiering-budget=1000000000')

const top = new URL('../../../', import.meta.url)
const program = findProgram('parley')
const envFile = fileURLToPath(new URL('.env', top))

if (!existsSync(program)) {
  process.stderr.write(
    'Parley is not built yet. In its folder, run:\n\n' +
      '  npm ci && npm run build     builds it; then parley works\n' +
      '  npm ci && npm start         builds it and starts the service\n\n',
  )
  process.exit(1)
}

// Whoever reads what is printed may have seen enough, as `head` has.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const given = new Set(Object.keys(process.env))
if (existsSync(envFile)) process.loadEnvFile(envFile)
const namesFromFile = Object.keys(process.env).filter((name) => !given.has(name))

const { runParley } = await import(program.href)
const exitCode = await runParley({
  args: process.argv.slice(2),
  env: process.env,
  namesFromFile,
  streams: {
    isTTY: process.stdout.isTTY === true,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  },
  async talk(args) {
    process.argv.splice(2, process.argv.length, ...args)
    await import(new URL('apps/talk/dist/main.js', top).href)
  },
})
// One that has become the service or the client says itself how it ended.
if (exitCode !== 0) process.exitCode = exitCode
