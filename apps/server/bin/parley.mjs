#!/usr/bin/env -S node --heap-growing-percent=200 --wasm-tiering-budget=1000000000
// The operator's command. It runs the built program with the settings of the file `.env` in the checkout, like `npm start`.
//
// The flags of V8 save processor time, and everything works without them. Frames are allocated outside the heap but count
// towards its growth: `--heap-growing-percent` lets more of them pass between two collections. V8 optimizes WebAssembly
// functions that run often: `--wasm-tiering-budget` keeps it from spending 1 to 1.5 s on PostgreSQL's at each start.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findProgram } from './programs.mjs'

const top = new URL('../../../', import.meta.url)
const program = findProgram('parley')
const envFile = fileURLToPath(new URL('.env', top))

if (!existsSync(program)) {
  process.stderr.write(
    'Parley is not built yet. Run one of these commands in its folder:\n\n' +
      '  npm ci && npm run build     Build it, then use parley\n' +
      '  npm ci && npm start         Build it and start the service\n\n',
  )
  process.exit(1)
}

// The reader may close the output early, as `head` does.
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
// The service and the client set their exit codes themselves.
if (exitCode !== 0) process.exitCode = exitCode
