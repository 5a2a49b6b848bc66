import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { keepChild } from '../processes/kept-child.js'

const program = fileURLToPath(new URL('../../../../scripts/start-postgres.mjs', import.meta.url))

export interface PostgresProcess {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a PostgreSQL server in the same way as the tests. */
export async function startPostgres(): Promise<PostgresProcess> {
  const child = keepChild(spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] }))
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (line: string) => resolve(line.trim()))
    child.once('exit', () => reject(new Error('PostgreSQL did not start.')))
  })
  return {
    url,
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
