import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTop, top } from '../../support/deploy/deploy-files.js'

const folders = readdirSync(join(top, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

const variables = ['PARLEY_URL', 'PARLEY_ORG_ID', 'PARLEY_API_KEY', 'PARLEY_AGENT_ID']

const programs = [
  'page/backend.mjs',
  'node/talk-from-wav.mjs',
  'node-backend/server.mjs',
  'websocket/backend.mjs',
]

/** Runs an example with only these variables, and returns its exit code and its errors. */
function runExample(path: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ code: unknown; stderr: string }>((resolve) =>
    execFile(process.execPath, [join(top, 'examples', path)], { env }, (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr }),
    ),
  )
}

describe('the examples', () => {
  test.each(programs)('%s names the variables that are missing [SDK-40]', async (path) => {
    const given = { PARLEY_URL: 'http://127.0.0.1:9', PARLEY_AGENT_ID: '' }
    expect(await runExample(path, given)).toEqual({
      code: 1,
      stderr:
        'Set the environment variables PARLEY_ORG_ID, PARLEY_API_KEY, PARLEY_AGENT_ID (see README.md).\n',
    })
  })

  test('the receiver names the secret that is missing [SDK-40]', async () => {
    expect(await runExample('webhook/receiver.mjs', {})).toEqual({
      code: 1,
      stderr: 'Set the environment variable WEBHOOK_SECRET (see README.md).\n',
    })
  })

  test('the pages cause no request for an icon [SDK-40]', () => {
    const pages = folders
      .flatMap((name) => readdirSync(join(top, 'examples', name)).map((file) => `examples/${name}/${file}`))
      .filter((path) => path.endsWith('.html'))
    expect(pages).toHaveLength(3)
    expect(pages.filter((path) => !readTop(path).includes('<link rel="icon" href="data:,"'))).toEqual([])
  })

  test('every example is in the list of examples [SDK-40]', () => {
    const listed = [...readTop('examples/README.md').matchAll(/\]\(([\w-]+)\)/g)].map(([, name]) => name)
    expect([...new Set(listed)].sort()).toEqual(folders)
  })

  test.each(folders)(
    'the commands in the README of %s name existing files and the same variables [SDK-40]',
    (name) => {
      const readme = readTop(`examples/${name}/README.md`)
      const [, block = ''] = /```sh\n([\s\S]*?)^```$/m.exec(readme) ?? []
      const commands = block.replaceAll(/ #.*$/gm, '')
      const files = [...commands.matchAll(/\b(?:node|vite|plan|apply|test) (\S+)/g)].map(
        ([, path = '']) => path,
      )
      expect(files).not.toEqual([])
      const missing = files.filter(
        (path) => !existsSync(join(top, path.startsWith('examples/') ? '' : `examples/${name}`, path)),
      )
      expect(missing).toEqual([])
      const own = ['BOOKING_TOKEN', 'WEBHOOK_SECRET']
      const set = [...commands.matchAll(/\b([A-Z_]+)=/g)].map(([, variable = '']) => variable)
      expect(set.filter((variable) => ![...variables, ...own].includes(variable))).toEqual([])
    },
  )
})

test('the documents set no other variables for service, organization, key and agent [SDK-40]', () => {
  const pages = ['guide', 'reference', 'internals'].flatMap((folder) =>
    readdirSync(join(top, 'docs', folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${folder}/${name}`),
  )
  const others = /\$(?:ORG|KEY|URL|AGENT)\b|\b(?:ORG|KEY|URL|AGENT)=|process\.env\.(?:ORG|KEY)\b/
  expect(['README.md', ...pages].filter((path) => others.test(readTop(path)))).toEqual([])
})
