import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { directoriesWith, searchPath } from '../services/find-program.js'

type Environment = Readonly<Record<string, string>>

/** Runs curl command lines as a person in a terminal does. Returns their output in order. */
export async function runCurl(lines: string, env: Environment = {}): Promise<readonly string[]> {
  const [curl] = await directoriesWith(['curl'], searchPath())
  const run = curl === undefined ? fetchInstead : runInShell
  const answers: string[] = []
  for (const line of commandsIn(lines)) answers.push(await run(line, env))
  return answers
}

const commandsIn = (lines: string) =>
  lines
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')

async function runInShell(line: string, env: Environment): Promise<string> {
  const options = { env: { PATH: process.env.PATH, ...env } }
  return (await promisify(execFile)('sh', ['-c', line], options)).stdout
}

/** For machines without curl: parses the command line and sends the same request. */
async function fetchInstead(line: string, env: Environment): Promise<string> {
  const filled = line.replaceAll(/\$(\w+)/g, (_, name) => env[name] ?? '')
  const headers = [...filled.matchAll(/-H (['"])(.+?): (.+?)\1/g)].map(([, , name = '', value = '']) => [
    name,
    value,
  ])
  const body = /-d '([^']*)'/.exec(filled)?.[1]
  const response = await fetch(/http[^\s"]+/.exec(filled)?.[0] ?? '', {
    headers: Object.fromEntries(headers),
    ...(body !== undefined && { method: 'POST', body }),
  })
  return response.text()
}
