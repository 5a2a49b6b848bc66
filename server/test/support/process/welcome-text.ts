import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Credentials } from '../api-client.js'
import { directoriesWith, searchPath } from '../services/find-program.js'

export interface WelcomeText extends Credentials {
  readonly curlLine: string
  readonly talkLine: string
}

/** What a first start tells the operator. */
export function readWelcome(text: string): WelcomeText {
  const found = (pattern: RegExp) => {
    const match = pattern.exec(text)?.[1]
    if (match === undefined) throw new Error(`There is no ${pattern} in: ${text}`)
    return match
  }
  return {
    organizationId: found(/^ +X-Org-Id +(\S+)/m),
    apiKey: found(/^ +X-Api-Key +(.*\S)/m),
    curlLine: found(/^(curl .*\S)/m),
    talkLine: found(/^(ORG=.*\S)/m),
  }
}

/** Does with the line what a person does who has it in a terminal, and answers what comes back. */
export async function paste(
  curlLine: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly items: readonly { readonly name: string }[] }> {
  const [curl] = await directoriesWith(['curl'], searchPath())
  return JSON.parse(curl === undefined ? await fetchInstead(curlLine, env) : await runInShell(curlLine, env))
}

async function runInShell(line: string, env: Readonly<Record<string, string>>): Promise<string> {
  const options = { env: { PATH: process.env.PATH, ...env } }
  return (await promisify(execFile)('sh', ['-c', line], options)).stdout
}

/** For machines without curl: the same request, read off the line. */
async function fetchInstead(line: string, env: Readonly<Record<string, string>>): Promise<string> {
  const headers = [...line.matchAll(/-H (['"])(.+?): (.+?)\1/g)].map(([, , name = '', value = '']) => [
    name,
    value.startsWith('$') ? (env[value.slice(1)] ?? '') : value,
  ])
  const response = await fetch(/http\S+/.exec(line)?.[0] ?? '', { headers: Object.fromEntries(headers) })
  return response.text()
}
