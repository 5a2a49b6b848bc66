import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RealtimeSessionTicket } from '@parley/contract'
import { describe, expect, inject, test } from 'vitest'
import { settings } from '#server/config/settings.js'
import { projectPath, readJson, readProjectFile } from '../../house/source-files.js'
import { runCommand } from '../../support/cli/run-command.js'
import { readYaml, valueAt } from '../../support/deploy/deploy-files.js'
import { send } from '../../support/http/send.js'
import { startBackend } from '../../support/process/backend-process.js'
import { runnableBlocksIn, shellBlocksIn, unrunCommands } from '../../support/process/documented-commands.js'
import { runShellBlocks } from '../../support/process/run-guide.js'
import { startService } from '../../support/start-service.js'

/** The expected output of each block of a page, in order. A block that only sets variables prints nothing. */
const pages: Readonly<Record<string, readonly RegExp[]>> = {
  deploying: [/"status":"ready"[\s\S]+No problems found\.$/m, /^[\w+/]{64}$/m],
  start: [/"name":"Front desk"/, /^$/, /"answer":"It is .+"status":"completed"/, /"response\.completed"/],
  'first-agent': [
    /^$/,
    /^$/,
    /^We open at 9 and close at 18\.$/m,
    /^Your name is Lena\.\nuser: When do you open\?$/m,
    /^\["current_time"\][\s\S]+"answer": "It is .+[\s\S]+"current_time"/,
    /^\{"number":2,"changed":\["tools"\]\}\n\{"number":1,.+\n\[\]\n\["current_time"\]$/m,
    /"kind":"embedded","isDefault":true\}\nballad$/m,
    /^\["[\w-]{36}"\]$/m,
    /^4 to change\.$[\s\S]+^Applied 4 of 4 changes\.$/m,
  ],
  'tools-and-approvals': [
    /^$/,
    /^$/,
    /"url": "https:\/\/shop\.example\.com\/orders\/17"/,
    /"answer": "The status is sent\."/,
    /"status": "waiting_for_approval"/,
    /"tool": "create_task"/,
    /"state":"approved"/,
    /^Done\..*\ncall Anna back$/m,
  ],
  text: [
    /^$/,
    /"answer":"It is .+"status":"completed"/,
    /^You are welcome\.$/m,
    /"response\.completed"/,
    /^id: 3\n[\s\S]+"response\.completed"/m,
    /^$/,
  ],
  tasks: [
    /^$/,
    /"status":"in_progress"/,
    /"status": "done",\s+"result": "It is /,
    /^in_progress\ncancelled$/m,
    /"nextRunAt": "20\d\d-/,
  ],
  'testing-agents': [/^$/],
}

const guide = readdirSync(projectPath('docs/guide')).sort()

/** Creates a folder to run commands in, with the programs of a clone. */
async function newClone(): Promise<string> {
  const folder = await newFolder()
  await symlink(projectPath('node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Returns the first JavaScript block of a page. */
const programIn = (page: string) => /```js\n([\s\S]+?)^```$/m.exec(page)?.[1] ?? ''

const newFolder = () => mkdtemp(join(inject('runDirectory'), 'guide-'))

test.each(Object.entries(pages))(
  'the commands of docs/guide/%s.md work in their order on a new service [DOC-11]',
  async (page, expected) => {
    const running = await startService()
    const blocks = runnableBlocksIn(readProjectFile(`docs/guide/${page}.md`))
    const outputs = await runShellBlocks(blocks, running, await newClone())
    expect(outputs).toEqual(expected.map((pattern) => expect.stringMatching(pattern)))
    expect(outputs.join('\n')).not.toContain('"errorCode"')
  },
)

test('the website of docs/guide/tutorial.md shows the element and creates sessions [DOC-11]', async () => {
  const guide = readProjectFile('docs/guide/tutorial.md')
  const running = await startService()
  const { url, organizationId, apiKey } = running
  const folder = await newFolder()
  const blocks = [...runnableBlocksIn(guide), 'echo $PARLEY_AGENT_ID']
  const outputs = await runShellBlocks(blocks, running, folder)
  expect(outputs).toEqual([
    '',
    expect.stringMatching(/^We open at 9 and close at 18\.$/m),
    expect.stringMatching(/added /),
    expect.stringMatching(/^user: When do you open\?\nassistant: We open at 9 and close at 18\.$/m),
    expect.any(String),
  ])
  const agentId = outputs.at(-1)?.trim()

  const path = join(folder, '../corner-shop/site.mjs')
  await writeFile(path, programIn(guide))
  const address = await startBackend(path, {
    PARLEY_URL: url,
    PARLEY_ORG_ID: organizationId,
    PARLEY_API_KEY: apiKey,
    PARLEY_AGENT_ID: agentId,
    PORT: '0',
  })
  const page = await fetch(address)
  expect(await page.text()).toContain(`src="${url}/sdk/v1/parley-agent.js"`)

  const body = JSON.stringify({ conversationId: null, clientTools: [] })
  const created = await fetch(`${address}/session`, { method: 'POST', body })
  const { webSocketPath } = (await created.json()) as Pick<RealtimeSessionTicket, 'webSocketPath'>
  // The token is valid. Only the upgrade to a WebSocket is missing.
  expect((await send(url, { method: 'GET', path: webSocketPath })).status).toBe(426)
})

test('the recipes of docs/guide/cookbook.md work with its shop [DOC-11]', async () => {
  const guide = readProjectFile('docs/guide/cookbook.md')
  const running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  const folder = await newFolder()
  const path = join(folder, 'shop.mjs')
  await writeFile(path, programIn(guide))
  const shop = await startBackend(path, { PORT: '0' })
  const blocks = runnableBlocksIn(guide).map((block) => block.replaceAll('http://127.0.0.1:4000', shop))
  expect(await runShellBlocks(blocks, running, folder)).toEqual([
    '',
    '',
    expect.stringMatching(/no such order[\s\S]+^\["refund_order",".+17.+"\]$/m),
    expect.stringMatching(/^approved\n.*refunded/),
    '',
    expect.stringMatching(/^in_progress\ndone\n.*lena.*marc/),
  ])
})

test('the commands and the program of README.md work on a new service [DOC-11]', async () => {
  const readme = readProjectFile('README.md')
  const running = await startService()
  const folder = await newFolder()
  await writeFile(join(folder, 'program.mjs'), `${programIn(readme)}\nconsole.log(ticket.webSocketPath)`)
  const outputs = await runShellBlocks([...runnableBlocksIn(readme), 'node program.mjs'], running, folder)
  expect(outputs).toEqual([
    expect.stringMatching(/"name":"Front desk"/),
    expect.stringMatching(/^\s*added /),
    expect.stringMatching(/\S+\/api\/v1\/Agent\/[\w-]+\/realtime\?/),
  ])
})

describe('the commands that no test runs', () => {
  const documents = ['README.md', ...guide.map((name) => `docs/guide/${name}`)]
  const all = documents.flatMap((path) => shellBlocksIn(readProjectFile(path)).flat())
  const unrun = all.filter(({ unrunReason }) => unrunReason !== null).map(({ text }) => text)

  test('have a reason each, and no reason is left over [DOC-11]', () => {
    const used = new Set(all.map(({ unrunReason }) => unrunReason))
    expect(unrunCommands.filter(([, reason]) => !used.has(reason))).toEqual([])
  })

  test('name files, scripts of npm and settings that exist [DOC-11]', () => {
    const files = unrun.flatMap(
      (text) => text.match(/(?<![\w./-])(?:deploy|examples|apps)\/(?!parley\b)[\w./-]+/g) ?? [],
    )
    const { scripts } = readJson<{ scripts: object }>('package.json')
    const run = unrun.flatMap((text) =>
      [...text.matchAll(/\bnpm (?:run )?(?!ci\b)([a-z]+)/g)].map(([, name = '']) => name),
    )
    const set = unrun.flatMap((text) => [...text.matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name = '']) => name))
    expect([files.length, run.length, set.length].every((count) => count > 8)).toBe(true)
    expect(files.filter((path) => !existsSync(projectPath(path)))).toEqual([])
    expect(run.filter((name) => !(name in scripts))).toEqual([])
    const ofClients = ['PARLEY_URL', 'PARLEY_ORG_ID', 'PARLEY_API_KEY']
    expect(set.filter((name) => !(name in settings) && !ofClients.includes(name))).toEqual([])
  })

  test('use commands and options of parley that exist [DOC-11]', async () => {
    const used = unrun.flatMap((text) => [
      ...text.matchAll(/(?:^|npx |-- |exec parley |--rm |\/parley\.new )parley ([a-z][\w-]*)(.*)/gm),
    ])
    expect(used.length).toBeGreaterThan(8)
    for (const [, name = '', rest = ''] of used) {
      const { code, stdout } = await runCommand([name, '--help'], { env: {}, cwd: await newFolder() })
      expect([name, code]).toEqual([name, 0])
      for (const option of rest.match(/--[\w-]+/g) ?? []) expect(stdout).toContain(option)
    }
  })

  test('start a service of the Compose file that exists [DOC-11]', () => {
    const [compose] = readYaml('deploy/compose/compose.yaml')
    expect(valueAt(compose, 'services', 'parley')).toBeDefined()
    expect(existsSync(projectPath('deploy/compose/env.example'))).toBe(true)
  })
})

test('every page of the guide with commands is in this test [DOC-11]', () => {
  const withCommands = guide.filter(
    (name) => runnableBlocksIn(readProjectFile(`docs/guide/${name}`)).length > 0,
  )
  expect(withCommands).toEqual(
    [...Object.keys(pages), 'cookbook', 'tutorial'].map((name) => `${name}.md`).sort(),
  )
})
