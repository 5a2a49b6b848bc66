import { readCommand, usage } from './command-line.js'
import { startEngine } from './start-engine.js'

const write = (line: string) => process.stderr.write(`${line}\n`)
const command = readCommand(process.argv.slice(2))

switch (command.kind) {
  case 'help':
    process.stdout.write(usage)
    break
  case 'usage-error':
    write(`${command.message}\n\n${usage}`)
    process.exitCode = 2
    break
  case 'start':
    await run(command.options)
}

async function run(options: Parameters<typeof startEngine>[0]): Promise<void> {
  try {
    const engine = await startEngine({ ...options, log: write })
    process.stdout.write(`The engine listens on ${engine.url}\n`)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void engine.close())
  } catch (error) {
    write(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
